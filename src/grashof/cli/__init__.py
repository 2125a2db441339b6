"""The command line; `grashof --help` lists its commands.

Exit codes: 0 success; 1 the run failed, its rule is not met, or the reader of the output has closed the pipe; 2 bad
input, reported in one sentence on standard error, or a result file that cannot be judged; 130 interrupted. Everything
that is slow to import is imported inside the commands, so that `grashof --help` is quick.
"""

from __future__ import annotations

import io
import os
import sys

INTERRUPTED = 130


def main() -> None:
    """The entry point of `grashof`."""
    try:
        _prepare_streams()
        from grashof.cli.app import app

        app()
    except KeyboardInterrupt:  # before the commands have been imported, which handle it
        sys.exit(INTERRUPTED)


def _prepare_streams() -> None:
    """Makes the standard streams accept all output in any encoding, even if the parent process has closed them."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # no other file may get its number, to which libraries would then print
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
