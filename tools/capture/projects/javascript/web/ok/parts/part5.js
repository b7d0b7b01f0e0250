export const error5 = 5;
