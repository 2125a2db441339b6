"""Figures made with matplotlib, without its global state: histories, drawings of the mechanism and animations."""

from grashof.show.animation import animate, check_animation
from grashof.show.drawing import draw, draw_model
from grashof.show.files import check_figure, save_figure
from grashof.show.plots import figure_of, plot, plot_histories

__all__ = [
    "animate",
    "check_animation",
    "check_figure",
    "draw",
    "draw_model",
    "figure_of",
    "plot",
    "plot_histories",
    "save_figure",
]
