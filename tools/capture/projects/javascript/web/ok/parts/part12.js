export const error12 = 12;
