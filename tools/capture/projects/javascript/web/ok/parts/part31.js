export const error31 = 31;
