module.exports = { rootDir: __dirname, cache: false, watchman: false, maxWorkers: 1 };
