export const error9 = 9;
