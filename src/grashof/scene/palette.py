"""Colours of pictures and pages.

The first six colours of bodies are those of Okabe and Ito (2008), "Color Universal Design". Their yellow is too faint
on white, so violet and a dark grey are added there; yellow and a light grey are added on a dark background. Any two
colours can also be told apart with each kind of colour blindness, which a test simulates.
"""

from __future__ import annotations

BODIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#3d2b7d", "#5c5c5c")
"""Bodies in turn, and curves of plots, on a light background."""

DARK_BODIES = (*BODIES[:6], "#f0e442", "#d8d8d8")
"""Bodies on a dark background."""

INK = "#24292f"
"""Outlines, pins, springs and text."""

GROUND = "#8a9099"
"""Parts that do not move."""

STEEL = "#d5dae0"
"""Joints and other small parts."""

ACCENT = "#b3123f"
"""Motors, torques and loads."""

PAPER = "#ffffff"
"""The background."""

FAINT = "#e6e9ed"
"""Grid lines."""
