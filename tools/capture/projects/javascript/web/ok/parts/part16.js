export const error16 = 16;
