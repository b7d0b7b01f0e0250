export const error18 = 18;
