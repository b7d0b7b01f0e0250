export const error22 = 22;
