export const error14 = 14;
