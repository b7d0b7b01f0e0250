"""Stop a pure-Python call that takes too long.

A watchdog thread raises `Overdue` inside the calling thread. That reaches
loops in Python code, which is where a transform can hang; a single call into
C is interrupted when it returns. Works in any thread, needs no signals.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Overdue(BaseException):
    """The call was stopped. No `except Exception` on the way may swallow it."""


def call(function: Callable[[], T], limit_s: float) -> T:
    """Return ``function()``.

    Raises:
        Overdue: it ran longer than `limit_s` seconds.
    """
    lock = threading.Lock()
    done = False
    caller = threading.get_ident()

    def stop() -> None:
        import ctypes  # only where a call is late: it costs 3 ms

        with lock:
            if not done:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(caller), ctypes.py_object(Overdue)
                )

    timer = threading.Timer(limit_s, stop)
    timer.daemon = True
    timer.start()
    try:
        result = function()
        with lock:
            done = True
    except BaseException:
        with lock:
            done = True
        raise
    finally:
        timer.cancel()
    return result
