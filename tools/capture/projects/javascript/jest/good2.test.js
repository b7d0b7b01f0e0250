test("error handling is good 2", () => {});
test("fails: 0", () => {});
