"""`grashof reference`."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grashof.cli.console import Activity, echo, print_facts, print_json
from grashof.cli.linearised import is_linear, reference_linear
from grashof.cli.options import Json, Settings, Variant, settings
from grashof.common.errors import ModelError

if TYPE_CHECKING:
    from rich.text import Text

    from grashof.references.reference import Agreement, Reference


def reference(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A benchmark problem; `grashof list` shows them.")],
    variant: Variant = None,
    given: Settings = None,
    times: Annotated[
        str | None, typer.Option(metavar="T1,T2,…", help="Times in s, increasing; the official ones by default.")
    ] = None,
    again: Annotated[
        bool,
        typer.Option(
            "--recompute", help="Repeat both derivations (seconds to minutes) and compare with the stored reference."
        ),
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="File for columns, error bars and provenance: .csv, .txt or .json.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Prints, exports or recomputes a problem's certified reference solution: the official columns with error bars.

    Examples: `grashof reference andrews --out andrews.csv`, `grashof reference n-four-bar --set N=7 --times 1,2.5
    --recompute`
    """
    chosen = _numbers(times)
    parameters = settings(given)
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.problems import make_case, make_linear
        from grashof.references import check_target, recompute, reference_for, save_reference

        if out is not None:
            check_target(out)
        if is_linear(name, times=times):
            return reference_linear(make_linear(name, variant, parameters), out, as_json)
        case = make_case(name, variant, parameters)
        stored = reference_for(case)
        if again:
            found = recompute(case, case.times(case.t_end) if chosen is None else chosen, say.progress)
        elif stored is None:
            raise ModelError(f"No reference of '{name}' is stored for these parameters; derive one with --recompute.")
        else:
            found = stored if chosen is None else stored.at(chosen)
        units = {column.name: column.unit for column in case.columns if column.name != "t"}
        if out is not None:
            save_reference(found, out, units)
    agreement = stored.against(found) if again and stored is not None else None
    if agreement is not None and not agreement.times:
        agreement = None  # without common times there is nothing to compare
    if as_json:
        print_json(found.as_dict() | {"units": units, "stored": None if agreement is None else asdict(agreement)})
    else:
        _print(found, units, agreement)
        if out is not None:
            echo(f"wrote {out}")
    return 0 if agreement is None or agreement.within else 1


def _numbers(text: str | None) -> list[float] | None:
    if text is None:
        return None
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ModelError(f"--times is '{text}'; write numbers with commas between them, such as 1,2.5.") from None


def _print(found: Reference, units: dict[str, str], agreement: Agreement | None) -> None:
    moments = found.times
    parameters = "".join(f", {key} = {value:g}" for key, value in found.parameters.items())
    holds = f"at least 6 digits until t = {found.until:g} s"
    facts: list[tuple[str, str | Text]] = [
        ("reference", f"{found.problem}, {found.variant}{parameters}"),
        ("times", f"{len(moments)} from {moments[0]:g} s to {moments[-1]:g} s; {holds}"),
    ]
    then = " until then" if moments[0] <= found.until else ""
    for name, values in found.columns.items():
        digits, bar = found.digits(name), found.bars[name][-1]
        sure = f"± {bar:.1e} {units[name]}" if math.isfinite(bar) else f"{units[name]} (no certain digits)"
        certain = "; exact" if digits == math.inf else f"; {digits:.1f} digits of its largest magnitude{then}"
        facts.append((name, f"{values[-1]:.17g} {sure} at {moments[-1]:g} s{certain if digits > 0.0 else ''}"))
    facts += [("provenance" if k == 0 else "", sentence) for k, sentence in enumerate(found.provenance)]
    if agreement is not None:
        words = ", ".join(f"{name} {x:.1e} {units[name]}" for name, x in agreement.difference.items())
        verdict = "all within" if agreement.within else "NOT all within"
        facts.append(
            ("stored", f"differs at {agreement.times} common times by at most {words}: {verdict} the error bars")
        )
    print_facts(facts)
