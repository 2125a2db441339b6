"""Colours of pictures and pages.

The first six of bodies are those of Okabe and Ito (2008), "Color Universal Design". Their yellow is too faint on white: there, violet and a dark grey are added; on dark
ground yellow and a light grey are. Any two differ for people with each kind of colour blindness too: a test simulates it.
"""

from __future__ import annotations

BODIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#3d2b7d", "#5c5c5c")
"""Bodies in turn, and curves of plots, on light ground."""

DARK_BODIES = (*BODIES[:6], "#f0e442", "#d8d8d8")
"""Bodies on dark ground."""

INK = "#24292f"
"""Outlines, pins, springs, writing."""

GROUND = "#8a9099"
"""What does not move."""

STEEL = "#d5dae0"
"""Joints and other small parts."""

ACCENT = "#b3123f"
"""Motors, torques and loads."""

PAPER = "#ffffff"
"""What everything is drawn on."""

FAINT = "#e6e9ed"
"""Lines that only help to see the scale."""
