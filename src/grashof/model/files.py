"""Mechanisms as TOML files, with the same tables and fields as the description and a line that names the format.

docs/file-format.md describes the files for people, `schema()` for editors.
"""

from __future__ import annotations

import math
import os
import re
import reprlib
import sys
import tomllib
from pathlib import Path
from typing import TypeVar

import msgspec

from grashof.common.errors import ModelError
from grashof.common.writing import read_at_most, write_atomically
from grashof.model.check import check, check_model
from grashof.model.check.parameters import check_parameter_names
from grashof.model.converting import Place, in_si
from grashof.model.definitions import settle_definitions
from grashof.model.fields import Vector, unit
from grashof.model.file_errors import explain_error
from grashof.model.forces.user_force import allow, resolve
from grashof.model.joints import Joint
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.model.paths import leaves, replace_values
from grashof.model.schema import FORMAT, SYNONYMS, schema
from grashof.model.table_files import with_points
from grashof.model.toml_text import plain, toml_lines

__all__ = ["FORMAT", "LARGEST", "dumps", "load", "loads", "save", "schema"]

LARGEST = 32 * 2**20
"""The largest size of a file, bytes; a thousand bodies with joints take about half a million."""

_HEADER = "# A mechanism for Grashof. Lengths in m, masses in kg, times in s, forces in N, angles in rad."
_PARTS = 100  # the largest number of parts of a dotted key
_TEXT = re.compile(
    r"""\s*\w+\s*=\s*(?:"[^"\\]*"|'[^']*')\s*"""
)  # a field whose value is a string: a long law may have any number of dots

AnyStruct = TypeVar("AnyStruct", bound=msgspec.Struct)


def load(path: str | os.PathLike[str], *, allow_code: bool = False) -> Model:
    """Reads a mechanism from a TOML file and checks it.

    With `allow_code` the Python functions of user forces are imported, looking first in the folder of the file. This
    executes code: use it only for files you trust.
    """
    if not isinstance(path, str | os.PathLike):
        raise ModelError(f"{reprlib.repr(path)} is not the name of a file; give it as text or as a path.")
    try:
        text = read_at_most(path, LARGEST).decode("utf-8-sig")
    except FileNotFoundError:
        raise ModelError(f"{os.fspath(path)}: there is no such file; check its name and folder.") from None
    except IsADirectoryError:
        raise ModelError(f"{os.fspath(path)}: this is a folder; name a file in it.") from None
    except OSError as problem:
        raise ModelError(f"{os.fspath(path)}: the file cannot be read ({problem.strerror}).") from problem
    except UnicodeDecodeError as problem:
        raise ModelError(
            f"{os.fspath(path)}: byte {problem.start + 1} is not UTF-8 text; save the file as UTF-8."
        ) from None
    return loads(text, source=os.fspath(path), folder=Path(path).parent, allow_code=allow_code)


def loads(
    text: str, *, source: str = "text", folder: str | os.PathLike[str] | None = None, allow_code: bool = False
) -> Model:
    """Reads a mechanism from TOML text and checks it.

    `source` names the text in error messages; code is looked for first in `folder`.
    """
    try:
        model, expressions = _description(text)
        model = msgspec.structs.replace(model, tables=tuple(with_points(table, folder) for table in model.tables))
        check_parameter_names(model)
        model = check(_complete(model, expressions))
        _resolve_functions(model, folder, allow_code)
    except ModelError as problem:
        raise ModelError(f"{source}: {problem}") from problem.__cause__
    return model


def save(mechanism: Mechanism | Model, path: str | os.PathLike[str]) -> None:
    """Checks a mechanism and writes it as a TOML file.

    The file is replaced atomically: other programs see either the old file or the complete new one.
    """
    text = dumps(as_model(mechanism))
    try:
        write_atomically(path, text)
    except OSError as problem:
        raise ModelError(f"{os.fspath(path)}: the file cannot be written ({problem.strerror}).") from problem


def dumps(model: Model) -> str:
    """The checked description as TOML text; `loads` returns an equal description, with directions normalised."""
    check_model(model)
    for force in model.forces:
        if force.code is not None and re.search(r"^__main__:|[<#]", force.code):
            raise ModelError(
                f"Force '{force.name}': its function '{force.code}' cannot be found again from a file; "
                "define it at the top of a module of its own."
            )
    known = leaves(model)
    written = replace_values(
        model, {known[path].place: text for path, text in model.defined.items()} | {("defined",): {}}
    )
    content = {"format": FORMAT, "name": model.name, "dimension": model.dimension, **plain(written)}
    return "\n".join([_HEADER, *toml_lines(content)]) + "\n"


# -- inside


def _description(text: str) -> tuple[Model, dict[Place, str]]:
    """The description in a file, with zeros in the places of expressions; and these expressions."""
    _check_keys(text)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise ModelError(f"this is not TOML: {problem}.") from None
    except (ValueError, RecursionError) as problem:
        raise ModelError(f"this cannot be read as TOML: {problem}.") from None
    content.pop("$schema", None)  # for editors
    version = content.pop("format", None)
    if version is None:
        raise ModelError(f'the line format = "{FORMAT}" is missing; write it at the top of a mechanism\'s file.')
    if version != FORMAT:
        raise ModelError(f"format is {version!r}, which this version of Grashof cannot read; it reads '{FORMAT}'.")
    if "defined" in content:
        raise ModelError("there is no field 'defined'; write an expression where its number belongs, length = '3*L'.")
    for joint in content["joints"] if isinstance(content.get("joints"), list) else ():
        if isinstance(joint, dict) and isinstance(kind := joint.get("type"), str):
            joint["type"] = SYNONYMS.get(kind, kind)
    content, expressions = in_si(content, Model)
    try:
        return msgspec.convert(content, Model), expressions
    except msgspec.ValidationError as problem:
        raise ModelError(explain_error(str(problem), content)) from None
    except SystemError:  # msgspec before 0.22 raises this for an integer that is too large for a double
        raise ModelError("a number is out of range; the largest are about 1.8e308.") from None


def _check_keys(text: str) -> None:
    """Refuses keys a.b.c… with more parts than a mechanism needs, as the time to read them grows with their square."""
    for number, line in enumerate(text.splitlines(), 1):
        if (
            line.count(".") > _PARTS
            and not _TEXT.fullmatch(line)
            and any(part.count(".") > _PARTS for part in re.split(r"[=,{}\[\]]", line.partition("#")[0]))
        ):
            raise ModelError(
                f"line {number}: a key or value has more than {_PARTS} dots; no field is nested so deeply."
            )


def _complete(model: Model, expressions: dict[Place, str]) -> Model:
    """Fills in directions that may be omitted, evaluates expressions, and normalises all other directions."""
    texts = dict(expressions)
    joints = tuple(_complete_joint(("joints", i), x, model.dimension, texts) for i, x in enumerate(model.joints))
    model = settle_definitions(msgspec.structs.replace(model, joints=joints), texts)
    by_expression = {place[:3] for place in texts}
    for section in ("joints", "measures", "forces"):
        parts = []
        for i, part in enumerate(getattr(model, section)):
            fields = part.needed_directions(model.dimension) if section == "joints" else part.directions
            parts.append(_unit(part, [field for field in fields if (section, i, field) not in by_expression]))
        model = msgspec.structs.replace(model, **{section: tuple(parts)})
    return model


def _complete_joint(place: Place, joint: Joint, dimension: int, texts: dict[Place, str]) -> Joint:
    found = dict(joint.directions())
    for field in joint.needed_directions(dimension):
        if found[field]:
            continue
        if field.endswith("_b") and joint.directions_coincide:
            source = field.removesuffix("b") + "a"
            found[field] = found[source]
            for i in range(len(found[source])):
                if (*place, source, i) in texts:
                    texts[*place, field, i] = texts[*place, source, i]
        else:
            found[field] = joint.usual_direction(field, dimension)
    return msgspec.structs.replace(joint, **found)


def _unit(part: AnyStruct, fields: list[str] | tuple[str, ...]) -> AnyStruct:
    """Normalises directions; one that has length one up to round-off is kept, so that what was saved is loaded."""
    changed: dict[str, Vector] = {}
    for field in fields:
        direction: Vector = getattr(part, field)
        length = math.hypot(*direction)
        if 0.0 < length < math.inf and abs(length - 1.0) > 1e-15:
            changed[field] = unit(direction)
    return msgspec.structs.replace(part, **changed)


def _resolve_functions(model: Model, folder: str | os.PathLike[str] | None, allow_code: bool) -> None:
    for force in model.forces:
        if force.code is None:
            continue
        try:
            if allow_code:
                _import(force.code, folder)
            resolve(force.code)
        except ModelError as problem:
            raise ModelError(f"Force '{force.name}': {problem}") from problem.__cause__


def _import(function: str, folder: str | os.PathLike[str] | None) -> None:
    if folder is None:
        allow(function)
        return
    place = Path(folder).resolve()
    name = function.partition(":")[0].partition(".")[0]
    own = [path for path in (place / f"{name}.py", place / name / "__init__.py") if path.exists()]
    loaded = getattr(sys.modules.get(name), "__file__", None)
    if own and loaded and Path(loaded).resolve() not in own:
        raise ModelError(
            f"The force function '{function}' is in {own[0]}, but another module '{name}' is loaded already "
            f"({loaded}); rename one of them."
        )
    allow(function, place)
