test("error handling is good 3", () => {});
test("fails: 0", () => {});
