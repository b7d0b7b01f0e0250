export default [
  {
    files: ["**/*.js"],
    rules: { "no-undef": "error", "no-unused-vars": "warn", "no-var": "warn", eqeqeq: "error", "no-console": "warn" },
  },
];
