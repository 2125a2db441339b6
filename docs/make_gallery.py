"""Writes docs/gallery.md, the pages of its mechanisms, and the pictures of mechanisms and problems, which are in the package for the web app, from
the gallery's index: `python docs/make_gallery.py`; `--page` leaves the pictures alone."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

import grashof as gr
from grashof.common.writing import write_atomically
from grashof.examples import Entry, example_text
from grashof.problems import PROBLEMS, make_case
from grashof.scene import describe, describe_model
from grashof.scene.palette import BODIES
from grashof.show.drawing import canvas, paint_frame
from grashof.show.seen import Seen

FOLDER = Path(__file__).parent
PICTURES = FOLDER.parent / "src" / "grashof" / "examples" / "pictures"
LINKED = "../src/grashof/examples/pictures"
"""The same from the page."""

TOO_SMALL = {"spinning-coin"}
"""Problems without a picture: the coin has a point on its axis a hundred radii away, beside which it is not seen."""

HEAD = """# Gallery

Thirty-one mechanisms to look at, to learn from and to change, each on a page of its own, where it moves in the browser. Each is a [file](file-format.md) in the package, with [parameters](parameters.md) for the numbers
that are worth changing; the last four are benchmark problems. For most of them the page also shows how to build the mechanism in Python.

<!-- thumbnails -->

## In Python and on the command line

```python
import grashof as gr

for entry in gr.gallery():
    print(entry.name, entry.title, entry.kind, entry.t_end)

leg = gr.example("jansen")
print(gr.mobility(leg))
run = gr.simulate(leg, 4.0)
run.plot(["leg.foot.x", "leg.foot.y"], path="foot.png")
run.animate("leg.html")

longer = gr.with_numbers(leg, {"H": 0.68})
```

On the command line, `grashof gallery` lists the mechanisms, `grashof gallery jansen -o my-leg.toml` copies one to a file of your own, and all other commands accept
their names: `grashof simulate jansen`, `grashof mobility bennett`, `grashof simulate jansen --set H=0.68`. `grashof live jansen -o jansen.html` writes a page that simulates the mechanism, with sliders for its parameters.

<!-- This page and those of the mechanisms are written by docs/make_gallery.py. -->
"""


def text() -> str:
    """The page with all mechanisms, by kind."""
    lines = []
    for kind in dict.fromkeys(entry.kind for entry in gr.gallery()):
        lines += [
            f"## {kind.capitalize()}",
            "",
            '<div class="cards" markdown>',
            "",
        ]
        lines += [_card(entry) for entry in gr.gallery() if entry.kind == kind]
        lines += ["", "</div>", ""]
    return HEAD.replace("<!-- thumbnails -->", "\n".join(lines).rstrip())


def _card(entry: Entry) -> str:
    """A small picture and the title, which lead to the page of the mechanism."""
    picture = f"![{entry.title}]({LINKED}/{entry.name}.png)"
    return f"- [{picture} **{entry.title}**](gallery/{entry.name}.md) <br> {_first_sentence(entry.teaches)}"


def _first_sentence(words: str) -> str:
    return re.split(r"(?<=[.;]) ", words)[0].rstrip(";.") + "."


def page(entry: Entry) -> str:
    """The page of a mechanism."""
    lines = [
        "---",
        "search: {boost: 0.3}  # listings have many words, and are seldom what is searched for",
        "---",
        "",
        f"# {entry.title}",
        "",
        f"![{entry.title}](../{LINKED}/{entry.name}.png)",
        "",
        entry.teaches,
        "",
    ]
    listing = FOLDER / "gallery" / f"{entry.name}.py"
    if listing.exists():
        code = listing.read_text(encoding="utf-8").rstrip()
        lines += ["## In Python", "", "```python", code, "```", ""]
    if entry.problem:
        lines += [
            f"`grashof run {entry.name}` simulates it and judges the result by the problem's own rule.",
            "",
        ]
    else:
        lines += [
            "## As a file",
            "",
            f"`grashof gallery {entry.name} -o my-{entry.name}.toml` writes this file, and `grashof simulate {entry.name}` simulates it.",
            "",
            "```toml",
            example_text(entry.name).rstrip(),
            "```",
            "",
        ]
    lines.append("[All mechanisms of the gallery](../gallery.md)")
    return "\n".join(lines) + "\n"


def picture(entry: Entry) -> bytes:
    """The mechanism at a fifth of its run, and the paths of the points that are worth seeing."""
    run = gr.simulate(gr.example(entry.name), entry.t_end)
    scene = describe(run, np.linspace(0.0, entry.t_end, 801), quantities=False)
    seen = Seen(scene)
    figure, axes = canvas(seen)
    axes.set_axis_off()
    paint_frame(axes, seen, 160)
    for point in scene.points:
        if point.name in entry.trace:
            path = np.array(
                [seen.frame(row).place(point.spot) for row in range(len(seen.times))]
            )
            axes.plot(
                *path.T[:2],
                color=BODIES[scene.bodies[point.spot.body].color % len(BODIES)],
                linewidth=1.5,
                zorder=1.8,
            )
    return _png(figure)


def problem_picture(name: str) -> bytes:
    """The mechanism of a benchmark problem at its start."""
    seen = Seen(describe_model(make_case(name).model))
    figure, axes = canvas(seen)
    axes.set_axis_off()
    paint_frame(axes, seen, 0)
    return _png(figure)


def _png(figure: Figure) -> bytes:
    """A PNG file with few colours."""
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=100)
    small = io.BytesIO()
    Image.open(drawn).convert("RGB").quantize(48).save(small, "PNG", optimize=True)
    return small.getvalue()


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    for entry in gr.gallery():
        if "--page" not in sys.argv:
            write_atomically(PICTURES / f"{entry.name}.png", picture(entry))
    for name in {*PROBLEMS} - {entry.name for entry in gr.gallery()} - TOO_SMALL:
        if "--page" not in sys.argv:
            write_atomically(PICTURES / f"{name}.png", problem_picture(name))
    write_atomically(FOLDER / "gallery.md", text())
    for entry in gr.gallery():
        write_atomically(FOLDER / "gallery" / f"{entry.name}.md", page(entry))


if __name__ == "__main__":
    main()
