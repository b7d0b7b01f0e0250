export const error1 = 1;
