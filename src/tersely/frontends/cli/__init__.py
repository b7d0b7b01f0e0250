"""The command line, `ctx`."""
