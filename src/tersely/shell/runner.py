"""Run one child exactly as asked and hold what it says, stream by stream.

The child gets our argv, environment, working directory, stdin, umask and
inheritable descriptors; nothing of ours reaches it but the two pipes. What
the shell would do, we do: its messages and codes for a missing program (127)
or one that may not run (126), `sh` for a script without ``#!``.

Three ways out of holding a stream, each of which passes its bytes on as they
are: it grows beyond `limit_bytes`; it is still open after the child has ended
(a background process has it: a relay stays behind for that); whoever reads
our own stdout is gone (then the child's pipe is closed, so that it ends as it
would have).

Imports nothing that is slow: it runs before every observed command.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import stat
import time

TYPE_CHECKING = False  # typing costs more than the whole of this module
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import FrameType

#: A stream longer than this is passed on raw: bounded memory comes before
#: short text.
LIMIT_BYTES = 64 << 20

#: How long a silent, and how long any stream may stay open after the child has
#: ended before it is taken to be held by a background process. Chosen by hand:
#: the last bytes of an ended child are in the pipe already.
_GRACE_MS = 100
_GRACE_MAX_S = 1.0

_READ_BYTES = 1 << 18
_STDOUT, _STDERR = 1, 2

#: Signals that are meant for the child when they reach us.
_FORWARDED = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
)
#: Of those, what a terminal sends to the whole foreground group itself.
_FROM_TERMINAL = (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP)


class Result:
    """What a child did. No dataclass: that import is dearer than most children.

    Attributes:
        exit_code: 0 to 255; 128 + n where signal n ended it.
        signal: the number of the signal that ended the child, or None.
        chunks: (1 or 2, bytes) in order of arrival; streams that were passed
            on already have none.
        passed: descriptors whose bytes have been passed on already.
    """

    __slots__ = ("chunks", "exit_code", "passed", "signal")

    def __init__(
        self,
        exit_code: int,
        signal: int | None = None,
        chunks: list[tuple[int, bytes]] | None = None,
        passed: frozenset[int] = frozenset(),
    ) -> None:
        self.exit_code = exit_code
        self.signal = signal
        self.chunks = chunks or []
        self.passed = passed

    @property
    def stdout(self) -> bytes:
        """All of stdout that was held."""
        return b"".join([data for fd, data in self.chunks if fd == _STDOUT])

    @property
    def stderr(self) -> bytes:
        """All of stderr that was held."""
        return b"".join([data for fd, data in self.chunks if fd == _STDERR])


def run(
    argv: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    when_large: tuple[int, Callable[[], None]] | None = None,
    limit_bytes: int = LIMIT_BYTES,
) -> Result:
    """Run `argv` and return what it said and how it ended.

    Args:
        env: None means the environment of this process, unread.
        when_large: bytes, and what to call once when a stream grows beyond
            them: time to import what will be needed. May not raise.
        limit_bytes: per stream.
    """
    _fill_gaps()
    pipes = {_STDOUT: os.pipe(), _STDERR: os.pipe()}
    child = _Child()
    with _Signals(child):
        try:
            actions = [(os.POSIX_SPAWN_DUP2, pipes[fd][1], fd) for fd in pipes]
            child.pid = _spawn(argv, _environment(env), actions)
        except OSError as exc:
            for ends in pipes.values():
                os.close(ends[0])
                os.close(ends[1])
            return _not_started(argv[0], exc)
        for ends in pipes.values():
            os.close(ends[1])
        child.forward_pending()
        sources = {fd: ends[0] for fd, ends in pipes.items()}
        held = _Held(sources, limit_bytes, when_large)
        held.read(child)
        status = child.wait()
    ended_by = -status if status < 0 else None
    code = 128 - status if status < 0 else status
    return Result(code, ended_by, held.chunks, frozenset(held.passed))


def replace(argv: Sequence[str], *, env: Mapping[str, str] | None = None) -> Result:
    """Become `argv`: nothing is held, nothing of us stays. Returns on failure only."""
    old = _default_signals()
    try:
        os.execvpe(argv[0], list(argv), dict(_environment(env)))
    except OSError as exc:
        if exc.errno == errno.ENOEXEC:
            os.execve("/bin/sh", ["sh", _found(argv[0]), *argv[1:]], _environment(env))
        for number, handler in old:
            signal.signal(number, handler)  # type: ignore[arg-type]
        return _not_started(argv[0], exc)


def end_like(result: Result) -> int:
    """End as the child did: die of its signal, or return its exit code."""
    if result.signal is None:
        return result.exit_code
    import resource

    # one core file is enough, and it is the child's
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        signal.signal(result.signal, signal.SIG_DFL)
    except (OSError, ValueError):
        pass  # KILL and STOP have no handler to restore
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [result.signal])
    os.kill(os.getpid(), result.signal)
    return result.exit_code


def write(fd: int, data: bytes) -> bool:
    """Write all of `data`; False when nobody reads any more."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(fd, view[: 1 << 20]) :]
        except BlockingIOError:
            waiter = select.poll()
            waiter.register(fd, select.POLLOUT)
            waiter.poll()
        except (BrokenPipeError, ConnectionResetError):
            return False
        except OSError as exc:
            if exc.errno in (errno.EBADF, errno.EIO):
                return False
            raise
    return True


class _Child:
    """The process, and signals that came before it had a number."""

    def __init__(self) -> None:
        self.pid: int | None = None
        self.status: int | None = None
        self.pending: list[int] = []

    def forward_pending(self) -> None:
        for number in self.pending:
            self.send(number)
        self.pending.clear()

    def send(self, number: int) -> None:
        if self.pid is None:
            self.pending.append(number)
        elif self.status is None:
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                pass

    def ended(self) -> bool:
        """Whether the child has ended; reaps it."""
        if self.status is None and self.pid is not None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    def wait(self) -> int:
        """Wait for the end: exit code, or minus the signal's number."""
        if self.status is None:
            assert self.pid is not None
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.status


class _Signals:
    """Forward signals to the child while it runs, and wake up when it ends."""

    def __init__(self, child: _Child) -> None:
        self._child = child
        self._old: list[tuple[int, object]] = []

    def __enter__(self) -> None:
        for number in _FORWARDED:
            # what was ignored when we started stays ignored, for the child too
            if signal.getsignal(number) not in (signal.SIG_IGN, None):
                self._set(number, self._forward)
        # must not be ignored, or there is no status to wait for
        self._set(signal.SIGCHLD, _nothing)

    def __exit__(self, *exc: object) -> None:
        for number, handler in self._old:
            signal.signal(number, handler)  # type: ignore[arg-type]

    def _set(
        self, number: int, handler: Callable[[int, FrameType | None], None]
    ) -> None:
        try:
            self._old.append((number, signal.signal(number, handler)))
        except ValueError:
            pass  # not the main thread: signals are not ours

    def _forward(self, number: int, frame: FrameType | None) -> None:
        if number in _FROM_TERMINAL and _in_foreground():
            return  # the terminal has sent it to the child as well
        self._child.send(number)


class _Held:
    """The two streams while they come in."""

    def __init__(
        self,
        sources: dict[int, int],
        limit_bytes: int,
        when_large: tuple[int, Callable[[], None]] | None,
    ) -> None:
        self.chunks: list[tuple[int, bytes]] = []
        self.passed: set[int] = set()
        self._sources = sources
        self._names = {source: fd for fd, source in sources.items()}
        self._sizes = dict.fromkeys(sources, 0)
        self._limit = limit_bytes
        self._when_large = when_large

    def read(self, child: _Child) -> None:
        """Read until both streams end, or nobody who matters holds them."""
        poller = select.poll()
        for source in self._names:
            poller.register(source, select.POLLIN)
        _watch_reader(poller)
        ended_at = 0.0
        while self._sources:
            events = poller.poll(_GRACE_MS)
            if child.ended():
                ended_at = ended_at or time.monotonic()
                late = time.monotonic() - ended_at
                if late > (_GRACE_MAX_S if events else _GRACE_MS / 1e3):
                    self._leave_to_relay()
                    return
            for source, _ in events:
                if source == _STDOUT:  # only ever its end
                    poller.unregister(source)
                    self._close(_STDOUT, poller)
                elif self._names[source] in self._sources:
                    self._take(self._names[source], source, poller)

    def _take(self, fd: int, source: int, poller: select.poll) -> None:
        data = os.read(source, _READ_BYTES)
        if not data:
            self._close(fd, poller)
        elif fd in self.passed:
            if not write(fd, data):
                self._close(fd, poller)
        else:
            self.chunks.append((fd, data))
            self._sizes[fd] += len(data)
            if self._when_large and self._sizes[fd] > self._when_large[0]:
                self._when_large[1]()
                self._when_large = None
            if self._sizes[fd] > self._limit and not self._pass_on(fd):
                self._close(fd, poller)

    def _pass_on(self, fd: int) -> bool:
        """Give up on one stream: write what was held, hold no more."""
        self.passed.add(fd)
        mine = [data for name, data in self.chunks if name == fd]
        self.chunks = [chunk for chunk in self.chunks if chunk[0] != fd]
        return all([write(fd, data) for data in mine])

    def _close(self, fd: int, poller: select.poll) -> None:
        source = self._sources.pop(fd, None)
        if source is not None:
            poller.unregister(source)
            os.close(source)

    def _leave_to_relay(self) -> None:
        """Someone else holds the streams: pass on, and leave a relay behind."""
        open_fds = list(self._sources)
        for fd in open_fds:
            self._pass_on(fd)
        if os.fork() == 0:
            try:
                _relay(self._sources)
            finally:
                os._exit(0)
        for fd in open_fds:
            os.close(self._sources.pop(fd))


def _relay(sources: dict[int, int]) -> None:
    """Copy what still comes to where it would have gone; keep nothing else open."""
    for name in (0, *(fd for fd in (_STDOUT, _STDERR) if fd not in sources)):
        os.close(name)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    poller = select.poll()
    names = {source: fd for fd, source in sources.items()}
    for source in names:
        poller.register(source, select.POLLIN)
    while names:
        for source, _ in poller.poll():
            data = os.read(source, _READ_BYTES)
            if not data or not write(names[source], data):
                poller.unregister(source)
                os.close(source)
                os.close(names.pop(source))


def _watch_reader(poller: select.poll) -> None:
    """Have the poller tell when nobody reads our stdout any more."""
    mode = os.fstat(_STDOUT).st_mode
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        poller.register(_STDOUT, 0)  # POLLERR and POLLHUP come unasked


def _fill_gaps() -> None:
    """Open what is closed of 0, 1 and 2, so that no pipe or file of ours lands there.

    The child does not inherit these: what was closed stays closed for it.
    """
    for fd in (0, _STDOUT, _STDERR):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _environment(env: Mapping[str, str] | None) -> Mapping[str, str]:
    """The child's environment: ours, handed on unread.

    But for what Python itself has put there: in a C locale it sets LC_CTYPE
    (PEP 538), which the child would not have seen.
    """
    if env is not None:
        return env
    env = os.environ  # noqa: TID251
    if env.get("LC_CTYPE") not in ("C.UTF-8", "C.utf8", "UTF-8"):
        return env
    try:
        with open("/proc/self/environ", "rb") as file:
            given = file.read().split(b"\0")
    except OSError:
        return env
    env = {key: value for key, value in env.items() if key != "LC_CTYPE"}
    for pair in given:
        if pair.startswith(b"LC_CTYPE="):
            env["LC_CTYPE"] = os.fsdecode(pair.partition(b"=")[2])
    return env


def _spawn(
    argv: Sequence[str],
    env: Mapping[str, str],
    actions: Sequence[tuple[int, int, int]],
) -> int:
    # Python ignores these two; a child of a shell would not
    defaults = [signal.SIGPIPE, signal.SIGXFSZ]
    try:
        return os.posix_spawnp(
            argv[0], list(argv), env, file_actions=actions, setsigdef=defaults
        )
    except OSError as exc:
        if exc.errno != errno.ENOEXEC:
            raise
    script = ["sh", _found(argv[0]), *argv[1:]]
    return os.posix_spawn(
        "/bin/sh", script, env, file_actions=actions, setsigdef=defaults
    )


def _found(name: str) -> str:
    """The path of a program that the system would run for `name`."""
    import shutil

    return name if "/" in name else shutil.which(name) or name


def _not_started(name: str, exc: OSError) -> Result:
    """What a shell says of a program that it cannot run, and its code."""
    if exc.errno == errno.ENOENT:
        code = 127
        what = "No such file or directory" if "/" in name else "command not found"
    else:
        code = 126
        what = "Is a directory" if os.path.isdir(name) else os.strerror(exc.errno or 0)
    message = f"ctx: {name}: {what}\n"
    return Result(code, None, [(_STDERR, os.fsencode(message))])


def _default_signals() -> list[tuple[int, object]]:
    """Undo what Python set for itself; returns what was set."""
    numbers = [signal.SIGPIPE, signal.SIGXFSZ]
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        numbers.append(signal.SIGINT)
    return [(number, signal.signal(number, signal.SIG_DFL)) for number in numbers]


def _in_foreground() -> bool:
    """Whether a terminal's keys reach our process group."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)


def _nothing(number: int, frame: FrameType | None) -> None:
    """A handler, so that the system keeps a child's status."""
