"""Published results made again: the command that an author states is run, and what it gives is compared with what was
published."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from grashof._version import __version__
from grashof.bench.entries import Reproduction
from grashof.bench.isolation import CommandRun, Limits, run_command
from grashof.bench.process import end_of
from grashof.bench.store import Published
from grashof.common.errors import ModelError
from grashof.common.wording import count_of, plain_line
from grashof.judge import AGREES, assess, read_table
from grashof.judge.comparison import scales
from grashof.judge.expected import SAME, reference_of
from grashof.judge.reading import ResultTable
from grashof.problems import Case

PART = 0.1
"""A result is made again if it differs from the published one by at most this part of the deviation of that from the
reference: the two then have the same errors, to about a digit."""

LONGEST = 300
"""Characters of a sentence that is kept."""

LEAST = 1e-9
"""Differences up to this are never counted: other processors and libraries round otherwise."""


def reproduce(published: Published, file: bytes, limits: Limits, *, isolated: bool) -> Reproduction:
    """Runs the command of a published result, whose file is given, gzip, and compares what it gives."""
    if not published.command:
        raise ModelError(f"The author of result '{published.id}' does not state the command that made it.")
    run = run_command(published.command, limits, isolated=isolated)
    difference, sentence = None, _failure(run, limits)
    reproduced = False
    if not sentence:
        reproduced, difference, sentence = _compare(published, file, run.output)
    made = datetime.now(UTC).isoformat(timespec="seconds")
    return Reproduction(
        made, reproduced, plain_line(sentence)[:LONGEST], difference, run.seconds, isolated, __version__
    )


def _failure(run: CommandRun, limits: Limits) -> str:
    """Why there is nothing to compare; empty if there is something."""
    if run.code is None:
        return f"It was ended after {limits.seconds:g} s."
    if run.code:
        return f"{end_of(run.code)} {run.words}".rstrip()
    if not run.output:
        return f"It wrote nothing on its standard output. {run.words}".rstrip()
    return ""


def _compare(published: Published, file: bytes, output: bytes) -> tuple[bool, float | None, str]:
    """Whether an output is the published result, the largest difference, and both in words."""
    case = published.subject.case()
    if output[:2] == b"\x1f\x8b":
        return False, None, "Its output is compressed; it must be text."  # whose size is limited
    with tempfile.TemporaryDirectory(prefix="grashof-") as folder:
        first, again = Path(folder) / "published", Path(folder) / "output"
        first.write_bytes(file)
        again.write_bytes(output)
        before = read_table(first, case)
        try:
            after = read_table(again, case)
            verdict = assess(case, after.columns, after.lines)
        except ModelError as problem:
            return False, None, f"Its output cannot be judged: {str(problem).replace(str(again), 'the output')}"
    told = published.verdict.get("rule") or {}, published.verdict.get("reference") or {}
    deviation = told[1].get("deviation")
    limit = max(LEAST, PART * (deviation if deviation is not None else AGREES))
    difference, sentence = _difference(case, before, after, limit)
    for words, said, found in (
        (("does not pass the rule", "passes the rule"), told[0].get("passes"), verdict.passes),
        (("does not agree with the reference", "agrees with the reference"), told[1].get("agrees"), verdict.agrees),
    ):
        if not sentence and bool(said) != bool(found):
            sentence = f"Its output {words[bool(found)]}, the published result {words[bool(said)]}."
    if sentence:
        return False, difference, sentence
    return True, difference, f"No value differs by more than {difference:.1e} of its column ({limit:.1e} are allowed)."


def _difference(case: Case, before: ResultTable, after: ResultTable, limit: float) -> tuple[float | None, str]:
    """The largest difference, relative to the size of its column, and what is wrong with it; empty if nothing is."""
    t, again = before.columns["t"], after.columns["t"]
    if t.shape != again.shape:
        return None, f"Its output has {count_of(len(again), 'row')}, the published file {len(t)}."
    if not np.all(np.abs(t - again) <= SAME * case.step):
        return None, "Its output has rows at other times than the published file."
    reference = reference_of(case)
    names = [name for name in scales(reference) if name in before.columns]
    missing = [name for name in names if name not in after.columns]
    if missing or not names:
        return None, f"Its output lacks {', '.join(missing)}." if missing else "Nothing can be compared."
    sure = t <= reference.until * (1.0 + SAME)
    apart = [np.abs(before.columns[name] - after.columns[name])[sure] / scales(reference)[name] for name in names]
    far = np.where(np.isfinite(apart), apart, np.inf)
    column, row = np.unravel_index(int(np.argmax(far)), far.shape)
    largest = float(far[column, row])
    if largest <= limit:
        return largest, ""
    where = f"{names[int(column)]} differs by {largest:.1e} of its size at t = {t[sure][row]:g} s"
    return largest if np.isfinite(largest) else None, f"{where}, where {limit:.1e} are allowed."
