"""Pure helpers over bytes and lines: no clock, environment, files or randomness."""
