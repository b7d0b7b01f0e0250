exports.total = (prices) => prices.reduce((a, b) => a + b, 0);
exports.describe = (n) => ({ id: n, currency: "EUR", lines: ["one", "two", `line ${n}`] });
