export const error21 = 21;
