"""Colours of pictures and pages on light ground.

The first six are those of Okabe and Ito (2008), "Color Universal Design", without yellow, which is too faint on white; violet and grey are added. Any two of them
differ for people with each kind of colour blindness too: a test simulates it.
"""

from __future__ import annotations

BODIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#3d2b7d", "#5c5c5c")
"""Bodies in turn, and curves of plots."""

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
