"""Options shared by several commands, and how their values are parsed."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grashof.cli.console import echo
from grashof.common.errors import ModelError, did_you_mean

if TYPE_CHECKING:
    from grashof.exchange import Choices
    from grashof.model.model import Model
    from grashof.problems import Case


def above_zero(option: str) -> Callable[[float | None], float | None]:
    """The callback of an option that refuses a value that is not finite and positive."""

    def check(value: float | None) -> float | None:
        positive(option, value)
        return value

    return check


def time_option(name: str, about: str, *, signed: bool = False) -> Any:
    """An option whose value is a time in s, which may have a unit: "2.5", "500 ms"; above zero unless `signed`."""

    def read_seconds(text: str | float) -> float:
        from grashof.model.units import si

        try:
            return float(text)
        except ValueError:
            pass
        try:
            return si("it", str(text), "s")
        except ModelError as problem:
            raise typer.BadParameter(str(problem)) from problem

    callback = None if signed else above_zero(name)
    return typer.Option(name, parser=read_seconds, metavar="TIME", help=about, callback=callback)


Subject = Annotated[
    str,
    typer.Argument(
        metavar="NAME|FILE",
        help="The file of a mechanism (.toml, .osim, MJCF, URDF, SDF), or the name of a mechanism of the gallery or "
        "of a benchmark problem.",
    ),
]
Picture = Annotated[Path | None, typer.Option("--plot", help="Write a picture to this file: .png, .svg or .pdf.")]
Variant = Annotated[
    str | None, typer.Option("--variant", help="Variant of the problem; the first one listed by default.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        "-p",
        metavar="NAME=NUMBER",
        help="Set a parameter of a problem, such as N=40, or any number of a mechanism, such as crank.length=0.2 or "
        "crank.length='200 mm'. May be repeated.",
    ),
]
Tolerance = Annotated[
    float | None,
    typer.Option(
        "--tol",
        callback=above_zero("--tol"),
        help="Largest error over the whole run, relative to the mechanism's length, speed and energy. [default: 1e-06]",
    ),
]
Method = Annotated[
    str,
    typer.Option(
        "--method",
        help="Integration method: auto, dop853, verner9, bs5, dopri5, rk4, rodas5p, radau5, radau9 or radau13.",
    ),
]
Step = Annotated[
    float | None,
    time_option("--step", "Step size in s for rk4, which takes fixed steps. [default: a thousandth of the run]"),
]
JointsAlone = Annotated[
    bool,
    typer.Option(
        "--joints-alone",
        help="Use the equations of the joints alone, without those that are found to hold along the motion "
        "(docs/branches.md).",
    ),
]
Fit = Annotated[
    float | None,
    typer.Option(
        "--fit",
        help="How far points, lengths (relative to the mechanism's length) and axes (in rad) may be moved so that "
        "redundant joints fit together; up to 1e-6 by default, and not at all with 0.",
    ),
]
Units = Annotated[
    str,
    typer.Option(
        "--units", metavar="UNIT,…", help="Units of tables and plots instead of SI units, such as 'mm, deg, rpm'."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print exactly one JSON object on standard output.")]
AllowCode = Annotated[
    bool,
    typer.Option(
        "--allow-code",
        help="Import the Python functions that user forces in the file refer to, and expand files in xacro. This runs "
        "code: only do it with files you trust.",
    ),
]

Strict = Annotated[
    bool, typer.Option("--strict", help="Refuse a file of another program if anything in it cannot be represented.")
]


def settings(given: list[str] | None) -> dict[str, float]:
    """The parameters of a problem, from `NAME=NUMBER`."""
    return {name: _number(name, text) for name, text in _pairs(given).items()}


Width = Annotated[
    str | None,
    typer.Option("--width", metavar="LENGTH", help="The width of all bodies, with round ends, such as '20 mm'."),
]
Outlines = Annotated[
    list[str] | None,
    typer.Option(
        "--outline",
        metavar="BODY=SHAPE",
        help="The width of a body, such as 'crank=20 mm', or the corners of a polygon in its axes, in m, such as "
        "'frame=0 0, 0.3 0, 0 0.2'. May be repeated.",
    ),
]


def outlines_given(given: list[str] | None) -> dict[str, Any]:
    """Widths and polygons of bodies, from `BODY=SHAPE`."""
    found: dict[str, Any] = {}
    for body, text in _pairs(given, "--outline", "BODY=SHAPE, such as 'crank=20 mm'").items():
        corners = [corner.split() for corner in text.split(",")]
        try:
            found[body] = text if len(corners) == 1 else [[float(x) for x in corner] for corner in corners]
        except ValueError:
            raise ModelError(
                f"--outline {body} is '{text}'; write corners as numbers in m, such as '0 0, 0.3 0, 0 0.2'."
            ) from None
    return found


Reading = Annotated[
    list[str] | None,
    typer.Option(
        "--read",
        metavar="CHOICE=VALUE",
        help="How a file of another program is read: limits=rigid or limits=none instead of compliant stops, "
        "keyframe=NAME, within=FOLDER for files outside its own folder, "
        "unknown_joints=free, contact=true for shapes that touch the ground, "
        "length=mm for the unit of a file that does not say it, packages=FOLDER and "
        "arguments='NAME:=VALUE …' for xacro. May be repeated.",
    ),
]
Controls = Annotated[
    list[str] | None,
    typer.Option(
        "--control",
        metavar="NAME=LAW",
        help="The control of an actuator, or of the only one that acts on a measure: a number or a law, such as "
        "joint1='0.3*sin(t)'. May be repeated.",
    ),
]


TRUTH = {"true": True, "false": False}


def reading_choices(given: list[str] | None) -> Choices:
    """The choices for reading a file, from `CHOICE=VALUE`."""
    from grashof.exchange import Choices

    made = _pairs(given, "--read", "CHOICE=VALUE, such as limits=rigid")
    known = [field.name for field in fields(Choices)]
    for name in made:
        if name not in known:
            raise ModelError(f"--read: there is no choice '{name}'; {did_you_mean(name, known)}")
    if (said := made.pop("contact", None)) not in (None, *TRUTH):
        raise ModelError(f"--read contact={said}: it must be true or false.")
    return Choices(**made, contact=None if said is None else TRUTH[said])  # type: ignore[arg-type]


def with_controls(model: Model, given: list[str] | None) -> Model:
    """The mechanism whose actuators have the controls `NAME=LAW`."""
    for name, text in _pairs(given, "--control", "NAME=LAW, such as joint1='0.3*sin(t)'").items():
        model = model.control(name, text)
    return model


def with_settings(model: Model, given: list[str] | None) -> Model:
    """The mechanism with numbers set by `PATH=NUMBER`, each in SI units or with its unit, checked."""
    from grashof.model.parameters import check_numbers, numbers
    from grashof.model.units import is_quantity, si

    if not given:
        return model
    known, values = numbers(model), {}
    for path, text in _pairs(given).items():
        unit = known[path].unit if path in known else ""
        values[path] = si(f"--set {path}", text, unit) if unit and is_quantity(text) else _number(path, text)
    return check_numbers(model, values)


def _pairs(given: list[str] | None, option: str = "--set", form: str = "NAME=NUMBER, such as N=40") -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given or ():
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (equals and name and value):
            raise ModelError(f"{option} is '{text}'; write it as {form}.")
        if name in found:
            raise ModelError(f"{option} gives {name} twice; give it once.")
        found[name] = value
    return found


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ModelError(f"--set is '{name}={text}'; write it as NAME=NUMBER, such as N=40.")
    return value


def check_folder(option: str, path: Path) -> None:
    """Refuses a folder that cannot be created or written to, before anything is computed."""
    nearest = next(place for place in (path, *path.absolute().parents) if place.exists())
    if not nearest.is_dir():
        raise ModelError(f"{option} is {path}, but {nearest} is a file; name a folder.")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise ModelError(f"{option} is {path}, but {nearest} is not writable; name another folder.")


def check_page(option: str, path: Path) -> None:
    """Refuses a page that cannot be written, before anything is computed."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise ModelError(f"{option} is {path}; it is a page, so its name must end in .html.")
    if path.is_dir():
        raise ModelError(f"{option} is {path}, which is a folder; name a file.")
    check_folder(option, path.parent)


def check_picture(path: Path | None) -> None:
    """Refuses a picture that cannot be written, before anything is computed."""
    if path is not None:
        from grashof.show.files import check_figure

        check_figure(path)


def positive(option: str, value: float | None) -> None:
    """Refuses a value that is not finite and positive."""
    if value is not None and not (math.isfinite(value) and value > 0.0):
        raise ModelError(f"{option} is {value}; it must be a finite number above zero.")


def tolerance(value: float | None) -> float:
    """The tolerance given, or the default."""
    from grashof.simulation.options import TOLERANCE

    return TOLERANCE if value is None else value


def is_file(subject: str) -> bool:
    """Whether NAME|FILE names a file rather than a problem or a mechanism of the gallery."""
    from grashof.examples import gallery
    from grashof.exchange import is_known
    from grashof.problems import PROBLEMS

    if Path(subject).is_dir() and subject in {*PROBLEMS, *(entry.name for entry in gallery())}:
        return False  # a folder of results, named after what was run
    return subject.endswith(".toml") or os.sep in subject or is_known(subject) or Path(subject).exists()


def case_or_model(
    subject: str,
    variant: str | None,
    given: list[str] | None,
    allow_code: bool,
    strict: bool = False,
    left_out: list[str] | None = None,
    reading: list[str] | None = None,
    controls: list[str] | None = None,
) -> tuple[Case | None, Model]:
    """The case and the model of a problem, or no case and the model from a file or from the gallery.

    Parts of another program's file that the model does not include go into `left_out`, or to standard error.
    """
    from grashof.problems import LINEAR, PROBLEMS, make_case, make_linear

    if subject in PROBLEMS and not is_file(subject):
        case = make_case(subject, variant, settings(given))
        return case, case.model
    if subject in LINEAR and not is_file(subject):
        return None, make_linear(subject, variant, settings(given)).model
    if variant is not None:
        raise ModelError(f"--variant is for benchmark problems, and {subject} is not one; leave it out.")
    model = _load_description(subject, allow_code, strict, left_out, reading_choices(reading))
    return None, with_controls(with_settings(model, given), controls)


def _load_description(
    subject: str, allow_code: bool, strict: bool, left_out: list[str] | None, choices: Choices
) -> Model:
    """The mechanism from a file or from the gallery."""
    if is_file(subject):
        from grashof.exchange import load_file

        found = load_file(subject, allow_code=allow_code, strict=strict, choices=choices)
        for sentence in found.left_out:
            if left_out is None:
                echo(f"grashof: {subject}: {sentence}", err=True)
            else:
                left_out.append(sentence)
        for sentence in found.remarks:
            echo(f"grashof: {subject}: {sentence}", err=True)
        return found.model
    from grashof.examples import example, gallery

    names = [entry.name for entry in gallery()]
    if subject not in names:
        near = did_you_mean(subject, names)
        raise ModelError(f"There is no file, problem or mechanism of the gallery named '{subject}'; {near}")
    return example(subject)


def duration(subject: str, case: Case | None, t_end: float | None) -> float | None:
    """The end time given, or that of the problem or of the gallery; None for a file."""
    if t_end is not None or case is not None:
        return t_end if case is None or t_end is not None else case.t_end
    if is_file(subject):
        return None
    from grashof.examples import find_entry

    return find_entry(subject).t_end
