"""How tests start `ctx`: the real thing, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

#: By module, so that the tests do not depend on what is installed on PATH.
CTX = (
    sys.executable,
    "-c",
    "from tersely.frontends.cli.main import console; raise SystemExit(console())",
)

Ctx = Callable[..., "subprocess.CompletedProcess[bytes]"]
