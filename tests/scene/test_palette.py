"""Colours can be told apart by everybody."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from grashof.scene.palette import ACCENT, BODIES, DARK_BODIES, GROUND, INK, PAPER

# Machado, Oliveira and Fernandes (2009), "A physiologically-based model for simulation of color vision deficiency",
# severity 1, linear RGB
SIGHTS = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def linear(color: str) -> np.ndarray:
    """sRGB as amounts of light (IEC 61966-2-1)."""
    parts = np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(light: np.ndarray) -> np.ndarray:
    """CIE L*a*b* for daylight D65."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = to_xyz @ np.clip(light, 0.0, 1.0) / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("colors", [BODIES, DARK_BODIES])
@pytest.mark.parametrize("sight", SIGHTS)
def test_bodies_have_colours_that_differ_for_all_eyes(sight: str, colors: tuple[str, ...]) -> None:
    """ΔE of CIE 1976 above 15: a just noticeable difference is about 2.3."""
    seen = [lab(SIGHTS[sight] @ linear(color)) for color in colors]
    assert min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2)) > 15.0


def test_the_viewer_has_the_same_colours() -> None:
    theme = (Path(__file__).parents[2] / "web" / "src" / "stage" / "theme.ts").read_text(encoding="utf-8")
    lists = dict(re.findall(r"const (\w*BODIES) = \[(.*?)\]", theme))
    found = {name: tuple(re.findall(r"#[0-9a-f]{6}", colors)) for name, colors in lists.items()}
    assert found == {"BODIES": BODIES, "DARK_BODIES": DARK_BODIES}


def test_writing_and_signs_stand_out_from_the_paper() -> None:
    """Contrast as in WCAG 2: 7 for writing, 3 for what is drawn; fills of bodies have outlines and need less."""

    def contrast(color: str) -> float:
        bright, dark = (float(np.array([0.2126, 0.7152, 0.0722]) @ linear(x)) + 0.05 for x in (PAPER, color))
        return bright / dark

    assert contrast(INK) > 7.0
    assert contrast(ACCENT) > 4.5
    assert contrast(GROUND) > 3.0
    assert min(contrast(color) for color in BODIES) > 2.0
