export const error28 = 28;
