"""Mechanisms as TOML files: the same tables and fields as the description, and one line that names the format.

docs/file-format.md describes them to people, `schema()` to editors.
"""

from __future__ import annotations

import inspect
import math
import os
import re
import reprlib
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import msgspec.inspect as info
import tomli_w

from grashof.errors import ModelError, did_you_mean
from grashof.model.check import check, needed_directions
from grashof.model.check.parameters import check_parameter_names
from grashof.model.converting import Place, in_si
from grashof.model.definitions import settled
from grashof.model.fields import Vector, unit
from grashof.model.forces import UserForce
from grashof.model.forces.user_force import allow, resolve
from grashof.model.joints import Joint, Universal, Weld
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.model.paths import leaves, replaced
from grashof.model.table_files import with_points
from grashof.writing import read_at_most, write_atomically

FORMAT = "grashof 1"
"""The value of the key `format` at the top of a file: the program and the version of the format."""

LARGEST = 32 * 2**20
"""Bytes of a file; a thousand bodies with joints take about half a million."""

_HEADER = "# A mechanism for Grashof. Lengths in m, masses in kg, times in s, forces in N, angles in rad."
_WIDTH = 110  # of a line in a file
_PARTS = 100  # of a dotted key
_TEXT = re.compile(
    r"""\s*\w+\s*=\s*(?:"[^"\\]*"|'[^']*')\s*"""
)  # a field whose value is a text: a long law may have any number of dots

AnyStruct = TypeVar("AnyStruct", bound=msgspec.Struct)


def load(path: str | os.PathLike[str], *, allow_code: bool = False) -> Model:
    """The checked description in a TOML file.

    With `allow_code` the functions of user forces are imported, first from the file's own folder: this runs them.
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
    text: str,
    *,
    source: str = "text",
    folder: str | os.PathLike[str] | None = None,
    allow_code: bool = False,
) -> Model:
    """The checked description in a TOML text; `source` names it in errors, code is imported first from `folder`."""
    try:
        model, expressions = _description(text)
        model = msgspec.structs.replace(model, tables=tuple(with_points(table, folder) for table in model.tables))
        check_parameter_names(model)
        model = _complete(model, expressions)
        check(model)
        _resolve_functions(model, folder, allow_code)
    except ModelError as problem:
        raise ModelError(f"{source}: {problem}") from problem.__cause__
    return model


def save(mechanism: Mechanism | Model, path: str | os.PathLike[str]) -> None:
    """Writes a description as TOML, checked; whoever reads the file sees the old one or the new one, never half."""
    text = dumps(as_model(mechanism))
    try:
        write_atomically(path, text)
    except OSError as problem:
        raise ModelError(f"{os.fspath(path)}: the file cannot be written ({problem.strerror}).") from problem


def dumps(model: Model) -> str:
    """The description as TOML text, checked; `loads` gives it back equal, with directions of length one."""
    check(model)
    for force in model.forces:
        if isinstance(force, UserForce) and re.search(r"^__main__:|[<#]", force.function):
            raise ModelError(
                f"Force '{force.name}': its function '{force.function}' cannot be found again from a file; "
                "define it at the top of a module of its own."
            )
    known = leaves(model)
    written = replaced(model, {known[path].place: text for path, text in model.defined.items()} | {("defined",): {}})
    content = {"format": FORMAT, "name": model.name, "dimension": model.dimension, **_plain(written)}
    return "\n".join([_HEADER, *_lines(content)]) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a file, for editors that complete and check while one types."""
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(Model)))
    for definition in document["$defs"].values():
        definition["description"] = inspect.cleandoc(definition["description"])
    _allow_texts(document)
    top = document["$defs"]["Model"]
    del top["properties"]["defined"]
    top["properties"] = {"format": {"const": FORMAT}, **top["properties"]}
    top["required"] = ["format", *top["required"]]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Grashof mechanism", **document}


def _allow_texts(part: Any) -> None:
    """A number may be a text, with a unit or as an expression, unless it is fixed."""
    if isinstance(part, dict):
        if part.pop("fixed", False):
            return
        if part.get("type") == "number":
            part["type"] = ["number", "string"]
        for item in part.values():
            _allow_texts(item)
    elif isinstance(part, list):
        for item in part:
            if {"type": "string"} not in part:  # there, texts are allowed already
                _allow_texts(item)


# -- reading


def _description(text: str) -> tuple[Model, dict[Place, str]]:
    """What a file says; and the expressions in it, with zeros in their places."""
    _check_keys(text)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise ModelError(f"this is not TOML: {problem}.") from None
    except (ValueError, RecursionError) as problem:
        raise ModelError(f"this cannot be read as TOML: {problem}.") from None
    version = content.pop("format", None)
    if version is None:
        raise ModelError(f'the line format = "{FORMAT}" is missing; write it at the top of a mechanism\'s file.')
    if version != FORMAT:
        raise ModelError(f"format is {version!r}, which this version of Grashof cannot read; it reads '{FORMAT}'.")
    if "defined" in content:
        raise ModelError("there is no field 'defined'; write an expression where its number belongs, length = '3*L'.")
    content, expressions = in_si(content, Model)
    try:
        return msgspec.convert(content, Model), expressions
    except msgspec.ValidationError as problem:
        raise ModelError(_explain(str(problem), content)) from None
    except SystemError:  # msgspec before 0.22 says so of a whole number that no double can hold
        raise ModelError("a number is out of range; the largest are about 1.8e308.") from None


def _check_keys(text: str) -> None:
    """No key has more parts than any mechanism needs: reading a.b.c… takes a time that grows with the square of their number."""
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
    """Fills in directions that may be left out, evaluates expressions, and gives all other directions length one."""
    texts = dict(expressions)
    joints = tuple(_complete_joint(("joints", i), x, model.dimension, texts) for i, x in enumerate(model.joints))
    model = settled(msgspec.structs.replace(model, joints=joints), texts)
    by_expression = {place[:3] for place in texts}
    for section in ("joints", "measures"):
        parts = []
        for i, part in enumerate(getattr(model, section)):
            fields = needed_directions(part, model.dimension) if section == "joints" else part.directions
            parts.append(_unit(part, [field for field in fields if (section, i, field) not in by_expression]))
        model = msgspec.structs.replace(model, **{section: tuple(parts)})
    return model


def _complete_joint(place: Place, joint: Joint, dimension: int, texts: dict[Place, str]) -> Joint:
    found = dict(joint.directions())
    for field in needed_directions(joint, dimension):
        if found[field]:
            continue
        if field.endswith("_b") and not isinstance(joint, Universal):
            source = field.removesuffix("b") + "a"
            found[field] = found[source]
            for i in range(len(found[source])):
                if (*place, source, i) in texts:
                    texts[*place, field, i] = texts[*place, source, i]
        elif isinstance(joint, Weld):
            first = 0 if field.startswith("axis") else 1
            found[field] = tuple(float(i == first) for i in range(dimension))
    return msgspec.structs.replace(joint, **found)


def _unit(part: AnyStruct, fields: list[str] | tuple[str, ...]) -> AnyStruct:
    """A direction whose length is one but for round-off stays as it is: what was saved is what is loaded."""
    changed: dict[str, Vector] = {}
    for field in fields:
        direction: Vector = getattr(part, field)
        length = math.hypot(*direction)
        if 0.0 < length < math.inf and abs(length - 1.0) > 1e-15:
            changed[field] = unit(direction)
    return msgspec.structs.replace(part, **changed)


def _resolve_functions(model: Model, folder: str | os.PathLike[str] | None, allow_code: bool) -> None:
    for force in model.forces:
        if not isinstance(force, UserForce):
            continue
        try:
            if allow_code:
                _import(force.function, folder)
            resolve(force.function)
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


# -- errors in words

_KINDS = {
    "float": "a number",
    "int": "a whole number",
    "str": "a text in quotes",
    "bool": "true or false",
    "array": "a list in brackets",
    "object": "a table",
}


def _explain(problem: str, content: dict[str, Any]) -> str:
    """msgspec's message about a place such as `$.joints[2].length`, in the words of the file."""
    message, _, path = problem.partition(" - at `$")
    where, kind, value = _walk(path.removesuffix("`"), content)
    quoted = re.search(r"`(.+?)`", message)
    word = quoted[1] if quoted else ""
    if "unknown field" in message:
        fields = [field.encode_name for field in kind.fields] if isinstance(kind, info.StructType) else []
        return f"{where}: there is no field '{word}'; {did_you_mean(word, fields)}"
    if "missing required field" in message:
        advice = f"it is one of {', '.join(_tags(kind))}" if word == "type" else "add it"
        return f"{where}: the field '{word}' is missing; {advice}."
    found = f"{where} is {reprlib.repr(value)}"
    if message.startswith("Invalid value"):
        return f"{found}; {did_you_mean(str(value), _tags(kind))}"
    if isinstance(kind, info.LiteralType):
        return f"{found}; it must be {' or '.join(repr(x) for x in kind.values)}."
    expected = re.fullmatch(r"Expected `(.+?)`( of length \d+)?, got .+", message)
    if expected:
        wanted = [_KINDS.get(name, name) for name in expected[1].split(" | ") if name != "null"]
        return f"{found}; it must be {' or '.join(wanted)}{expected[2] or ''}."
    return f"{found}: {message}."


def _walk(path: str, content: dict[str, Any]) -> tuple[str, info.Type, Any]:
    """Follows a path down the file: the place in words, the kind of thing expected there, what is there."""
    kind: info.Type = info.type_info(Model)
    value: Any = content
    words = ""
    for name, index in re.findall(r"\.(\w+)|\[(\d+|\.\.\.)\]", path):
        kind = _narrow(kind, value)
        match kind:
            case info.DictType():
                kind = kind.value_type
                name = _culprit(value, kind)
                words += f": '{name}'"
            case info.StructType():
                kind = next((field.type for field in kind.fields if field.encode_name == name), kind)
                words += f": {name}"
            case info.VarTupleType() | info.TupleType():
                kind = kind.item_type if isinstance(kind, info.VarTupleType) else kind.item_types[int(index)]
                words += f"[{index}]"
            case _:  # the field that chooses among the kinds of a union
                words += f": {name}"
        value = value[name or int(index)]
        label = value.get("name", value.get("quantity")) if isinstance(value, dict) and index else None
        words += f" ('{label}')" if isinstance(label, str) else ""
    return words.removeprefix(": ") or "at the top", _narrow(kind, value), value


def _narrow(kind: info.Type, value: Any) -> info.Type:
    """The member of a union that a value means: the table's type, or a list."""
    if isinstance(kind, info.Metadata):
        return _narrow(kind.type, value)
    if isinstance(kind, info.UnionType):
        for member in kind.types:
            if isinstance(member, info.StructType) and isinstance(value, dict) and member.tag == value.get("type"):
                return member
            if isinstance(member, info.VarTupleType) and isinstance(value, list):
                return member
    return kind


def _tags(kind: info.Type) -> list[str]:
    members = kind.types if isinstance(kind, info.UnionType) else ()
    return [str(member.tag) for member in members if isinstance(member, info.StructType)]


def _culprit(table: dict[str, Any], kind: info.Type) -> str:
    """msgspec does not say which entry of a table of named things is wrong: try them one by one."""
    expected: Any = kind.cls if isinstance(kind, info.StructType) else Vector
    for name, value in table.items():
        try:
            msgspec.convert(value, expected)
        except msgspec.ValidationError:
            return name
    raise AssertionError("an entry was refused among others and not alone")


# -- writing


def _plain(value: Any) -> Any:
    """Tables, lists, texts and numbers; fields that have their default value are left out."""
    if isinstance(value, msgspec.Struct):
        tag = value.__struct_config__.tag
        table = {} if tag is None else {"type": tag}
        for field, default in _fields(type(value)):
            item = getattr(value, field)
            if item != default:
                table[field] = _plain(item)
        return table
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


@cache
def _fields(kind: type[msgspec.Struct]) -> list[tuple[str, Any]]:
    """Fields with their defaults; `name`, `a` and `b` come first, wherever a class inherits them from."""
    fields = sorted(msgspec.structs.fields(kind), key=lambda field: field.name not in ("name", "a", "b"))
    return [(f.name, f.default if f.default_factory is msgspec.NODEFAULT else f.default_factory()) for f in fields]


def _lines(content: dict[str, Any]) -> Iterator[str]:
    """Plain values first, then one [[table]] a thing: tomli_w alone would spread every vector over several lines."""
    sections = {key: value for key, value in content.items() if isinstance(value, dict) or _is_tables(value)}
    for key, value in content.items():
        if key not in sections:
            yield _entry(key, value)
    for key, value in sections.items():
        if isinstance(value, dict):
            yield from _section(key, "[{}]", value)
        else:
            for table in value:
                yield from _section(key, "[[{}]]", table)


def _section(path: str, header: str, table: dict[str, Any]) -> Iterator[str]:
    yield ""
    yield header.format(path)
    below = {}
    for key, value in table.items():
        line = _entry(key, value)
        if isinstance(value, dict) and (len(line) > _WIDTH or _is_tables([*value.values()])):
            below[key] = value
        else:
            yield line
    for key, value in below.items():
        yield from _section(f"{path}.{_key(key)}", "[{}]", value)


def _entry(key: str, value: Any) -> str:
    return f"{_key(key)} = {_inline(value)}"


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(_entry(key, item) for key, item in value.items())} }}" if value else "{}"
    if _is_tables(value):
        return "".join(["[\n", *(f"    {_inline(item)},\n" for item in value), "]"])
    if isinstance(value, list):
        return f"[{', '.join(_inline(item) for item in value)}]"
    return tomli_w.dumps({"x": value}).removeprefix("x = ").removesuffix("\n")


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _key(key: str) -> str:
    return tomli_w.dumps({key: 0}).removesuffix(" = 0\n")
