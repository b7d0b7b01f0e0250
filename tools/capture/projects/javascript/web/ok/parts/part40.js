export const error40 = 40;
