const test = require("node:test");

for (let n = 0; n < 60; n++) test(`error ${n} is handled`, () => {});
