"""The notebooks are what their pages say, and run from the first cell to the last."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from tests.docs.pages import DOCS

EXAMPLES = DOCS.parent / "examples"


def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_notebooks", DOCS / "make_notebooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NOTEBOOKS = maker().NOTEBOOKS


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_up_to_date(name: str) -> None:
    written = (EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8")
    assert maker().notebook(NOTEBOOKS[name]) == written, "run python docs/make_notebooks.py --notebooks"


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_what_a_notebook_links_to_exists(name: str) -> None:
    for cell in json.loads((EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "markdown":
            for link in maker()._LINK.findall("".join(cell["source"])):
                assert (EXAMPLES / link.partition("#")[0]).exists(), link


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs(name: str, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbconvert is not installed")
    execute = pytest.importorskip("nbconvert.preprocessors", reason="nbconvert is not installed")
    notebook = nbformat.read(EXAMPLES / f"{name}.ipynb", as_version=4)
    execute.ExecutePreprocessor(timeout=600).preprocess(notebook, {"metadata": {"path": str(tmp_path)}})
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in cells)
    assert any("text" in output for cell in cells for output in cell.outputs)
