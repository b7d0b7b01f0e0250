const { total } = require("./cart");

describe("total", () => {
  for (let n = 0; n < 220; n++) {
    test(`sums error case ${n}`, () => {
      expect(total([n, n])).toBe(n === 117 ? 235 : 2 * n);
    });
  }
});
