export const error26 = 26;
