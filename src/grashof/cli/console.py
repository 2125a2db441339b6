"""Progress reports on standard error, and the printing of results."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
import threading
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console
    from rich.progress import Progress
    from rich.text import Text

    from grashof.common.progress import Part

_RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a terminal interprets instead of showing, that change the text direction, or have no encoding."""

PATIENCE = 1.0
"""The delay before progress is shown on a terminal, s; it is twice as long in a log."""


class Activity:
    """Reports progress on standard error, once a command has taken longer than a second.

    On a terminal, this is a line with a progress bar that vanishes at the end; elsewhere it is a line of text per
    activity, or nothing if standard output is meant for a program (`quiet`).
    """

    def __init__(self, quiet: bool = False) -> None:
        self._stream = sys.stderr
        self._terminal = self._stream.isatty()
        self._silent = quiet and not self._terminal
        self._lock = threading.Lock()
        self._timer = threading.Timer(PATIENCE if self._terminal else 2.0 * PATIENCE, self._appear)
        self._timer.daemon = True
        self._now: tuple[str, float | None, str] = ("starting", None, "")
        self._shown = False
        self._bar: Progress | None = None

    def __enter__(self) -> Activity:
        if not self._silent:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            self._silent = True
            if self._bar is not None:
                self._bar.stop()

    def __call__(self, activity: str, part: float | None = None, detail: str = "") -> None:
        """Reports a new activity, or progress of the current one; the detail is shown on terminals only."""
        with self._lock:
            changed = activity != self._now[0]
            self._now = (activity, part, detail)
            if self._shown:
                self._tell(changed)

    def progress(self, part: Part) -> None:
        """The same, as a callback for long computations."""
        self(part.doing, float(part) or None, part.detail)

    def _appear(self) -> None:
        with self._lock:
            if self._silent:
                return
            if self._terminal:
                from rich.console import Console
                from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

                columns = (
                    SpinnerColumn(),
                    TextColumn("{task.description}", markup=False),
                    BarColumn(),
                    TextColumn("{task.fields[detail]}", markup=False),
                )
                self._bar = Progress(*columns, console=Console(file=self._stream), transient=True)
                self._bar.add_task("", total=None, detail="")
                self._bar.start()
            self._shown = True
            self._tell(changed=True)

    def _tell(self, changed: bool) -> None:
        activity, part = escape_text(self._now[0]), self._now[1]
        if self._bar is not None:
            self._bar.update(
                self._bar.task_ids[0],
                description=activity,
                total=None if part is None else 1.0,
                completed=part or 0.0,
                detail=escape_text(self._now[2]),
            )
        elif changed:
            print(f"grashof: {activity} …", file=self._stream, flush=True)


def escape_text(text: str) -> str:
    """The text made safe for a terminal: names and files cannot move the cursor or change colours.

    >>> escape_text("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    return _RAW.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def echo(text: str, *, err: bool = False) -> None:
    """Prints lines of text on standard output, or on standard error."""
    print(escape_text(text), file=sys.stderr if err else sys.stdout, flush=True)


def console() -> Console:
    """Standard output, as wide as the terminal or COLUMNS, or else wide enough for tables; names are printed
    literally."""
    from rich.console import Console

    class Plain(Console):
        def render_str(self, text: str, **options: Any) -> Text:
            return super().render_str(escape_text(text), **options)

    return Plain(highlight=False, markup=False, emoji=False, width=None if _width_is_known() else 120)


def _width_is_known() -> bool:
    return sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdecimal()


def print_report(text: str) -> None:
    """Prints a report; if the width of the screen is known, long lines are wrapped, with an indent."""
    if not _width_is_known():
        echo(text)
        return
    width = shutil.get_terminal_size().columns
    for line in text.splitlines():
        indent = " " * (len(line) - len(line.lstrip()))
        lines = textwrap.TextWrapper(width, indent, f"{indent}  ", break_long_words=False, break_on_hyphens=False)
        echo(lines.fill(line.strip()))


def print_json(data: dict[str, Any]) -> None:
    """Prints one JSON object, with numbers in full precision; refuses NaN and infinity."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(data, ensure_ascii=not unicode, indent=2, allow_nan=False)
    # JSON does not escape some characters that a terminal interprets
    sys.stdout.write(_RAW.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")
    sys.stdout.flush()  # a closed pipe is noticed here, and not when Python exits, where it cannot be handled


class Answer(Protocol):
    """What a question returns: a report as its text, and plain data."""

    def as_dict(self) -> dict[str, Any]: ...


def print_answer(found: Answer, as_json: bool, *written: Path | None) -> None:
    """Prints an answer as JSON, or as a report that ends with the files that were written."""
    if as_json:
        print_json(found.as_dict())
        return
    print_report(str(found))
    for path in written:
        if path is not None:
            echo(f"wrote {path}")


def list_values(heading: str, sentences: Sequence[str]) -> list[tuple[str, str]]:
    """Sentences as facts with one name."""
    return [(heading if k == 0 else "", sentence) for k, sentence in enumerate(sentences)]


def print_facts(facts: Iterable[tuple[str, str | Text]]) -> None:
    """Prints names and their descriptions as aligned lines."""
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, fact in facts:
        table.add_row(name, fact)
    console().print(table)
