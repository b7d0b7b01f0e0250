const { describe: say } = require("./cart");

test("snapshot of a cart", () => {
  expect(say(3)).toMatchInlineSnapshot(`
{
  "currency": "EUR",
  "id": 4,
  "lines": [
    "one",
    "two",
    "line 4",
  ],
}
`);
});

test("deep equality", () => {
  expect(say(1)).toEqual({ id: 1, currency: "USD", lines: ["one", "zwei", "line 1"] });
});

test("file snapshot", () => {
  expect("0 errors\nPASS\nok 1").toMatchSnapshot();
});

test("throws", () => {
  console.log("about to throw");
  console.error("stderr line of the test");
  throw new TypeError("cart is not iterable");
});

test.skip("later", () => {});
test.todo("write more");
