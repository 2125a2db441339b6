"""`grashof links`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, echo, print_report
from grashof.cli.options import Outlines, Width, check_folder, outlines_given


@about_a_mechanism
def links(
    chosen: Chosen,
    out: Annotated[Path, typer.Option(help="The file: .dxf for a drawing, .stl for solids.")],
    width: Width = None,
    outlines: Outlines = None,
    holes: Annotated[
        str | None, typer.Option("--holes", metavar="LENGTH", help="The diameter of holes for pins, such as '6 mm'.")
    ] = None,
    thickness: Annotated[
        str | None, typer.Option("--thickness", metavar="LENGTH", help="The thickness of the plates, for .stl.")
    ] = None,
    assembled: Annotated[
        bool, typer.Option("--assembled", help="Place the links as in the mechanism, and not side by side.")
    ] = False,
    curves: Annotated[
        list[str] | None,
        typer.Option("--curve", metavar="POINT", help="A point of a linkage whose curve is drawn too, such as rod.P."),
    ] = None,
    unit: Annotated[str, typer.Option("--unit", help="The unit of the file: mm, cm, m or in.")] = "mm",
) -> int:
    """Writes the links of a planar mechanism as plates with holes for their pins, for CAD, cutting and printing.

    Examples: `grashof links four-bar --width "40 mm" --holes "8 mm" --out links.dxf`, `grashof links crank.toml --width
    "20 mm" --thickness "5 mm" --out links.stl`
    """
    check_folder("--out", out.absolute().parent)
    with Activity() as say:
        say("loading")
        from grashof.portable.links import links as find

        model = chosen.model()
        found = find(model, outlines_given(outlines), width=width, holes=holes)
        drawn = {}
        if curves:
            from grashof.questions.linkage import linkage

            say(f"following {model.name}")
            way = linkage(model)
            drawn = {name: way.curve(name, 400) for name in curves}
        found.save(out, thickness=thickness, assembled=assembled, curves=drawn, unit=unit)
    print_report(str(found))
    echo(f"wrote {out}")
    return 0
