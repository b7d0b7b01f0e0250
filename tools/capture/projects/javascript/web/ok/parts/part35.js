export const error35 = 35;
