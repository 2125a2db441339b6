"""Displayed formulas: a fenced block `math`, as GitHub shows it, becomes MathML, which browsers draw without a
script. Numbers such as 1e-6 or 2 ms, and options of commands, are not broken. An index as in P_a becomes a
subscript."""

from __future__ import annotations

import re

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

_BLOCK = re.compile(r"^```math\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MATRIX = re.compile(
    r"<mo[^>]*>(?:\[|&#x0005B;)</mo>\s*<mtable([^>]*)>(.*?)</mtable>\s*<mo[^>]*>(?:\]|&#x0005D;)</mo>",
    re.DOTALL,
)
_CELL = re.compile(r"<td[^>]*>.*?</td>", re.DOTALL)
_NUMBER = re.compile(
    r"(?<![\w.-])\d[\d.,]*(?:e-\d+(?: J\b)?| (?:[nµm]?s|[kMG]B|J|N|mm?|rad|%)(?![\w/]))"
)
_CODE = re.compile(r"(?<!<pre>)<code>[^<]*</code>")
_WHOLE = r'<span class="number">\g<0></span>'
_DOTTED = re.compile(r"(?<=\w\w)([._])(?=\w\w)")
_LISTING = re.compile(r"(<(pre|code|math|h\d)\b.*?</\2>|<[^>]*>)", re.DOTALL)
_INDEX = re.compile(
    r"(?<![\w.])([A-Za-zα-ωΑ-Ω])_([A-Za-z0-9]|ij|xx|yy|zz|xy|xz|yz|wheel|worm)\b"
)
_OPTION = re.compile(r"(?<![\w-])-{1,2}[A-Za-z][\w-]*")


def on_page_markdown(
    markdown: str, page: Page, config: MkDocsConfig, files: Files
) -> str:
    """Puts MathML in place of the blocks."""
    return _BLOCK.sub(
        lambda match: f'<div class="formula">{formula(match[1])}</div>\n', markdown
    )


def formula(latex: str) -> str:
    """MathML; the brackets of matrices are borders, because only fonts made for mathematics have brackets that grow."""
    return _MATRIX.sub(
        r'<mtable class="matrix"\1>\2</mtable>', convert(latex.strip(), display="block")
    )


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Keeps numbers such as 1e-6 and options such as `--out` in one line; names with dots may be broken in tables."""
    html = _CODE.sub(
        lambda code: _OPTION.sub(_WHOLE, _NUMBER.sub(_WHOLE, code[0])), html
    )
    html = _CELL.sub(lambda cell: _broken(cell[0]), html)
    parts = _LISTING.split(html)
    # each listing or tag is followed by its name, which is a group of its own
    texts = [
        _INDEX.sub(r"\1<sub>\2</sub>", _NUMBER.sub(_WHOLE, text)) for text in parts[::3]
    ]
    tags = [*parts[1::3], ""]
    return "".join(text + tag for text, tag in zip(texts, tags, strict=True))


def _broken(cell: str) -> str:
    """A cell in which long names in code may be broken after dots and underscores."""
    return _CODE.sub(lambda code: _DOTTED.sub(r"\1<wbr>", code[0]), cell)
