export const error32 = 32;
