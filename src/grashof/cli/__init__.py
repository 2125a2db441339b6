"""The command line; `grashof --help` lists its commands.

Exit codes: 0 all is well; 1 the run failed, its rule is not met, or the reader of the output is gone; 2 bad input, reported in one
sentence on standard error, or a result file that cannot be judged; 130 interrupted. Everything heavy is imported inside the
commands, so that `grashof --help` is quick.
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
    except KeyboardInterrupt:  # before the commands are there to deal with it
        sys.exit(INTERRUPTED)


def _prepare_streams() -> None:
    """Makes the standard streams accept everything that is printed, whatever their encoding, even if the parent process has closed them."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if (
            getattr(sys, name) is None
        ):  # nor must its number become that of another file, which libraries would print to
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
