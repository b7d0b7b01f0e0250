import { expect, test, vi } from "vitest";

test("deep equality", () => {
  expect({ id: 1, lines: ["one", "two"], currency: "EUR" }).toEqual({ id: 1, lines: ["one", "zwei"], currency: "USD" });
});

test("inline snapshot", () => {
  expect("0 errors\nPASS").toMatchInlineSnapshot(`"1 error\nPASS"`);
});

test("rejects", async () => {
  console.log("basket 42");
  await Promise.reject(new Error("payment gateway said no"));
});

test.skip("later", () => {});
