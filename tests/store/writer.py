"""Run as a process: put texts and print each handle once it is acknowledged.

    python writer.py STORE SEED COUNT [FILE_SIZE_LIMIT]

Text n of a seed is ``text(seed, n)``. At an error its message is the last line.
"""

from __future__ import annotations

import random
import sys


def text(seed: int, n: int) -> bytes:
    """About 4 KB that hardly compress."""
    return b"%d %d\n" % (seed, n) + random.Random(f"{seed} {n}").randbytes(4_000)


def main(path: str, seed: int, count: int, file_size_limit: int = 0) -> int:
    from tersely.errors import StoreError
    from tersely.store import Note, open_store

    if file_size_limit:
        import resource

        limits = (file_size_limit, file_size_limit)
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    store = open_store(path, clock=lambda: 1.9e9)
    for n in range(count):
        try:
            print(store.archive.put(text(seed, n), Note()), flush=True)
        except StoreError as error:
            print(error, flush=True)
            return 1
    store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
