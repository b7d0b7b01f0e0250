export const error19 = 19;
