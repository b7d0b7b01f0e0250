export const error36 = 36;
