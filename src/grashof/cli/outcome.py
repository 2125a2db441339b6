"""A judged run in words, and as files in a folder."""

from __future__ import annotations

import json
from pathlib import Path

from rich.text import Text

from grashof.cli.console import Activity, print_facts
from grashof.common.wording import seconds
from grashof.common.writing import write_atomically
from grashof.judge.verdict import VerdictOutcome
from grashof.reports.words import agreement_in_words, branch_in_words, verdict_in_words, work_in_words
from grashof.show.tables import official_text


def colored_verdict(outcome: VerdictOutcome) -> Text:
    """The verdict in words, in green or red."""
    word, rest = verdict_in_words(outcome)
    return Text.assemble((word, "bold green" if outcome.passed else "bold red"), rest)


def print_outcome(outcome: VerdictOutcome) -> None:
    """Prints all results of the run on standard output."""
    case, run = outcome.case, outcome.run
    system = run.program.system
    name = f"{case.problem}, {case.variant}" + "".join(f", {key} = {x:g}" for key, x in case.parameters.items())
    error = "none" if outcome.error is None else f"{outcome.error:.3g} J"
    position, velocity = ("none" if x is None else f"{x:.1e}" for x in outcome.violation)
    finals = ", ".join(f"{key} = {'none' if x is None else f'{x:.12g}'}" for key, x in outcome.final.items())
    facts: list[tuple[str, str | Text]] = [
        ("problem", f"{name}: {outcome.t_end:g} s at tolerance {outcome.tol:g}"),
        ("assembly", str(run.assembly).partition("\n")[0]),
        ("status", str(run.status)),
        ("error", f"{error}: {case.error_text}, at the official times and at every step"),
        ("bound", f"{case.bound:g} J"),
        ("verdict", colored_verdict(outcome)),
        ("reference", agreement_in_words(outcome)),
        (
            "CPU time",
            f"{seconds(outcome.cpu_s)} integration (best of {outcome.repeat}), {seconds(run.output_s)} output; "
            f"wall: {seconds(outcome.compile_s)} "
            f"{'loading machine code from the cache' if run.program.from_cache else 'compiling'}, "
            f"{seconds(run.program.assemble_s)} assembling",
        ),
        ("method", str(run.method)),
        ("work", work_in_words(run.steps)),
        (
            "mechanism",
            f"degrees of freedom: {outcome.dof}, coordinates: {system.n}, equations: {system.m}, "
            f"redundant joint equations as modelled: {outcome.redundant}",
        ),
        ("branch", branch_in_words(run.program)),
        ("violation", f"position {position} m, velocity {velocity} m/s at most, in the joints of rigid bodies"),
        ("final", finals),
    ]
    facts += [("note" if number == 0 else "", note) for number, note in enumerate(case.notes)]
    print_facts(facts)


def write_outcome(outcome: VerdictOutcome, folder: Path, say: Activity) -> list[Path]:
    """Writes the official text, the figures, a drawing and `run.json`; returns the files written.

    For an incomplete run, it writes a text and a JSON file with `partial` in their names, and no pictures.
    """
    say(f"writing to {folder}")
    folder.mkdir(parents=True, exist_ok=True)
    case, run = outcome.case, outcome.run
    whole = run.status.ok
    mark = "" if whole else ".partial"
    warning = "" if whole else f"# PARTIAL. {run.status}\n"
    written = [folder / f"{case.problem}{mark}.txt", folder / f"run{mark}.json"]
    write_atomically(written[0], warning + official_text(case, run))
    if whole:
        from grashof.show.drawing import draw
        from grashof.show.files import save_figure
        from grashof.show.plots import figure_of

        for number, figure in enumerate(case.figures, 1):
            written.append(folder / f"figure-{number}.png")
            save_figure(figure_of(case, run, figure), written[-1])
        written.append(folder / "mechanism.png")
        save_figure(draw(run), written[-1])
    # written last: if it exists, the other files are complete
    write_atomically(written[1], json.dumps(outcome.as_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    return written
