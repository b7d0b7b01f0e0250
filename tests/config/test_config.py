"""Layers of settings, what they refuse, and the fingerprint."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from tersely.config import Config, layers, light, load
from tersely.config.schema import Value, walk
from tersely.config.sources import variable
from tersely.errors import ConfigError

NAMES = [name for name, _, _ in walk(Config())]


def _other(name: str, value: Value, choices: tuple[str, ...]) -> str:
    """Another valid value of a setting, as a person would type it."""
    if choices:
        return next(choice for choice in choices if choice != value)
    if isinstance(value, bool):
        return "false" if value else "true"
    if isinstance(value, float):
        return str(value / 2)
    if isinstance(value, int):
        return str(value * 2 + 1)
    return "elsewhere.db"


@pytest.mark.parametrize("name", NAMES)
def test_toggling_a_knob_changes_the_fingerprint_if_it_changes_emissions(
    name: str, tmp_path: Path
) -> None:
    before = Config()
    _, value, about = next(row for row in walk(before) if row[0] == name)
    text = _other(name, value, about.metadata["choices"])

    after = load(flags={name: text}, environ={}, user_dir=tmp_path)

    assert after != before
    changed = after.fingerprint() != before.fingerprint()
    assert changed == about.metadata["emission"]


def test_only_the_store_and_the_caches_cannot_change_an_emission() -> None:
    quiet = {
        name for name, _, about in walk(Config()) if not about.metadata["emission"]
    }

    expected = {"store", "cache_ttl_s", "cache_bytes"} | {
        name for name in NAMES if name.startswith("archive.")
    }
    assert quiet == expected


def test_fingerprint_is_known_and_the_same_in_every_process() -> None:
    assert Config().fingerprint() == Config().fingerprint()
    assert len(Config().fingerprint()) == 12
    assert int(Config().fingerprint(), 16) >= 0


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_has_a_variable(name: str, tmp_path: Path) -> None:
    _, value, about = next(row for row in walk(Config()) if row[0] == name)
    text = _other(name, value, about.metadata["choices"])

    loaded = layers(environ={variable(name): text}, user_dir=tmp_path)

    assert loaded.sources == {name: variable(name)}
    assert loaded.config != Config()


def test_later_layers_win(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(
        'mode = "off"\nfooter = "ccr"\nsmall_lines = 9\n[archive]\nttl_s = 3600\n'
    )
    environ = {"CTX_MODE": "measure", "CTX_FOOTER": "short", "CTX_STORE": ""}

    loaded = layers(flags={"mode": "lossless"}, environ=environ, user_dir=tmp_path)

    assert loaded.config == replace(
        Config(),
        mode="lossless",
        small_lines=9,
        archive=replace(Config().archive, ttl_s=3600),
    )
    assert loaded.sources["mode"] == "flag"
    assert loaded.sources["footer"] == "CTX_FOOTER"
    assert loaded.sources["archive.ttl_s"] == f"{tmp_path / 'config.toml'}:5"


BAD_FILES: list[tuple[str, int, str, str]] = [
    ("mode = 'fast'", 1, "'fast' is none of", ""),
    ("\n# note\nmoed = 'off'", 3, "unknown key 'moed'", "did you mean mode?"),
    ("[archive]\nttl = 3600", 2, "unknown key 'archive.ttl'", "archive.ttl_s"),
    ("[archive]\nttl_s = 1799", 2, "1799 is below 1800", ""),
    ("archive.ttl_s = 60", 1, "60 is below 1800", ""),
    ("archive = { ttl_s = 60 }", 1, "60 is below 1800", ""),
    ("small_lines = '5'", 1, "a whole number is needed", ""),
    ("small_lines = true", 1, "a whole number is needed", ""),
    ("small_lines = -1", 1, "-1 is below 0", ""),
    ("disable = 1", 1, "true or false is needed", ""),
    ("[gate]\nratio = 1.5", 2, "1.5 is above 1", ""),
    ("[gate]\nratio = nan", 2, "nan", ""),
    ("footer = 7", 1, "text is needed", ""),
    ("gate = 3", 1, "unknown key 'gate'", ""),
    ("[budget]\nci_tokens = 3", 1, "unknown key 'budget'", "budgets"),
    ("mode = 'off'\nmode = 'off'", 2, "cannot overwrite a value", ""),
    ("x = [", 1, "invalid value", ""),
]


@pytest.mark.parametrize(("text", "line", "message", "hint"), BAD_FILES)
def test_a_bad_file_is_refused_with_its_line(
    text: str, line: int, message: str, hint: str, tmp_path: Path
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)

    with pytest.raises(ConfigError) as caught:
        load(environ={}, user_dir=tmp_path)

    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)
    assert hint in caught.value.hint


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"mode = '\xff'")

    with pytest.raises(ConfigError, match="not UTF-8"):
        load(environ={}, user_dir=tmp_path)


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({"CTX_MODE": "fast"}, "CTX_MODE: 'fast' is none of"),
        ({"CTX_DISABLE": "maybe"}, "CTX_DISABLE: true or false is needed"),
        ({"CTX_ARCHIVE_TTL_S": "60"}, "CTX_ARCHIVE_TTL_S: 60 is below 1800"),
        ({"CTX_GATE_RATIO": "x"}, "CTX_GATE_RATIO: a number is needed"),
    ],
)
def test_a_bad_variable_is_named(
    environ: dict[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError) as caught:
        load(environ=environ, user_dir=tmp_path)

    assert str(caught.value).startswith(message)


def test_an_unknown_flag_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="unknown setting 'mod'"):
        load(flags={"mod": "off"}, environ={}, user_dir=tmp_path)


def test_a_variable_that_looks_like_ours_is_noted_and_not_an_error(
    tmp_path: Path,
) -> None:
    environ = {"CTX_ARCHIVE_TTL": "1", "CTX_TASK": "fix it", "CTX_NO_SHIMS": "1"}

    loaded = layers(environ=environ, user_dir=tmp_path)

    assert loaded.notes == (
        "CTX_ARCHIVE_TTL: no setting of ours; did you mean CTX_ARCHIVE_TTL_S?",
    )
    assert loaded.config == Config()


def test_a_project_file_is_noted_and_not_read(tmp_path: Path) -> None:
    (tmp_path / ".tersely").mkdir()
    (tmp_path / ".tersely" / "config.toml").write_text("mode = 'off'")

    loaded = layers(environ={}, user_dir=tmp_path, project_dir=tmp_path)

    assert loaded.config == Config()
    assert "needs trust first" in loaded.notes[0]


@pytest.mark.parametrize("word", ["1", "true", "YES", "on"])
def test_the_master_switch_takes_the_usual_words(word: str, tmp_path: Path) -> None:
    assert load(environ={"CTX_DISABLE": word}, user_dir=tmp_path).disable


def test_the_store_is_the_users_own_unless_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    named: dict[str, Any] = {"store": "/somewhere/else.db"}

    assert Config().store_url() == str(tmp_path / "tersely" / "store.db")
    assert replace(Config(), **named).store_url() == "/somewhere/else.db"


@pytest.mark.parametrize("kind", ["config", "data"])
@pytest.mark.parametrize("base", ["", " ", "/srv/x", "~/x", "relative"])
def test_the_users_folders_are_those_of_platformdirs(
    kind: str, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", base)
    ask = {"config": platformdirs.user_config_dir, "data": platformdirs.user_data_dir}

    assert light.user_dir(kind) == ask[kind]("tersely", appauthor=False)


def test_a_short_text_depends_on_any_file_or_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for key in [key for key in os.environ if key.startswith("CTX_")]:
        monkeypatch.delenv(key)
    monkeypatch.setenv("CTX_TASK", "find it")
    monkeypatch.setenv("CTX_STORE", "x.db")
    assert light.untouched()

    monkeypatch.setenv("CTX_SMALL_LINES", "0")
    assert not light.untouched()

    monkeypatch.delenv("CTX_SMALL_LINES")
    (tmp_path / "tersely").mkdir()
    (tmp_path / "tersely" / "config.toml").write_text("")
    assert not light.untouched()


@pytest.mark.parametrize(
    ("key", "value", "off"),
    [
        ("CTX_DISABLE", "1", True),
        ("CTX_DISABLE", "0", False),
        ("CTX_MODE", "off", True),
        ("CTX_MODE", "measure", False),
    ],
)
def test_the_master_switch_is_seen_without_the_schema(
    key: str, value: str, off: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CTX_DISABLE", raising=False)
    monkeypatch.delenv("CTX_MODE", raising=False)
    monkeypatch.setenv(key, value)

    assert light.switched_off() is off
