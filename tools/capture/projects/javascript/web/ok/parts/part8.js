export const error8 = 8;
