export const error37 = 37;
