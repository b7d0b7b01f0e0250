export const error10 = 10;
