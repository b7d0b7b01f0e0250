export const error13 = 13;
