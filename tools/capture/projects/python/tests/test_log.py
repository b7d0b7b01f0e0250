import logging
import sys

log = logging.getLogger("shop")


def test_logs_and_fails(caplog):
    for n in range(6):
        log.warning("retrying request %d", n)
    print("to stdout: basket 42")
    print("to stderr: basket 43", file=sys.stderr)
    raise ConnectionRefusedError("payment gateway said no")
