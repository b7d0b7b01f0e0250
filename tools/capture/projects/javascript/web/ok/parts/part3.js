export const error3 = 3;
