export const error15 = 15;
