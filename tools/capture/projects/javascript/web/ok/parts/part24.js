export const error24 = 24;
