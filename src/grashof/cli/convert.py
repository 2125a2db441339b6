"""`grashof convert`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grashof.cli.c_source import End, Inputs, Outputs, Parameters
from grashof.cli.console import Activity, echo, print_json
from grashof.cli.options import AllowCode, Json, Reading, Settings, Strict, Tolerance, Variant, case_or_model, tolerance
from grashof.common.errors import ModelError


def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="A mechanism's file of any format, or a benchmark problem.")
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write; its suffix selects the format.")],
    variant: Variant = None,
    given: Settings = None,
    allow_code: AllowCode = False,
    strict: Strict = False,
    reading: Reading = None,
    tol: Tolerance = None,
    t_end: End = None,
    parameters: Parameters = None,
    inputs: Inputs = None,
    outputs: Outputs = None,
    fmi: Annotated[
        str | None, typer.Option("--fmi", help="Version of the FMI standard: 3.0 or 2.0. [default: 3.0]")
    ] = None,
    as_json: Json = False,
) -> int:
    """Converts a mechanism from one file format to another; the file extensions select the formats.

    The options --tol, --t-end, --parameter, --input, --output and --fmi are for functional mock-up units (.fmu) and,
    except for the last one, for C source (.c).

    Examples: `grashof convert model.osim crank.toml`, `grashof convert crank.toml crank.osim --strict`, `grashof
    convert andrews andrews.osim`, `grashof convert crank.toml crank.fmu --input drive.torque`
    """
    portable = target.suffix.lower() in (".fmu", ".c")
    given_options = {"--tol": tol, "--t-end": t_end, "--parameter": parameters, "--input": inputs, "--output": outputs}
    useless = [name for name, value in {**given_options, "--fmi": fmi}.items() if value is not None]
    if useless and not portable:
        raise ModelError(f"{useless[0]} has no meaning for {target}; it belongs to files that end in .fmu or .c.")
    with Activity(quiet=as_json) as say:
        say(f"reading {source}")
        from grashof.exchange import save_file

        not_read: list[str] = []
        case, model = case_or_model(source, variant, given, allow_code, strict, not_read, reading)
        say(f"writing {target}")
        not_written: tuple[str, ...] = ()
        if portable:
            from grashof.portable.export import export

            chosen = {"parameters": parameters, "inputs": inputs or (), "outputs": outputs}
            export(case or model, target, t_end=t_end, tol=tolerance(tol), version=fmi or "3.0", **chosen)  # type: ignore[arg-type]
        else:
            not_written = save_file(model, target, strict=strict)
    if as_json:
        facts = {
            "from": source,
            "to": str(target),
            "name": model.name,
            "not_read": not_read,
            "not_written": list(not_written),
        }
        print_json(facts)
        return 0
    for sentence in not_read:
        echo(f"not read: {sentence}")
    for sentence in not_written:
        echo(f"not written: {sentence}")
    echo(f"wrote {target}")
    return 0
