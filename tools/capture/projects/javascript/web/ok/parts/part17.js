export const error17 = 17;
