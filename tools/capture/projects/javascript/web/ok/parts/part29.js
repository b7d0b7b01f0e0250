export const error29 = 29;
