"""Texts and tables as HTML, in the style of the notebook that displays them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

MOST = 40
"""The largest number of rows of a table that are shown; the rest are only counted."""


def report_html(text: str) -> str:
    """A report in words: its first line is emphasised, and indented lines stay indented.

    >>> report_html("four-bar: 1 degree of freedom.\\n  a < b")
    '<p><strong>four-bar: 1 degree of freedom.</strong></p><p style="margin-left: 1em">a &lt; b</p>'
    """
    first, *rest = text.splitlines() or [""]
    lines = [f"<p><strong>{escape(first)}</strong></p>"]
    for line in rest:
        depth = (len(line) - len(line.lstrip())) // 2
        indent = f' style="margin-left: {depth}em"' if depth else ""
        lines.append(f"<p{indent}>{escape(line.strip())}</p>")
    return "".join(lines)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], total: int | None = None) -> str:
    """A table whose first column names its rows; a long table is cut, with a note of how many rows follow.

    total   the number of rows, if not all are given

    >>> table(["joint", "force [N]"], [["pin", "3.5"]])[:48]
    '<table><thead><tr><th scope="col">joint</th><th '
    """
    count = len(rows) if total is None else total
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in row[1:])}</tr>'
        for row in rows[:MOST]
    )
    more = f"<p>and {count - min(len(rows), MOST):,} more rows</p>" if count > min(len(rows), MOST) else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
