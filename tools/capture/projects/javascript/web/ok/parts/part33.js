export const error33 = 33;
