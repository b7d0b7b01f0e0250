export const error2 = 2;
