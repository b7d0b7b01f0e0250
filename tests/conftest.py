"""What every test runs under: no network, no home directory, no chance.

Golden cases and quoted command output are rewritten by ``--update-goldens``.
"""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

ROOT = Path(__file__).resolve().parents[1]

# The same examples on every run and machine; `--hypothesis-profile=explore`
# looks for new ones. CI shows a failing example as it was found: making it small
# can take five minutes a test.
settings.register_profile(
    "local",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "ci",
    settings.get_profile("local"),
    phases=[phase for phase in Phase if phase is not Phase.shrink],
)
settings.register_profile("explore", deadline=None, max_examples=2_000)
settings.load_profile("ci" if os.environ.get("CI") else "local")

# A suite started in the background or by nohup inherits ignored signals, and
# its children would too; what is tested here is what a terminal gives.
for _number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):
    if signal.getsignal(_number) is signal.SIG_IGN:
        _is_int = _number is signal.SIGINT
        signal.signal(
            _number, signal.default_int_handler if _is_int else signal.SIG_DFL
        )


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens",
        action="store_true",
        help="write expected texts and quoted command output anew",
    )


@pytest.fixture
def update_goldens(request: pytest.FixtureRequest) -> bool:
    """Whether expected texts are rewritten instead of compared."""
    return bool(request.config.getoption("--update-goldens"))


@pytest.fixture
def shared() -> Path:
    """The folder with corpus and scoreboard beside the checkout."""
    folder = ROOT.parent / "shared"
    if not (folder / "scoreboard").is_dir():
        pytest.skip("../shared (corpus and scoreboard) is not beside this checkout")
    return folder


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    """Refuse every connection but to this machine itself."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex"):
            patch.setattr(socket.socket, name, _local_only(name))
        patch.setattr(socket, "getaddrinfo", _resolve_local_only)
        yield


@pytest.fixture(autouse=True)
def _no_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Make the default store and settings impossible to open or create.

    The home directory lies below a file, so that root cannot make it either.
    """
    a_file = tmp_path_factory.getbasetemp() / "no-home"
    a_file.touch()
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(("CTX_", "XDG_")):
                patch.delenv(name)
        patch.setenv("HOME", str(a_file / "home"))
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory of this test's own, for tests of the default places."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


_resolve = socket.getaddrinfo


def _local_only(name: str) -> Any:
    real = getattr(socket.socket, name)

    def connect(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not _local(address[0]):
            pytest.fail(f"connects to {address!r}: tests use no network")
        return real(self, address)

    return connect


def _resolve_local_only(host: Any, *args: Any, **kwargs: Any) -> Any:
    if host is not None and not _local(host):
        pytest.fail(f"looks up {host!r}: tests use no network")
    return _resolve(host, *args, **kwargs)


def _local(host: Any) -> bool:
    name = host.decode() if isinstance(host, bytes) else str(host)
    return name in ("", "localhost", "::1", "::") or name.startswith(("127.", "0.0."))
