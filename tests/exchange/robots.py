"""Random robots as URDF documents."""

from __future__ import annotations

import numpy as np

KINDS = ("revolute", "prismatic", "continuous", "fixed", "continuous", "planar", "floating")


def robot(seed: int, kinds: tuple[str, ...] = KINDS, limits: bool = True) -> str:
    """Joints with axes and frames in any direction, with damping and friction; the last turning one follows the
    first."""
    rng = np.random.default_rng(seed)
    text, turning, parents = '<robot name="random"><link name="base"/>', [], ["base"]
    for k, kind in enumerate(rng.permutation(kinds)):
        mass, place, rpy = rng.uniform(0.5, 2.0), rng.uniform(-0.3, 0.3, 3), rng.uniform(-2, 2, 3)
        xx, yy, zz, xy, xz, yz = (*rng.uniform(0.03, 0.05, 3), *rng.uniform(-0.005, 0.005, 3))
        text += (
            f'<link name="link{k}"><inertial><origin xyz="{row(place)}" rpy="{row(rpy)}"/><mass value="{mass}"/><inertia '
            f'ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="{xy}" ixz="{xz}" iyz="{yz}"/></inertial></link>'
        )
        above = "base" if kind == "floating" else parents[rng.integers(0, len(parents))]
        parents += [f"link{k}"] if kind != "floating" else []  # what falls with a free body does not move on it
        text += f'<joint name="joint{k}" type="{kind}"><parent link="{above}"/><child link="link{k}"/>'
        text += f'<origin xyz="{row(rng.uniform(-0.5, 0.5, 3))}" rpy="{row(rng.uniform(-2, 2, 3))}"/>'
        text += f'<axis xyz="{row(rng.normal(size=3))}"/>'
        if kind in ("revolute", "continuous", "prismatic"):
            text += f'<dynamics damping="{rng.uniform(0.1, 0.3)}" friction="{rng.uniform(0.01, 0.02)}"/>'
            if kind != "continuous" and limits:
                text += (
                    f'<limit lower="{-rng.uniform(0.1, 0.2)}" upper="{rng.uniform(0.1, 0.2)}" effort="1" velocity="1"/>'
                )
            if kind == "continuous" and turning:
                text += f'<mimic joint="{turning[0]}" multiplier="0.5"/>'
            if kind != "prismatic":
                turning.append(f"joint{k}")
        text += "</joint>"
    return text + "</robot>"


def row(x: np.ndarray) -> str:
    return " ".join(map(repr, map(float, x)))
