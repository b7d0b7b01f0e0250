export const fine = (a) => a === 1;
