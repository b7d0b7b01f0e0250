export const error27 = 27;
