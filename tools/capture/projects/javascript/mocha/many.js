const assert = require("assert");

describe("cart", () => {
  for (let n = 0; n < 205; n++) {
    it(`handles error ${n}`, () => {
      assert.strictEqual(n, n === 117 ? 118 : n);
    });
  }
  describe("lines", () => {
    it("are equal", () => {
      assert.deepStrictEqual({ a: 1, b: ["x", "y"] }, { a: 1, b: ["x", "z"] });
    });
    it("times out", function (done) {
      this.timeout(50);
    });
    it.skip("later", () => {});
  });
  after(() => {
    throw new Error("hook could not close the till");
  });
});
