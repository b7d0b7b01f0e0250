export const error23 = 23;
