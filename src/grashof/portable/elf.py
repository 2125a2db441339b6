"""Links an object file of LLVM to a shared library for Linux on x86-64, so that no linker has to be installed.

The object must be position independent and define all that it uses except for functions of the C library. All of its
sections are copied, read-only ones and code first, then data; a call of the C library goes through a jump that reads
the function's address from a table, which the dynamic loader fills in. References within the library are relative to
the place of the instruction and are computed here.

System V Application Binary Interface, and its AMD64 supplement, sections 4.4 (relocation) and 5.1 (program headers).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

PAGE = 0x1000
LIBRARIES = ("libc.so.6",)

_NULL, _PROGBITS, _SYMTAB, _RELA, _NOBITS = 0, 1, 2, 4, 8
_WRITE, _ALLOC, _EXECUTE = 1, 2, 4
_R_64, _R_PC32, _R_PLT32, _R_GLOB_DAT, _R_RELATIVE = 1, 2, 4, 6, 8
_X86_64, _SHARED, _RELOCATABLE = 62, 3, 1
_FUNCTION, _GLOBAL = 2, 1


@dataclass
class _Section:
    """A section of the object."""

    name: str
    kind: int
    flags: int
    data: bytes
    size: int
    link: int
    info: int
    align: int
    address: int = -1


@dataclass(frozen=True)
class _Symbol:
    """A symbol of the object; section 0 if it is defined elsewhere."""

    name: str
    info: int
    section: int
    value: int


class LinkError(ValueError):
    """An object that cannot be linked."""


def link_library(data: bytes, exports: Sequence[str], own: Mapping[str, bytes] | None = None) -> bytes:
    """A shared library with the functions of an object, of which some are exported.

    own   functions that the object calls, as machine code
    """
    own = own or {}
    sections, symbols = _read(data)
    local = {x.name: x for x in symbols if x.section}
    outside = [x.name for x in symbols if not x.section and x.name and x.name not in own]
    missing = [name for name in exports if name not in local]
    if missing:
        raise LinkError(f"there are no functions {', '.join(missing)}")
    parts = _Parts(exports, outside)

    kept = [x for x in sections if x.flags & _ALLOC and x.kind in (_PROGBITS, _NOBITS) and x.name != ".eh_frame"]
    relative = sum(_count_absolute(x) for x in sections if x.kind == _RELA and sections[x.info] in kept)
    added: dict[str, int] = {}
    size = parts.place_tables(len(outside) + relative)
    for writable in (False, True):
        for section in (x for x in kept if bool(x.flags & _WRITE) is writable):
            size = -(-size // section.align) * section.align
            section.address, size = size, size + section.size
        if not writable:
            parts.jumps = -(-size // 16) * 16
            parts.code_end = parts.jumps + 16 * len(outside)
            for name, code in own.items():
                added[name], parts.code_end = parts.code_end, parts.code_end + len(code)
            size = parts.place_data(-(-parts.code_end // PAGE) * PAGE)
    image = bytearray(size)
    for name, code in own.items():
        image[added[name] : added[name] + len(code)] = code
    for section in kept:
        image[section.address : section.address + len(section.data)] = section.data

    def address(symbol: _Symbol) -> int:
        if symbol.section:
            return sections[symbol.section].address + symbol.value
        return added[symbol.name] if symbol.name in added else parts.jumps + 16 * outside.index(symbol.name)

    dynamic = [(parts.table + 8 * k, parts.number(name), _R_GLOB_DAT, 0) for k, name in enumerate(outside)]
    for table in (x for x in sections if x.kind == _RELA and sections[x.info] in kept):
        for at, info, addend in struct.iter_unpack("<QQq", table.data):
            place, symbol, kind = sections[table.info].address + at, symbols[info >> 32], info & 0xFFFFFFFF
            if kind in (_R_PC32, _R_PLT32):
                struct.pack_into("<i", image, place, address(symbol) + addend - place)
            elif kind == _R_64 and symbol.section:
                dynamic.append((place, 0, _R_RELATIVE, address(symbol) + addend))
            else:
                raise LinkError(f"relocation {kind} of '{symbol.name}' is not known")
    for k in range(len(outside)):  # jmp *(table + 8 k)
        at = parts.jumps + 16 * k
        image[at : at + 6] = b"\xff\x25" + struct.pack("<i", parts.table + 8 * k - at - 6)
    parts.write(image, {name: address(local[name]) for name in exports}, dynamic)
    return bytes(image)


def _count_absolute(table: _Section) -> int:
    return sum(info & 0xFFFFFFFF == _R_64 for _, info, _ in struct.iter_unpack("<QQq", table.data))


class _Parts:
    """The parts of the library that the dynamic loader reads."""

    def __init__(self, exports: Sequence[str], outside: Sequence[str]) -> None:
        self.names = [*outside, *exports]
        self.exports = exports
        texts = ["", *self.names, *LIBRARIES]
        self.offsets, self.strings = {}, b""
        for text in texts:
            self.offsets[text] = len(self.strings)
            self.strings += text.encode() + b"\0"
        self.jumps = self.code_end = self.table = self.dynamic = self.end = 0

    def number(self, name: str) -> int:
        """The number of a symbol."""
        return 1 + self.names.index(name)

    def place_tables(self, relocations: int) -> int:
        """Places the tables behind the headers; returns their end."""
        count = 1 + len(self.names)
        self.hash = 64 + 4 * 56
        self.symbols = -(-(self.hash + 4 * (3 + count)) // 8) * 8
        self.text = self.symbols + 24 * count
        self.relocations = -(-(self.text + len(self.strings)) // 8) * 8
        self.relocated = 24 * relocations
        return self.relocations + self.relocated

    def place_data(self, begin: int) -> int:
        """Places the writable tables; returns their end."""
        self.data = self.dynamic = begin
        self.table = begin + 16 * (len(LIBRARIES) + 10)
        return self.table + 8 * (len(self.names) - len(self.exports))

    def write(
        self, image: bytearray, addresses: dict[str, int], relocations: Sequence[tuple[int, int, int, int]]
    ) -> None:
        """Writes headers and tables."""
        size, count = len(image), 1 + len(self.names)
        ident = b"\x7fELF\x02\x01\x01" + bytes(9)
        image[:64] = ident + struct.pack("<HHIQQQIHHHHHH", _SHARED, _X86_64, 1, 0, 64, 0, 0, 64, 56, 4, 64, 0, 0)
        segments = (
            (1, 5, 0, self.code_end, PAGE),
            (1, 6, self.data, size - self.data, PAGE),
            (2, 6, self.dynamic, self.table - self.dynamic, 8),
            (0x6474E551, 6, 0, 0, 16),  # the stack is not executable
        )
        for k, (kind, flags, at, length, align) in enumerate(segments):
            struct.pack_into("<IIQQQQQQ", image, 64 + 56 * k, kind, flags, at, at, at, length, length, align)
        chain = [*range(2, count), 0]
        struct.pack_into(f"<{3 + count}I", image, self.hash, 1, count, 1, 0, *chain)
        for k, name in enumerate(self.names, 1):
            info, where = _GLOBAL << 4 | _FUNCTION, addresses.get(name, 0)
            section = 1 if where else 0  # defined or not; there are no sections to name
            place = self.symbols + 24 * k
            struct.pack_into("<IBBHQQ", image, place, self.offsets[name], info, 0, section, where, 0)
        image[self.text : self.text + len(self.strings)] = self.strings
        for k, (at, symbol, kind, addend) in enumerate(relocations):
            struct.pack_into("<QQq", image, self.relocations + 24 * k, at, symbol << 32 | kind, addend)
        entries = [(1, self.offsets[name]) for name in LIBRARIES]
        entries += [(4, self.hash), (5, self.text), (6, self.symbols), (10, len(self.strings)), (11, 24)]
        entries += [(7, self.relocations), (8, self.relocated), (9, 24), (0x18, 0), (0, 0)]
        for k, entry in enumerate(entries):
            struct.pack_into("<QQ", image, self.dynamic + 16 * k, *entry)


def _read(data: bytes) -> tuple[list[_Section], list[_Symbol]]:
    """The sections and symbols of an object."""
    kind, machine = struct.unpack_from("<HH", data, 16)
    if data[:5] != b"\x7fELF\x02" or kind != _RELOCATABLE or machine != _X86_64:
        raise LinkError("not an object file for x86-64")
    (begin,) = struct.unpack_from("<Q", data, 40)
    _, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, begin + 64 * k) for k in range(count)]
    text = headers[names][4]
    sections = []
    for name, kind, flags, _, at, size, link, info, align, _ in headers:
        body = b"" if kind in (_NULL, _NOBITS) else data[at : at + size]
        sections.append(_Section(_text(data, text + name), kind, flags, body, size, link, info, max(align, 1)))
    symbols = []
    for section in sections:
        if section.kind == _SYMTAB:
            names_of = sections[section.link].data
            for name, info, _, number, value, _ in struct.iter_unpack("<IBBHQQ", section.data):
                symbols.append(_Symbol(_text(names_of, name), info, number, value))
    return sections, symbols


def _text(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode()
