test("error handling is good 1", () => {});
test("fails: 0", () => {});
