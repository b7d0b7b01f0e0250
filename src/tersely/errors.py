"""Errors of tersely.

    TerselyError             shown to the user as one line, exit code 1
    ├── UsageError           the call is wrong: a bad argument or range, exit code 2
    ├── ConfigError          a setting is unknown or has a wrong value, exit code 2
    ├── HandleExpired        the original was here and has been removed, exit code 4
    ├── HandleUnknown        the handle was never written to this archive, exit code 5
    └── StoreError           the database cannot be opened, read or written

A class is here because some caller catches it. Anything else is a
ValueError raised close to the bad value.
"""

from __future__ import annotations


class TerselyError(Exception):
    """Base of every error a frontend shows to the user.

    Attributes:
        hint: what to do next, one line without a full stop; may be empty.
    """

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(TerselyError):
    """The call itself is wrong."""

    exit_code = 2


class ConfigError(TerselyError):
    """A setting is unknown or has a wrong value; the message names file and line."""

    exit_code = 2


class HandleExpired(TerselyError):
    """The original was archived and has been removed since.

    Attributes:
        handle: as it was asked for.
    """

    exit_code = 4

    def __init__(self, handle: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.handle = handle


class HandleUnknown(TerselyError):
    """The handle was never written to this archive, or is not a handle at all.

    Attributes:
        handle: as it was asked for.
    """

    exit_code = 5

    def __init__(self, handle: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.handle = handle


class StoreError(TerselyError):
    """The store cannot be opened, migrated, read or written."""
