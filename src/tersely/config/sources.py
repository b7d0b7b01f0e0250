"""Read the layers and put them together: files, environment, flags.

A setting ``archive.ttl_s`` is ``ttl_s`` below ``[archive]`` in a file,
``CTX_ARCHIVE_TTL_S`` in the environment and ``archive.ttl_s`` as a flag. An
empty variable counts as unset. A project file is not read before it has been
trusted, which this release cannot do yet: it is noted and left alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, replace
from typing import Any

from ..errors import ConfigError
from .light import APP, FACTS, FILE, SWITCH, user_dir
from .schema import Config, Value, refusal, walk

PREFIX = "CTX_"

Folder = str | os.PathLike[str]

_WORDS = {
    "1": True,
    "true": True,
    "yes": True,
    "on": True,
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force and how they came about.

    Attributes:
        sources: dotted name -> where its value was set; built-in values are
            not in it.
        notes: what was seen and not used, one line each.
        files: settings files that were read.
    """

    config: Config
    sources: Mapping[str, str]
    notes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def load(
    *,
    flags: Mapping[str, str] | None = None,
    environ: Mapping[str, str] | None = None,
    user_dir: Folder | None = None,
    project_dir: Folder | None = None,
) -> Config:
    """Return the settings in force; see `layers`."""
    return layers(
        flags=flags, environ=environ, user_dir=user_dir, project_dir=project_dir
    ).config


def layers(
    *,
    flags: Mapping[str, str] | None = None,
    environ: Mapping[str, str] | None = None,
    user_dir: Folder | None = None,
    project_dir: Folder | None = None,
) -> Loaded:
    """Return the settings in force and where each comes from.

    Args:
        flags: dotted name -> value, as a person typed it.
        environ: None means the environment of this process.
        user_dir: folder of the user's file; None means the platform's.
        project_dir: folder that may hold ``.tersely/``; None means the
            working directory.

    Raises:
        ConfigError: an unknown key or a wrong value, with file and line.
    """
    environ = os.environ if environ is None else environ
    found: dict[str, tuple[str, Value]] = {}
    notes: list[str] = []
    files: list[str] = []
    user_file = os.path.join(user_dir or config_dir(), FILE)
    if (text := _text(user_file)) is not None:
        files.append(user_file)
        found.update(_from_file(user_file, text))
    project_file = os.path.join(project_dir or "", f".{APP}", FILE)
    if os.path.isfile(project_file):
        notes.append(f"{project_file}: not read, a project file needs trust first")
    found.update(_from_environ(environ, notes))
    for name, value in (flags or {}).items():
        found[name] = ("flag", _typed(name, value, f"--{name}"))
    return Loaded(
        config=_build({name: value for name, (_, value) in found.items()}),
        sources={name: source for name, (source, _) in found.items()},
        notes=tuple(notes),
        files=tuple(files),
    )


def config_dir() -> str:
    """The folder of the user's settings."""
    return user_dir("config")


def variable(name: str) -> str:
    """The environment variable of a setting.

    >>> variable("archive.ttl_s")
    'CTX_ARCHIVE_TTL_S'
    """
    return PREFIX + name.replace(".", "_").upper()


_KNOWN: dict[str, Field[Any]] = {name: about for name, _, about in walk(Config())}
_VARIABLES = {variable(name): name for name in _KNOWN}


def _build(values: Mapping[str, Value]) -> Config:
    config = Config()
    fresh: dict[str, Any] = {}
    for name, value in values.items():
        section, dot, key = name.partition(".")
        if dot:
            old = fresh.get(section, getattr(config, section))
            fresh[section] = replace(old, **{key: value})
        else:
            fresh[name] = value
    return replace(config, **fresh)


def _text(path: str) -> str | None:
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as exc:
        raise ConfigError(f"{path}: not UTF-8 text at byte {exc.start}") from None
    except OSError as exc:
        raise ConfigError(f"{path}: {exc.strerror}") from None


def _from_file(path: str, text: str) -> dict[str, tuple[str, Value]]:
    import tomllib

    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        line, message = _syntax(str(exc), text)
        raise ConfigError(f"{path}:{line}: {message}") from None
    found = {}
    for name, raw in _flat(tree):
        where = f"{path}:{_line_of(text, name)}"
        about = _KNOWN.get(name)
        if about is None:
            raise ConfigError(f"{where}: unknown key {name!r}", _nearest(name))
        if wrong := refusal(about, raw):
            raise ConfigError(f"{where}: {name}: {wrong}")
        value = float(raw) if isinstance(about.default, float) else raw
        found[name] = (where, value)
    return found


def _flat(tree: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield dotted names and values; a table we do not know is one value."""
    sections = {name.partition(".")[0] for name in _KNOWN if "." in name}
    for key, value in tree.items():
        if key in sections and isinstance(value, dict):
            for inner, deep in value.items():
                yield f"{key}.{inner}", deep
        else:
            yield key, value


def _line_of(text: str, name: str) -> int:
    """The 1-based line on which `name` is set, else its table's, else 1."""
    table, best = "", 1
    section = name.rpartition(".")[0]
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if line.startswith("["):
            table = _bare(line.strip("[]").partition("]")[0])
            key, full = table, table
        else:
            key, equals, _ = line.partition("=")
            if not equals:
                continue
            key = _bare(key)
            full = f"{table}.{key}" if table else key
        if full == name:
            return number
        if full == section:
            best = number
    return best


def _bare(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


def _syntax(message: str, text: str) -> tuple[int, str]:
    """Take the line out of a message of tomllib: ``... (at line 3, column 5)``."""
    what, _, where = message.rpartition(" (at ")
    digits = where.removeprefix("line ").partition(",")[0]
    what = what[:1].lower() + what[1:]
    if digits.isdigit():
        return int(digits), what
    return len(text.splitlines()) or 1, what or message


def _from_environ(
    environ: Mapping[str, str], notes: list[str]
) -> dict[str, tuple[str, Value]]:
    found = {}
    for key in sorted(environ):
        if not key.startswith(PREFIX) or not environ[key]:
            continue
        if name := _VARIABLES.get(key):
            found[name] = (key, _typed(name, environ[key], key))
        elif key not in FACTS and not key.startswith(SWITCH):
            # other programs may own it, so it is no error
            notes.append(_stray(key))
    return found


def _stray(key: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(key, _VARIABLES, 1, 0.8)
    return f"{key}: no setting of ours" + (f"; did you mean {near[0]}?" * len(near))


def _typed(name: str, text: str, where: str) -> Value:
    about = _KNOWN.get(name)
    if about is None:
        raise ConfigError(f"{where}: unknown setting {name!r}", _nearest(name))
    value = _parse(type(about.default), text.strip())
    if wrong := refusal(about, value):
        raise ConfigError(f"{where}: {wrong}")
    return value


def _parse(want: object, text: str) -> Value:
    """Return `text` as `want`, or as it is where it is none."""
    try:
        if want is bool:
            return _WORDS.get(text.lower(), text)
        if want is int:
            return int(text)
        if want is float:
            return float(text)
    except ValueError:
        pass
    return text


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, _KNOWN, 1, 0.6)
    last = name.rpartition(".")[2]
    near = near or [known for known in _KNOWN if known.rpartition(".")[2] == last]
    return f"did you mean {near[0]}?" if near else f"settings are {', '.join(_KNOWN)}"
