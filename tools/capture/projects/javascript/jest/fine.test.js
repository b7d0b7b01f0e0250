test("error handling is fine", () => {});
test("fails: 0", () => {});
