"""Writes docs/gallery.md and its pictures from the gallery's index: `python docs/make_gallery.py`."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image

import grashof as gr
from grashof.examples import Entry, example_text
from grashof.scene import describe
from grashof.scene.palette import BODIES
from grashof.show.drawing import canvas, painted
from grashof.show.seen import Seen
from grashof.writing import write_atomically

FOLDER = Path(__file__).parent
PICTURES = FOLDER / "images" / "gallery"

HEAD = """# Gallery

Mechanisms to look at, to learn from and to change. Each is a [file](file-format.md) in the package, with [parameters](parameters.md) for the numbers
that one would like to change.

```python
import grashof as gr

for entry in gr.gallery():
    print(entry.name, entry.title, entry.t_end)

leg = gr.example("jansen")
print(gr.mobility(leg))
run = gr.simulate(leg, 4.0)
run.plot(["leg.foot.x", "leg.foot.y"], path="foot.png")
run.animate("leg.html")

longer = gr.with_numbers(leg, {"H": 0.68})
```

On the command line, `grashof gallery` lists them, `grashof gallery jansen -o my-leg.toml` writes one to a file of your own, and the other commands take
their names: `grashof simulate jansen`, `grashof mobility bennett`, `grashof simulate jansen --set H=0.68`.

<!-- From here on this page is written by docs/make_gallery.py. -->
"""


def text() -> str:
    """The page."""
    return "\n".join([HEAD, *(_section(entry) for entry in gr.gallery())])


def _section(entry: Entry) -> str:
    lines = [f"## {entry.title}", "", f"![{entry.title}](images/gallery/{entry.name}.png)", "", entry.teaches, ""]
    if entry.problem:
        lines += [f"`grashof run {entry.name}` judges a run of it by the problem's own rule.", ""]
    else:
        lines += [f"<details><summary><code>{entry.name}.toml</code></summary>", ""]
        lines += ["```toml", example_text(entry.name).rstrip(), "```", "", "</details>", ""]
    return "\n".join(lines)


def picture(entry: Entry) -> bytes:
    """The mechanism at a fifth of its run, and the paths of the points that are worth seeing, as a PNG file with few colours."""
    run = gr.simulate(gr.example(entry.name), entry.t_end)
    scene = describe(run, np.linspace(0.0, entry.t_end, 801), quantities=False)
    seen = Seen(scene)
    figure, axes = canvas(seen)
    axes.set_axis_off()
    painted(axes, seen, 160)
    for point in scene.points:
        if point.name in entry.trace:
            path = np.array([seen.frame(row).place(point.spot) for row in range(len(seen.times))])
            axes.plot(
                *path.T[:2], color=BODIES[scene.bodies[point.spot.body].color % len(BODIES)], linewidth=1.5, zorder=1.8
            )
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=100)
    small = io.BytesIO()
    Image.open(drawn).convert("RGB").quantize(48).save(small, "PNG", optimize=True)
    return small.getvalue()


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    for entry in gr.gallery():
        write_atomically(PICTURES / f"{entry.name}.png", picture(entry))
    write_atomically(FOLDER / "gallery.md", text())


if __name__ == "__main__":
    main()
