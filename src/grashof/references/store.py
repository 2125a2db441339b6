"""References as files, and the references that are part of the package.

Lines that begin with # give problem, variant, parameters, until, and the provenance; then come `t`, the official
columns in their order, and their error bars under the columns' names followed by ±. The files in a problem's folder
`data/` are CSV files made by `grashof reference NAME --variant V --recompute --out data/NAME-V.csv`.
"""

from __future__ import annotations

import csv
import io
import json
import os
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np

from grashof.common.errors import ModelError
from grashof.common.writing import write_atomically
from grashof.problems import PROBLEMS
from grashof.problems.base import Case
from grashof.references.reference import Reference

SUFFIXES = (".csv", ".txt", ".json")


def reference_for(case: Case) -> Reference | None:
    """The stored reference of a case at its official times; None if there is none, as for other parameters."""
    problem = PROBLEMS[case.problem]
    if any(case.parameters[name] != default for name, (default, _) in problem.parameters.items()):
        return None
    return _stored_references(
        problem.package, f"{problem.name}-{problem.same.get(case.variant, case.variant)}.csv", case.variant
    )


@cache
def _stored_references(package: str, name: str, variant: str) -> Reference | None:
    file = resources.files(package) / "data" / name
    return _parse(file.read_text(encoding="utf-8"), variant) if file.is_file() else None


def check_target(path: str | os.PathLike[str]) -> None:
    """Refuses a file that `save_reference` could not write, before time is spent on its content."""
    if Path(path).suffix.lower() not in SUFFIXES:
        forms = ", ".join(SUFFIXES)
        raise ModelError(f"{os.fspath(path)}: a reference's name must end in {forms}, which determines its format.")
    if not Path(path).absolute().parent.is_dir():
        raise ModelError(f"{os.fspath(path)}: its folder does not exist; create it first.")


def save_reference(reference: Reference, path: str | os.PathLike[str], units: dict[str, str]) -> None:
    """Writes .csv, .txt (columns of 17 digits separated by blanks) or .json; `units` are those of the columns."""
    check_target(path)
    suffix = Path(path).suffix.lower()
    if suffix == ".json":
        data = reference.as_dict() | {"units": units}
        content = json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    else:
        content = _header(reference) + _table(reference, units, suffix)
    write_atomically(path, content)


def reference_csv(reference: Reference, units: dict[str, str]) -> str:
    """The content of a CSV file; `units` are those of the columns."""
    return _header(reference) + _table(reference, units, ".csv")


def _header(reference: Reference) -> str:
    facts = {
        "problem": reference.problem,
        "variant": reference.variant,
        "parameters": json.dumps(dict(reference.parameters)),
        "until": f"{reference.until!r}",
    }
    lines = [f"# {name}: {fact}" for name, fact in facts.items()]
    return "\n".join([*lines, *(f"# provenance: {sentence}" for sentence in reference.provenance)]) + "\n"


def _table(reference: Reference, units: dict[str, str], suffix: str) -> str:
    labels = ["t [s]", *(f"{name} [{units[name]}]" for name in reference.columns)]
    labels += [f"{name} ± [{units[name]}]" for name in reference.bars]
    arrays = [reference.times, *reference.columns.values(), *reference.bars.values()]
    text = io.StringIO()
    if suffix == ".txt":
        np.savetxt(text, np.column_stack(arrays), fmt="%24.16e", header="  ".join(labels))
    else:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(labels)
        writer.writerows(zip(*(array.tolist() for array in arrays), strict=True))
    return text.getvalue()


def _parse(text: str, variant: str) -> Reference:
    """A CSV file that `save_reference` wrote."""
    lines = text.splitlines()
    marked = [line[2:].partition(": ") for line in lines if line.startswith("#")]
    facts = {name: fact for name, _, fact in marked}
    names = [label.rpartition(" [")[0] for label in next(csv.reader([lines[len(marked)]]))]
    table = np.loadtxt(lines[len(marked) + 1 :], delimiter=",", unpack=True)
    table.flags.writeable = False  # it is shared by all callers
    arrays = dict(zip(names, table, strict=True))
    return Reference(
        problem=facts["problem"],
        variant=variant,
        parameters=json.loads(facts["parameters"]),
        times=arrays.pop("t"),
        columns={name: values for name, values in arrays.items() if not name.endswith(" ±")},
        bars={name.removesuffix(" ±"): values for name, values in arrays.items() if name.endswith(" ±")},
        until=float(facts["until"]),
        provenance=tuple(fact for name, _, fact in marked if name == "provenance"),
    )
