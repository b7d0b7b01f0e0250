export const error38 = 38;
