export const error7 = 7;
