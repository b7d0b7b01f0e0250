const till = require("./no-such-till");

test("never runs either", () => till.open());
