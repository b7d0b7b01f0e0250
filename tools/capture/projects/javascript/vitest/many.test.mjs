import { describe, expect, test } from "vitest";

describe("total", () => {
  for (let n = 0; n < 210; n++) {
    test(`error case ${n}`, () => {
      expect(n * 2).toBe(n === 117 ? 235 : 2 * n);
    });
  }
});
