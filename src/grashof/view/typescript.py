"""Writes the TypeScript types of the contents of pages: `python -m grashof.view.typescript > web/src/scene.ts`."""

from __future__ import annotations

import inspect
import sys

import msgspec

from grashof.view.page import MotionPage
from grashof.view.report import Report

CONTENTS = (MotionPage, Report)
"""The possible contents of a page."""


def declarations(*roots: type, by: str = "grashof.view.typescript") -> str:
    """Interfaces for the given types and all types that they contain, in the order of their first use.

    by   the module that writes them, named in the heading
    """
    done: dict[str, str] = {}

    def write_type(kind: msgspec.inspect.Type) -> str:
        match kind:
            case msgspec.inspect.StrType():
                return "string"
            case msgspec.inspect.BoolType():
                return "boolean"
            case msgspec.inspect.IntType() | msgspec.inspect.FloatType():
                return "number"
            case msgspec.inspect.NoneType():
                return "null"
            case msgspec.inspect.TupleType(item_types=items):
                return f"readonly [{', '.join(write_type(item) for item in items)}]"
            case msgspec.inspect.VarTupleType(item_type=item) | msgspec.inspect.ListType(item_type=item):
                return f"readonly ({write_type(item)})[]"
            case msgspec.inspect.DictType(value_type=value):
                return f"Readonly<Record<string, {write_type(value)}>>"
            case msgspec.inspect.UnionType(types=choices):
                return " | ".join(write_type(choice) for choice in choices)
            case msgspec.inspect.StructType():
                return interface(kind)
        raise TypeError(f"no TypeScript for {kind}")

    def interface(kind: msgspec.inspect.StructType) -> str:
        name = kind.cls.__name__
        if name not in done:
            done[name] = ""
            lines = [f"/** {first_line(kind.cls)} */", f"export interface {name} {{"]
            if kind.tag is not None:
                lines.append(f'  readonly {kind.tag_field}: "{kind.tag}";')
            lines += [f"  readonly {field.encode_name}: {write_type(field.type)};" for field in kind.fields]
            text = "\n".join([*lines, "}"])
            del done[name]
            done[name] = text
        return name

    for root in roots:
        interface(msgspec.inspect.type_info(root))  # type: ignore[arg-type]
    heading = f"// Made by `python -m {by}` from the types of Python that it names: change them there.\n"
    return "\n\n".join([heading, *done.values()]) + "\n"


def first_line(kind: type) -> str:
    """The first line of a type's docstring."""
    return (inspect.getdoc(kind) or "").partition("\n")[0]


if __name__ == "__main__":
    sys.stdout.write(declarations(*CONTENTS))
