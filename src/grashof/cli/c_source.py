"""`grashof c`, and the options of all commands that write a mechanism for other programs to simulate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, echo
from grashof.cli.options import Tolerance, check_folder, time_option, tolerance
from grashof.common.errors import ModelError

Parameters = Annotated[
    list[str] | None,
    typer.Option("--parameter", metavar="NAME", help="A number that can be set before a motion, such as crank.length."),
]
Inputs = Annotated[
    list[str] | None,
    typer.Option("--input", metavar="NAME", help="A number that can be set during a motion, such as drive.torque."),
]
Outputs = Annotated[
    list[str] | None,
    typer.Option("--output", metavar="QUANTITY", help="A quantity that is computed, such as rod.end.x."),
]
End = Annotated[
    float | None,
    time_option("--t-end", "Until when laws of time are known; the problem's own end by default, and 10 s for a file."),
]


@about_a_mechanism
def c_source(
    chosen: Chosen,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file, which ends in .c; a header is written beside it.")
    ] = None,
    tol: Tolerance = None,
    t_end: End = None,
    parameters: Parameters = None,
    inputs: Inputs = None,
    outputs: Outputs = None,
) -> int:
    """Writes a mechanism as C source: one file and a header, without dependencies.

    Examples: `grashof c crank.toml`, `grashof c andrews -o out/andrews.c --input drive.torque --output OF.angle`
    """
    if out is not None and out.suffix.lower() != ".c":
        raise ModelError(f"--out is {out}; name a file that ends in .c.")
    with Activity() as say:
        say("loading")
        from grashof.portable.export import export
        from grashof.portable.make import identifier

        case, model = chosen.case_and_model()
        path = out or Path(f"{identifier(Path(chosen.subject).stem)}.c")
        check_folder("--out", path.parent)
        say(f"compiling {model.name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        export(
            case or model,
            path,
            t_end=t_end,
            parameters=parameters,
            inputs=inputs or (),
            outputs=outputs,
            tol=tolerance(tol),
        )
    echo(f"Wrote {path} and {path.with_suffix('.h')}.")
    return 0
