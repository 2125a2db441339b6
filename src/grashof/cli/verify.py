"""`grashof verify`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grashof.cli.console import Activity, list_values, print_facts, print_json
from grashof.cli.linearised import is_linear, verify_linear
from grashof.cli.options import Json, Settings, Variant, positive, settings
from grashof.common.wording import count_of

if TYPE_CHECKING:
    from rich.text import Text

    from grashof.judge import Assessment
    from grashof.judge.levels import Levels

CANNOT_BE_JUDGED = 2


def verify(
    name: Annotated[str, typer.Argument(metavar="PROBLEM", help="A benchmark problem; `grashof list` shows them.")],
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A result file of any tool: text or gzipped text; - is standard input."),
    ],
    variant: Variant = None,
    given: Settings = None,
    wait: Annotated[float, typer.Option("--wait", help="Seconds to wait for data from a pipe.")] = 60.0,
    as_json: Json = False,
) -> int:
    """Judges a result file by the problem's rule and against its certified reference.

    Exit code 0: the file passes, that is, it agrees with the reference and fails no other check that applies (the
    energy balance of the rule, the joint equations). 1: it does not pass. 2: it could not be judged, because it cannot
    be read or contains nothing to compare.
    Units in the header are converted: `x_F [mm]`, `x_F (mm)`, `x_F/mm`.

    Examples: `grashof verify andrews results.txt`, `my-tool | grashof verify n-four-bar - -p N=40 --json`
    """
    positive("--wait", wait)
    with Activity(quiet=as_json) as say:
        say(f"reading {file}")
        from grashof.judge import assess, read_table
        from grashof.problems import make_case, make_linear

        if is_linear(name):
            return verify_linear(make_linear(name, variant, settings(given)), file, as_json)
        case = make_case(name, variant, settings(given))
        table = read_table(file, case, wait)
        say("judging")
        found = assess(case, table.columns, table.lines)
    if as_json:
        print_json({"file": str(file), **found.as_dict(), "reading": list(table.remarks)})
    else:
        print_facts(_facts(found, file, table.remarks))
    return {True: 0, False: 1, None: CANNOT_BE_JUDGED}[found.verdict]


def _facts(found: Assessment, file: Path, reading: tuple[str, ...]) -> list[tuple[str, str | Text]]:
    """The assessment, line by line."""
    name = f"{found.problem}, {found.variant}" + "".join(f", {key} = {x:g}" for key, x in found.parameters.items())
    facts: list[tuple[str, str | Text]] = [
        ("file", f"{file}: {count_of(found.rows, 'row')}"),
        ("problem", name),
        ("verdict", _word(found.verdict, "PASSES", "DOES NOT PASS", "")),
        ("rule", _rule(found)),
        ("", f"{found.rule.definition}."),
        ("reference", _agreement(found)),
    ]
    if found.comparison is not None:
        digits = ", ".join(f"{column} {x:.1f}" for column, x in found.digits.items())
        where = f", at {count_of(found.comparison.official, 'official time')}" if found.comparison.official else ""
        facts += [("", f"{found.comparison.definition}."), ("digits", digits + where)]
    if found.levels is not None:
        facts += [("level", _level(found.levels)), ("", f"{found.levels.definition}.")]
    if found.violations.largest:
        facts += [("joints", _joints(found)), ("", f"{found.violations.definition}.")]
    facts += [("branch", _branch(found)), ("", f"{found.branch.definition}.")]
    facts.append(("missing", ", ".join(found.missing) or "no official column"))
    facts += list_values("hint", found.suspicions)
    facts += list_values("remark", (*reading, *found.remarks))
    return facts


def _rule(found: Assessment) -> Text:
    if found.passes is None:
        return _word(None, "", "", f": {found.rule.not_judged}")
    return _word(found.passes, "PASSED", "NOT PASSED", "" if found.error is None else f": {found.error:.3g} J")


def _word(outcome: bool | None, yes: str, no: str, more: str) -> Text:
    from rich.text import Text

    if outcome is None:
        return Text.assemble(("NOT JUDGED", "bold yellow"), more)
    return Text.assemble((yes, "bold green") if outcome else (no, "bold red"), more)


def _agreement(found: Assessment) -> Text:
    deviation = "" if found.deviation is None else f": largest deviation {found.deviation:.1e}"
    departed = "" if found.departed is None else f", from t = {found.departed:g} s on"
    return _word(found.agrees, "AGREES", "DOES NOT AGREE", deviation + departed)


def _level(levels: Levels) -> Text:
    if levels.reached is None:
        return _word(None, "", "", ": not all rows or columns are there")
    return _word(levels.reached != "none", levels.reached.upper(), "NONE", f": {levels.difference:.1e}")


def _joints(found: Assessment) -> Text:
    largest = ", ".join(
        f"{name} {x:.1e} of {found.violations.allowed[name]:.1e}" for name, x in found.violations.largest.items()
    )
    return _word(found.violations.hold, "HOLD", "DO NOT HOLD", f": {largest} allowed")


def _branch(found: Assessment) -> Text:
    left = "" if found.branch.left is None else f": on another one from t = {found.branch.left:g} s on"
    return _word(found.branch.kept, "KEPT", "LEFT", left)
