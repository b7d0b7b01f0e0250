export const error34 = 34;
