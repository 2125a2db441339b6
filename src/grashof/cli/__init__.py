"""The command line; `grashof --help` lists its commands.

Exit codes: 0 all is well; 1 the run failed, its rule is not met, or nobody reads what is printed; 2 bad input, said in one
sentence on standard error; 130 interrupted. Everything heavy is imported inside the commands, so that `grashof --help` is quick.
"""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main() -> None:
    """The entry point of `grashof`."""
    try:
        from grashof.cli.app import app

        app()
    except KeyboardInterrupt:  # before the commands are there to deal with it
        sys.exit(INTERRUPTED)
