export const error4 = 4;
