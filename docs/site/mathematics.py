"""Displayed formulas: a fenced block `math`, as GitHub shows it, becomes MathML, which browsers draw without a script. Numbers in tables, and options of commands, are not broken."""

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
_NUMBER = re.compile(r"(?<![\w.-])\d[\d.]*e-\d+")
_CODE = re.compile(r"(?<!<pre>)<code>[^<]*</code>")
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
    """Keeps numbers such as 1e-6 in one line in narrow columns of tables, and options such as `--out` everywhere."""
    whole = r'<span class="number">\g<0></span>'
    html = _CODE.sub(lambda code: _OPTION.sub(whole, code[0]), html)
    return _CELL.sub(lambda cell: _NUMBER.sub(whole, cell[0]), html)
