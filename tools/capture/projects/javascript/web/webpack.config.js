module.exports = { mode: "production", entry: "./main.js", context: __dirname, output: { path: "/tmp/webpack-out" } };
