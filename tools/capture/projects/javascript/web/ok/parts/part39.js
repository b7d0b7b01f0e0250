export const error39 = 39;
