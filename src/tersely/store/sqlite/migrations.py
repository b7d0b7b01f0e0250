"""The schema, as numbered steps: step N takes ``PRAGMA user_version`` N-1 to N.

A step that was released is never edited; a change of the schema is a new step. Steps
run in one transaction. Nothing newer than SQLite 3.26 (2018) is used.
"""

from __future__ import annotations

#: "trsy": tells our files from another program's database.
APPLICATION_ID = 0x74727379

_FIRST = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    # Bodies live apart, so that moving `used_at` does not rewrite them.
    """CREATE TABLE original (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        handle_digits INTEGER NOT NULL,
        digest BLOB NOT NULL,
        size_bytes INTEGER NOT NULL,
        stored_bytes INTEGER NOT NULL,
        codec INTEGER NOT NULL,
        created_at REAL NOT NULL,
        used_at REAL NOT NULL
    )""",
    "CREATE INDEX original_used ON original (used_at)",
    "CREATE TABLE body (id INTEGER PRIMARY KEY, data BLOB NOT NULL)",
    """CREATE TABLE note (
        id INTEGER NOT NULL,
        workspace TEXT NOT NULL,
        scope TEXT NOT NULL,
        command TEXT NOT NULL,
        at REAL NOT NULL,
        PRIMARY KEY (id, workspace, scope, command)
    ) WITHOUT ROWID""",
    """CREATE TABLE pin (
        id INTEGER NOT NULL,
        conversation TEXT NOT NULL,
        at REAL NOT NULL,
        PRIMARY KEY (id, conversation)
    ) WITHOUT ROWID""",
    "CREATE INDEX pin_conversation ON pin (conversation)",
    """CREATE TABLE tombstone (
        key TEXT PRIMARY KEY,
        handle_digits INTEGER NOT NULL,
        why TEXT NOT NULL,
        at REAL NOT NULL
    ) WITHOUT ROWID""",
    "CREATE INDEX tombstone_at ON tombstone (at)",
    # Kept by triggers, so that the cap costs one row to check, not a scan.
    """CREATE TABLE usage (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        row_count INTEGER NOT NULL,
        size_bytes INTEGER NOT NULL,
        stored_bytes INTEGER NOT NULL
    )""",
    "INSERT INTO usage VALUES (1, 0, 0, 0)",
    """CREATE TRIGGER original_added AFTER INSERT ON original BEGIN
        UPDATE usage SET row_count = row_count + 1,
            size_bytes = size_bytes + new.size_bytes,
            stored_bytes = stored_bytes + new.stored_bytes;
    END""",
    """CREATE TRIGGER original_resized AFTER UPDATE OF stored_bytes ON original BEGIN
        UPDATE usage SET stored_bytes =
            stored_bytes - old.stored_bytes + new.stored_bytes;
    END""",
    """CREATE TRIGGER original_removed AFTER DELETE ON original BEGIN
        DELETE FROM body WHERE id = old.id;
        DELETE FROM note WHERE id = old.id;
        DELETE FROM pin WHERE id = old.id;
        UPDATE usage SET row_count = row_count - 1,
            size_bytes = size_bytes - old.size_bytes,
            stored_bytes = stored_bytes - old.stored_bytes;
    END""",
    """CREATE TABLE event (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        counter TEXT NOT NULL,
        tokens_raw INTEGER NOT NULL,
        tokens_out INTEGER NOT NULL,
        at REAL NOT NULL,
        key TEXT NOT NULL,
        frontend TEXT NOT NULL,
        command TEXT NOT NULL,
        content_type TEXT NOT NULL,
        transform TEXT NOT NULL,
        version INTEGER NOT NULL,
        proof TEXT NOT NULL,
        tier TEXT NOT NULL,
        reason TEXT NOT NULL,
        overhead INTEGER NOT NULL,
        blocks TEXT NOT NULL,
        config TEXT NOT NULL,
        exit_code INTEGER,
        elapsed_ms REAL NOT NULL,
        detail TEXT NOT NULL
    )""",
    "CREATE INDEX event_at ON event (at)",
    "CREATE INDEX event_key ON event (key)",
    "CREATE INDEX event_kind ON event (kind, at)",
    # One row that `problem` rewrites to see whether writing works.
    "CREATE TABLE probe (id INTEGER PRIMARY KEY CHECK (id = 1), at REAL NOT NULL)",
)

STEPS: tuple[tuple[str, ...], ...] = (_FIRST,)
LATEST = len(STEPS)
