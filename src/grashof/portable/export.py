"""`grashof.export`: a mechanism as a file that other programs simulate."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from grashof.common.errors import ModelError
from grashof.common.writing import write_atomically
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.problems.base import Case
from grashof.simulation.options import TOLERANCE, Options

KINDS = {".fmu": "functional mock-up unit", ".c": "C file"}
"""What is written, by the file extension."""

VERSIONS = {"3.0": 3, "2.0": 2}


def export(
    mechanism: Mechanism | Model | Case,
    path: str | os.PathLike[str],
    *,
    t_end: float | None = None,
    parameters: Sequence[str] | None = None,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] | None = None,
    tol: float = TOLERANCE,
    method: str = "auto",
    version: str = "3.0",
) -> None:
    """Writes a mechanism as a file that other programs simulate (docs/fmu.md): a functional mock-up unit if it ends
    in .fmu, and C source with a header beside it if it ends in .c.

    mechanism    a benchmark problem gives its end time, and an FMU of it contains its certified reference, if there is
                 one, as `resources/reference.csv`
    t_end        default stop time, s, 10 s after the start unless given; laws of time are known up to then
    parameters   numbers that can be changed before a simulation (see `grashof.numbers`); by default those that
                 a live page would have
    inputs       numbers that can be changed during a simulation: numbers of forces, speeds of motors, gravity, and
                 parameters that only these depend on
    outputs      quantities; by default all measures and the coordinates of all points, and the energies
    tol          tolerance of the error over a whole simulation, as in `simulate`
    method       integration method, as in `simulate`
    version      of the FMI standard, for .fmu: "3.0" or "2.0"
    """
    from grashof.portable.c_files import c_files
    from grashof.portable.fmu import fmu_bytes
    from grashof.portable.make import identifier, make_portable

    place, name = Path(path), os.fspath(path)
    kind = KINDS.get(place.suffix.lower())
    if kind is None:
        raise ModelError(
            f"{name}: export writes files that end in {' or '.join(KINDS)}; other formats are written by grashof.save."
        )
    if version not in VERSIONS:
        raise ModelError(f"The version of the FMI standard is {version!r}; give one of {', '.join(VERSIONS)}.")
    case = mechanism if isinstance(mechanism, Case) else None
    portable = make_portable(
        as_model(mechanism.model if isinstance(mechanism, Case) else mechanism),
        case.t_end if case is not None and t_end is None else t_end,
        parameters=parameters,
        inputs=inputs,
        outputs=outputs,
        options=Options(tol=tol, method=method),
        place=kind,
    )
    files: dict[Path, str | bytes]
    if place.suffix.lower() == ".fmu":
        files = {place: fmu_bytes(portable, VERSIONS[version], identifier(place.stem), _reference(case))}
    else:
        source, header = c_files(portable, place.stem)
        files = {place.with_suffix(".h"): header, place: source}
    try:
        for file, content in files.items():
            write_atomically(file, content)
    except OSError as problem:
        raise ModelError(f"{name}: the file cannot be written ({problem.strerror}).") from problem


def _reference(case: Case | None) -> dict[str, str]:
    """The certified reference of a benchmark problem, as a file of its FMU."""
    from grashof.references import reference_for
    from grashof.references.store import reference_csv

    found = None if case is None else reference_for(case)
    if case is None or found is None:
        return {}
    return {"resources/reference.csv": reference_csv(found, {x.name: x.unit for x in case.columns})}
