export const error25 = 25;
