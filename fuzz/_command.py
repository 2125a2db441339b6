"""The command line, run inside this process."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence

from typer.main import get_command

from fuzz import finding
from grashof.cli.app import app

COMMANDS = get_command(app)
"""Created once, because that takes longer than many cases."""


def of_command(arguments: Sequence[str], what: str) -> str | None:
    """The fault of a command that may only exit with 0, 1 or 2 and must print clean text, as a sentence."""
    out = io.StringIO()

    def call() -> None:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = COMMANDS(list(arguments), standalone_mode=False)
        if code not in (0, 1, 2):
            raise ValueError(f"exit code {code}")
        raw = sorted({sign for sign in out.getvalue() if ord(sign) < 32 or 127 <= ord(sign) < 160} - {"\n"})
        if raw:
            raise ValueError(f"control characters {raw} in {out.getvalue()[:300]!r}")
        if code == 2 and not out.getvalue().strip():
            raise ValueError("exit code 2 without a word")

    return finding(call, what)
