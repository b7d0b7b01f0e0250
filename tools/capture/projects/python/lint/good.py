"""Nothing to find here: 0 errors, error.py."""


def no_error_handler(code: int) -> str:
    """Return the name of a code."""
    return f"error {code}" if code else "fine"
