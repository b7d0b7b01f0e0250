export const error6 = 6;
