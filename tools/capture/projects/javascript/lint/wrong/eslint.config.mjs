export default [{ rules: { "no-undef": "eror" } }];
