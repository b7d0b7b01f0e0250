export const error20 = 20;
