"""The commands table: one module per command, one row per module.

A module here has `run(argv) -> exit code`. It is imported to run it, and for
nothing else: the table alone renders `ctx --help`.
"""

#: Module name -> what it does, in the order a newcomer meets them.
COMMANDS: dict[str, str] = {
    "demo": "shorten real output of this machine, and take it back",
    "run": "run a command, shorten what it says, keep its exit status",
    "pipe": "shorten what comes in on stdin",
    "expand": "print the original behind a handle, or a part of it",
    "detect": "say what a text is, and how that is known",
    "stats": "tokens saved and spent so far",
    "archive": "the store of originals: status, verify, gc, purge",
    "doctor": "check installation, settings and store",
    "bench": "measure a folder of texts: saved, kept, recoverable",
}
