"""Pictures: histories, drawings of the mechanism, animations. Made with matplotlib, without its global state."""

from grashof.show.animation import animate
from grashof.show.drawing import draw
from grashof.show.files import check_figure, save_figure
from grashof.show.plots import figure_of, plot

__all__ = ["animate", "check_figure", "draw", "figure_of", "plot", "save_figure"]
