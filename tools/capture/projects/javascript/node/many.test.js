const test = require("node:test");
const assert = require("node:assert");

test("cart", async (t) => {
  for (let n = 0; n < 205; n++) {
    await t.test(`handles error ${n}`, () => {
      assert.strictEqual(n, n === 117 ? 118 : n);
    });
  }
});

test("deep", () => {
  assert.deepStrictEqual({ a: 1, b: ["x", "y"] }, { a: 1, b: ["x", "z"] });
});

test("todo", { todo: true }, () => {});
test("skip", { skip: "not today" }, () => {});
