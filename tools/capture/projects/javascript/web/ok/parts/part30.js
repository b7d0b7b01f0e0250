export const error30 = 30;
