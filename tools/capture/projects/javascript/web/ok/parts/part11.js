export const error11 = 11;
