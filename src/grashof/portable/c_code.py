"""LLVM IR as portable C (C99), which needs nothing but the standard library.

The translation covers the part of the language that tapes and kernels use, with numbers that are doubles, integers,
truth values and addresses. Each operation of IEEE 754 becomes the same operation in C, and a fused product and sum
becomes `fma`: the compiled program has the digits of Grashof's machine code.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

NAME = r"[%@][-\w.$]+"

TYPES = {"double": "double", "i64": "int64_t", "i32": "int32_t", "i8": "uint8_t", "i1": "int", "ptr": "double *"}

HELPERS = """\
#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize ("fp-contract=off")
#else
#pragma STDC FP_CONTRACT OFF
#endif

static int64_t load_i64(const void *from) { int64_t x; memcpy(&x, from, sizeof x); return x; }
static int32_t load_i32(const void *from) { int32_t x; memcpy(&x, from, sizeof x); return x; }
static uint8_t load_i8(const void *from) { uint8_t x; memcpy(&x, from, sizeof x); return x; }
static double *load_ptr(const void *from) { double *x; memcpy(&x, from, sizeof x); return x; }
static double load_double(const void *from) { double x; memcpy(&x, from, sizeof x); return x; }
static void store_i64(void *to, int64_t x) { memcpy(to, &x, sizeof x); }
static void store_i32(void *to, int32_t x) { memcpy(to, &x, sizeof x); }
static void store_i8(void *to, uint8_t x) { memcpy(to, &x, sizeof x); }
static void store_ptr(void *to, const double *x) { memcpy(to, &x, sizeof x); }
static void store_double(void *to, double x) { memcpy(to, &x, sizeof x); }
static double maxnum(double a, double b) { return a > b || b != b ? a : b; }
static double minnum(double a, double b) { return a < b || b != b ? a : b; }
"""

_MATH = {"fmuladd": "fma", "fabs": "fabs", "sqrt": "sqrt", "floor": "floor", "copysign": "copysign"}
_MATH |= {"maxnum": "maxnum", "minnum": "minnum"}

_ARITHMETIC = {"fadd": "+", "fsub": "-", "fmul": "*", "fdiv": "/", "add": "+", "sub": "-", "mul": "*", "sdiv": "/"}
_ARITHMETIC |= {"and": "&", "or": "|", "shl": "<<"}

_ORDERED = {"oeq": "==", "une": "!=", "olt": "<", "ole": "<=", "ogt": ">", "oge": ">="}
_WHOLE = {"eq": "==", "ne": "!=", "slt": "<", "sle": "<=", "sgt": ">", "sge": ">="}
_UNSIGNED = {"ult": "<", "ule": "<=", "ugt": ">", "uge": ">="}

_KEYWORDS = frozenset({"auto", "case", "char", "const", "default", "do", "double", "else", "for", "if", "int", "long"})


class UntranslatableError(ValueError):
    """An instruction that is not part of the language that is translated."""


@dataclass
class _Function:
    """A function in IR."""

    name: str
    returns: str
    parameters: list[tuple[str, str]]  # types and names
    internal: bool
    lines: list[str] = field(default_factory=list)


def translate(
    ir: str,
    exports: Sequence[str],
    prefix: str,
    external: Sequence[str] = (),
    *,
    plain: Sequence[str] = (),
    mark: str = "",
) -> str:
    """The C source of a module: of the functions that are exported, and of those that they call. Names of functions
    begin with a prefix; only exported ones are visible to the linker.

    external   functions of the standard library that are called
    plain      functions without the prefix
    mark       what exported functions begin with
    """
    functions, constants = _read_module(ir)
    used = _used(functions, exports)
    unchanged = {*external, *plain}
    public = {
        name: name if name in unchanged else prefix + _plain(name) for name in (*functions, *constants, *external)
    }
    called = {x[1:] for name in used for line in functions[name].lines for x in re.findall(r"@[-\w.$]+", line)}
    declared = [_constant(public[name], *constants[name]) for name in constants if name in called]
    chosen = [functions[name] for name in functions if name in used]
    declared += [f"{mark if x.name in exports else 'static '}{_prototype(x, public)};" for x in chosen]
    bodies = []
    for function in chosen:
        head = (mark if function.name in exports else "static ") + _prototype(function, public)
        bodies.append("\n".join([head, "{", *_Body(function, public, functions).lines(), "}\n"]))
    text = "\n".join([*declared, "", *bodies])
    helpers = [
        line
        for line in HELPERS.splitlines()
        if not line.startswith("static ") or re.search(rf"\b{line.split('(')[0].split()[-1].strip('*')}\(", text)
    ]
    return "\n".join([*helpers, "", text])


def _read_module(ir: str) -> tuple[dict[str, _Function], dict[str, tuple[str, str]]]:
    functions: dict[str, _Function] = {}
    constants: dict[str, tuple[str, str]] = {}
    current: _Function | None = None
    for line in ir.splitlines():
        if current is not None:
            if line == "}":
                functions[current.name], current = current, None
            elif line.strip():
                current.lines.append(line)
        elif line.startswith("define "):
            current = _head(line)
        elif found := re.match(r"@([-\w.$]+) = (?:internal |private )?(?:constant|global) (\[\d+ x \w+\]) (.*)", line):
            constants[found[1]] = found[2], found[3]
    return functions, constants


def _head(line: str) -> _Function:
    found = re.match(r"define (internal )?(\w+) @([-\w.$]+)\(((?:[^()]|\([^()]*\))*)\)", line)
    if found is None:
        raise UntranslatableError(line)
    parameters = [(x.split()[0], x.split()[-1]) for x in found[4].split(", ") if x]
    return _Function(found[3], found[2], parameters, bool(found[1]))


def _used(functions: dict[str, _Function], exports: Sequence[str]) -> set[str]:
    """The functions that are exported or called."""
    used: set[str] = set()
    waiting = list(exports)
    while waiting:
        name = waiting.pop()
        if name in used or name not in functions:
            continue
        used.add(name)
        waiting += {x[1:] for line in functions[name].lines for x in re.findall(r"@[-\w.$]+", line)}
    return used


def _prototype(function: _Function, public: dict[str, str]) -> str:
    listed = [f"{TYPES[kind]}{'' if kind == 'ptr' else ' '}{_plain(name)}" for kind, name in function.parameters]
    result = "void" if function.returns == "void" else TYPES[function.returns]
    return f"{result}{'' if result.endswith('*') else ' '}{public[function.name]}({', '.join(listed) or 'void'})"


def _constant(name: str, kind: str, value: str) -> str:
    count, element = kind.strip("[]").split(" x ")
    if element == "i8":
        text = value.strip()[2:-1]
        data = bytes.fromhex("".join(x[1:] if x[0] == "\\" else f"{ord(x):02x}" for x in re.findall(r"\\..|.", text)))
        return f'static const char {name}[] = "{_escape(data[:-1])}";'
    numbers = [_literal(x, element) for x in re.findall(rf"{element} ([-\w.]+)", value)]
    rows = ", ".join(numbers or ["0"])
    return f"static const {TYPES[element]} {name}[{max(int(count), 1)}] = {{{rows}}};"


def _escape(data: bytes) -> str:
    return "".join(chr(x) if 32 <= x < 127 and x not in b'"\\?' else f"\\{x:03o}" for x in data)


def _plain(name: str) -> str:
    """A name of IR as one of C."""
    plain = re.sub(r"\W", "_", name.lstrip("%@"))
    return f"{plain}_" if plain in _KEYWORDS or plain[0].isdigit() else plain


def _literal(text: str, kind: str) -> str:
    if kind == "i1":
        return {"true": "1", "false": "0", "-1": "1"}.get(text, text)
    if kind == "ptr":
        return "0"
    if kind == "i64":
        return f"INT64_C({text})" if abs(int(text)) > 2**31 - 1 else text
    if kind != "double":
        return text
    value = struct.unpack("<d", struct.pack("<Q", int(text, 16)))[0] if text.startswith("0x") else float(text)
    if value != value:
        return "NAN"
    if abs(value) == float("inf"):
        return "INFINITY" if value > 0 else "-INFINITY"
    plain = repr(value)
    return plain if len(plain) <= 8 else value.hex()


class _Body:
    """Translates the body of one function."""

    def __init__(self, function: _Function, public: dict[str, str], functions: dict[str, _Function]) -> None:
        self.rows, self.public, self.functions = _without_unused(function.lines), public, functions
        self.places: dict[str, str] = {}  # addresses at constant distances, as expressions
        self.phis: dict[str, list[tuple[str, str, dict[str, str]]]] = {}  # by block: name, type, sources
        self.targets: set[str] = set()
        self.block = ""
        label = ""
        for line in self.rows:
            if found := re.match(r"([-\w.$]+):", line):
                label = found[1]
            elif found := re.match(rf"\s+({NAME}) = phi (\w+) (.*)", line):
                sources = {y: x for x, y in re.findall(r"\[ ?([^,]+), %([-\w.$]+) ?\]", found[3])}
                self.phis.setdefault(label, []).append((found[1], found[2], sources))

    def lines(self) -> list[str]:
        """The statements."""
        found = [
            f"    {TYPES[kind]}{'' if kind == 'ptr' else ' '}{_plain(name)}_in;"
            for phis in self.phis.values()
            for name, kind, _ in phis
        ]
        rows = self.rows
        for number, line in enumerate(rows):
            following = next((x[:-1] for x in rows[number + 1 : number + 2] if x.endswith(":")), None)
            found += self._statement(line, following)
        return [x for x in found if not x.endswith(":;") or x[:-2] in self.targets]

    def _statement(self, line: str, following: str | None) -> Iterator[str]:
        text = line.split(" !")[0].strip()
        if label := re.fullmatch(r"([-\w.$]+):", text):
            self.block = label[1]
            yield f"{_plain('%' + label[1])}:;"
        elif text.startswith("br "):
            yield from self._branch(text, following)
        elif text == "ret void":
            yield "    return;"
        elif found := re.fullmatch(r"ret (\w+) (\S+)", text):
            yield f"    return {self._value(found[2], found[1])};"
        elif found := re.fullmatch(r"store (\w+) (\S+), ptr (\S+?)(, align \d+)?", text):
            value, place = self._value(found[2], found[1]), self._value(found[3], "ptr")
            plain = f"{self._element(place)} = {value};"
            yield "    " + (plain if found[1] == "double" else f"store_{found[1]}({place}, {value});")
        elif text.startswith("call "):
            call = self._call(text)
            yield f"    {call};" if text.startswith("call void") else f"    (void){call};"
        elif found := re.fullmatch(rf"({NAME}) = (.*)", text):
            yield from self._define(found[1], found[2])
        else:
            raise UntranslatableError(line)

    def _define(self, name: str, text: str) -> Iterator[str]:
        plain, operation = _plain(name), text.split()[0]
        if operation == "phi":
            kind = text.split()[1]
            yield f"    {TYPES[kind]}{'' if kind == 'ptr' else ' '}{plain} = {plain}_in;"
        elif found := re.fullmatch(r"alloca (?:\[(\d+) x )?(\w+)\]?(?:, align \d+)?", text):
            yield f"    double {plain}[{max(int(found[1] or 1), 1)}];"
        elif found := re.fullmatch(r"getelementptr (?:inbounds )?(\w+), ptr (\S+), i64 (-?\d+)", text):
            self.places[name] = self._moved(found[1], self._value(found[2], "ptr"), found[3])
        else:
            kind, value = self._expression(text)
            yield f"    {TYPES[kind]}{'' if kind == 'ptr' else ' '}{plain} = {value};"

    def _moved(self, element: str, place: str, by: str) -> str:
        if element == "double":
            return place if by == "0" else f"({place} + {by})"
        return f"(double *)((char *){place} + {by} * {({'i8': 1, 'i32': 4}).get(element, 8)})"

    def _element(self, place: str) -> str:
        """What is stored at an address, as x[k]."""
        found = re.fullmatch(r"\((\w+) \+ (\d+)\)", place)
        return f"{found[1]}[{found[2]}]" if found else f"{place}[0]" if place.isidentifier() else f"*{place}"

    def _expression(self, text: str) -> tuple[str, str]:
        """The type and value of an instruction."""
        operation, rest = text.split(" ", 1)
        if operation == "load":
            kind, place = re.match(r"(\w+), ptr (\S+?)(?:, align \d+)?$", rest).groups()  # type: ignore[union-attr]
            at = self._value(place, "ptr")
            return kind, self._element(at) if kind == "double" else f"load_{kind}({at})"
        if operation == "getelementptr":
            element, place, by = re.match(r"(?:inbounds )?(\w+), ptr (\S+), i\d+ (\S+)$", rest).groups()  # type: ignore[union-attr]
            return "ptr", self._moved(element, self._value(place, "ptr"), self._value(by, "i64"))
        if operation == "call":
            return text.split()[1], self._call(text)
        if operation == "fneg":
            return "double", f"-{self._value(rest.split()[1], 'double')}"
        if operation in _ARITHMETIC or operation == "xor":
            return self._arithmetic(operation, rest)
        if operation in ("fcmp", "icmp"):
            return "i1", self._comparison(rest)
        if operation == "select":
            condition, kind, a, b = re.match(r"i1 (\S+), (\w+) (\S+), \w+ (\S+)$", rest).groups()  # type: ignore[union-attr]
            return kind, f"{self._value(condition, 'i1')} ? {self._value(a, kind)} : {self._value(b, kind)}"
        source, value, target = re.match(r"(\w+) (\S+) to (\w+)$", rest).groups()  # type: ignore[union-attr]
        x = self._value(value, source)
        if operation == "bitcast" and source != target:
            return target, f"load_{target}(&{x})"
        if operation == "zext" and source in ("i32", "i8"):
            return target, f"({TYPES[target]})(u{TYPES[source].lstrip('u')}){x}"
        if operation in ("bitcast", "sitofp", "fptosi", "zext", "trunc", "sext"):
            return target, f"({TYPES[target]}){x}"
        raise UntranslatableError(text)

    def _arithmetic(self, operation: str, rest: str) -> tuple[str, str]:
        kind, a, b = re.match(r"(?:nuw |nsw )*(\w+) (\S+), (\S+)$", rest).groups()  # type: ignore[union-attr]
        if operation == "xor":
            if kind != "i1":
                raise UntranslatableError(rest)
            return kind, f"!{self._value(a, kind)}" if b in ("-1", "true") else f"{a} != {b}"
        return kind, f"{self._value(a, kind)} {_ARITHMETIC[operation]} {self._value(b, kind)}"

    def _comparison(self, rest: str) -> str:
        relation, kind, first, second = re.match(r"(\w+) (\w+) (\S+), (\S+)$", rest).groups()  # type: ignore[union-attr]
        a, b = self._value(first, kind), self._value(second, kind)
        if relation == "uno":
            return f"{a} != {a} || {b} != {b}"
        if kind == "double":
            return f"{a} {_ORDERED[relation]} {b}" if relation in _ORDERED else f"!({a} {_INVERSE[relation]} {b})"
        if relation in _UNSIGNED:
            return f"(uint64_t){a} {_UNSIGNED[relation]} (uint64_t){b}"
        return f"{a} {_WHOLE[relation]} {b}"

    def _call(self, text: str) -> str:
        found = re.fullmatch(r"call (\w+) (?:\([^()]*\) )?([%@][-\w.$]+)\((.*)\)", text)
        if found is None:
            raise UntranslatableError(text)
        arguments = [tuple(x.split(" ", 1)) for x in found[3].split(", ")] if found[3] else []
        values = [self._value(value, kind) for kind, value in arguments]
        name = found[2][1:]
        if intrinsic := re.fullmatch(r"llvm\.(\w+)\.f64", name):
            return f"{_MATH[intrinsic[1]]}({', '.join(values)})"
        if name.startswith("llvm.memcpy"):
            return f"memmove({', '.join(values[:3])})"
        if found[2][0] == "%":  # an address: the arguments are converted as they are given
            result = "void" if found[1] == "void" else TYPES[found[1]]
            kinds = ["..." if x == "..." else TYPES.get(x, x) for x in self._signature(text, arguments)]
            return f"(({result} (*)({', '.join(kinds)})){_plain(found[2])})({', '.join(values)})"
        if name not in self.functions:  # of the standard library
            kinds = [kind for kind, *_ in arguments]
            values = [f"(char *){x}" if kind == "ptr" else x for kind, x in zip(kinds, values, strict=True)]
            return f"{'(double *)' if found[1] == 'ptr' else ''}{self.public[name]}({', '.join(values)})"
        return f"{self.public[name]}({', '.join(values)})"

    def _signature(self, text: str, arguments: Sequence[tuple[str, ...]]) -> list[str]:
        found = re.match(r"call \w+ \(([^()]*)\) %", text)
        return found[1].split(", ") if found else [kind for kind, *_ in arguments]

    def _branch(self, text: str, following: str | None) -> Iterator[str]:
        if found := re.fullmatch(r"br label %(\S+)", text):
            yield from self._jump(found[1], "    ", following)
            return
        found = re.fullmatch(r"br i1 (\S+), label %(\S+), label %(\S+)", text)
        if found is None:
            raise UntranslatableError(text)
        condition, (yes, no) = self._value(found[1], "i1"), found.groups()[1:]
        if yes == following and not self.phis.get(yes) and not self.phis.get(no):
            yield f"    if (!{condition}) goto {self._label(no)};"
            return
        if not self.phis.get(yes):
            yield f"    if ({condition}) goto {self._label(yes)};"
        else:
            yield f"    if ({condition}) {{"
            yield from self._jump(yes, "        ", None)
            yield "    }"
        yield from self._jump(no, "    ", following)

    def _label(self, target: str) -> str:
        label = _plain("%" + target)
        self.targets.add(label)
        return label

    def _jump(self, target: str, indent: str, following: str | None) -> Iterator[str]:
        for name, kind, sources in self.phis.get(target, ()):
            yield f"{indent}{_plain(name)}_in = {self._value(sources[self.block], kind)};"
        if target != following:
            yield f"{indent}goto {self._label(target)};"

    def _value(self, text: str, kind: str) -> str:
        if text in self.places:
            return self.places[text]
        if text[0] == "%":
            return _plain(text)
        if text[0] == "@":
            return f"(double *){self.public[text[1:]]}"
        value = _literal(text, kind)
        return f"({value})" if value.startswith("-") else value


def _without_unused(lines: Sequence[str]) -> list[str]:
    """The lines without values that nothing uses; calls of functions that do more than give a number stay."""
    used = {name for line in lines if " = phi " in line for name in re.findall(NAME, line.split(" = ", 1)[1])}
    kept = []
    for line in reversed(lines):
        found = re.match(rf"\s+({NAME}) = (.*)", line)
        if found and found[1] not in used:
            if not found[2].startswith("call ") or found[2].startswith("call double @"):
                continue
            line, found = f"  {found[2]}", None
        used.update(re.findall(NAME, found[2] if found else line))
        kept.append(line)
    return kept[::-1]


_INVERSE = {"ueq": "!=", "ult": ">=", "ule": ">", "ugt": "<=", "uge": "<"}
