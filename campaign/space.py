"""Overconstrained loops in space: Bennett's, Bricard's and Sarrus's, each with one degree of freedom, in closed form.

Bennett and Bricard are chains of links by Denavit and Hartenberg's frames, F_k = F_{k−1} Rz(θ_k) Tx(a_k) Rx(α_k): link
k has its pins at F_{k−1} and F_k, their axes are the frames' z axes, and the last link, F_K = 1, is the ground.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from campaign.linkage import Linkage
from campaign.matter import link, lump
from campaign.structure import GROUND, Array, Hinge, Pose, Poses

Z = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Circular:
    """An angle by its cosine and sine."""

    cosine: Array
    sine: Array

    def __neg__(self) -> Circular:
        return Circular(self.cosine, -self.sine)


def bennett(rng: np.random.Generator, *, general: bool) -> Linkage:
    """Four revolutes: opposite links alike, sin α/a = sin β/b, tan(θ₁/2) tan(θ₂/2) = sin((β + α)/2)/sin((β − α)/2) = K.

    Bennett, Engineering 76 (1903). Multiplied out, cos θ₂ = (S² − K² C²)/(S² + K² C²) and sin θ₂ = 2 K S C/(S² + K²
    C²), with S, C = sin, cos(θ₁/2).
    """
    alpha, beta = rng.uniform(0.4, 1.2), rng.uniform(1.6, 2.4)
    first = rng.uniform(0.5, 2.0)
    second = first * np.sin(beta) / np.sin(alpha)
    ratio = np.sin(0.5 * (beta + alpha)) / np.sin(0.5 * (beta - alpha))

    def angles(s: Array) -> list[Circular]:
        sine, cosine = np.sin(0.5 * s), ratio * np.cos(0.5 * s)
        whole = sine * sine + cosine * cosine
        theta = Circular(np.cos(s), np.sin(s))
        phi = Circular((sine * sine - cosine * cosine) / whole, 2.0 * sine * cosine / whole)
        return [theta, phi, -theta, -phi]

    return _chain(rng, "Bennett", [first, second] * 2, [alpha, beta] * 2, angles, general)


def bricard(rng: np.random.Generator, *, general: bool) -> Linkage:
    """Six revolutes, all links equal, twists alternately ±90°, joint angles alternately θ and φ: (1 + cos θ)(1 + cos φ)
    = 1.

    A threefold-symmetric Bricard loop (Chen, You and Tarnai, Int. J. Solids and Structures 42, 2005), of which the
    benchmark's is one. With 1 + cos θ = 2^c, 1 + cos φ = 2^−c and c = cos 2σ, sin θ ∝ sin σ and sin φ ∝ cos σ go
    smoothly through zero.
    """
    length = rng.uniform(0.5, 2.0)

    def one(exponent: Array, root: Array) -> Circular:
        """2^x − 1 as a cosine; 1 − cos = 2 − 2^x = 2(1 − 4^(−r²)), where x = 1 − 2r²."""
        power = np.exp(np.log(2.0) * exponent)
        square = root * root + 1e-300  # never 0/0
        share = -np.expm1(-np.log(4.0) * square) / square
        return Circular(power - 1.0, root * np.sqrt(2.0 * share * power))

    def angles(s: Array) -> list[Circular]:
        theta, phi = one(np.cos(2.0 * s), np.sin(s)), one(-np.cos(2.0 * s), np.cos(s))
        return [theta, phi] * 3

    return _chain(rng, "Bricard", [length] * 6, [0.5 * np.pi, -0.5 * np.pi] * 3, angles, general)


def _chain(
    rng: np.random.Generator,
    name: str,
    lengths: Sequence[float],
    twists: Sequence[float],
    angles: Callable[[Array], list[Circular]],
    general: bool,
) -> Linkage:
    moving = range(len(lengths) - 1)
    solids = tuple(link(rng, f"link{k}", lengths[k], rng.uniform(0.2, 2.0), 3, general) for k in moving)

    def path(s: Array) -> Poses:
        turned = angles(s)
        origin, axes = np.zeros((len(s), 3)), np.broadcast_to(np.eye(3), (len(s), 3, 3))
        poses = {}
        for k in moving:
            axes = axes @ _about_z(turned[k]) @ _about_x(twists[k])
            poses[f"link{k}"] = (origin, axes)
            origin = origin + lengths[k] * axes[:, :, 0]
        return poses

    last = len(lengths) - 1
    # the ground is the last link: its far end is the first pin
    ground_end = path(np.array([1.0]))[f"link{last - 1}"]
    closing = ground_end[0][0] + lengths[last - 1] * ground_end[1][0, :, 0]
    hinges = [Hinge(GROUND, "link0", np.zeros(3), "start", _first_axis(twists[0]))]
    hinges += [Hinge(f"link{k - 1}", f"link{k}", "end", "start", _first_axis(twists[k])) for k in moving if k]
    hinges.append(Hinge(GROUND, f"link{last - 1}", closing, "end", Z))
    return Linkage(
        name,
        solids,
        tuple(hinges),
        _gravity(rng),
        float(np.mean(lengths)),
        path,
        2.0 * np.pi,
        (),
    )


def _first_axis(twist: float) -> Array:
    """The axis at a link's start in its own frame: z turned back by the twist."""
    return np.array([0.0, np.sin(twist), np.cos(twist)])


def _about_z(angle: Circular) -> Array:
    zero, one = np.zeros_like(angle.sine), np.ones_like(angle.sine)
    rows = [[angle.cosine, -angle.sine, zero], [angle.sine, angle.cosine, zero], [zero, zero, one]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _about_x(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def sarrus(rng: np.random.Generator, kind: str, *, general: bool) -> Linkage:
    """Two legs of two hinged plates, hinges of one along x, of the other along y, carry a platform straight up and down
    (1853).

    Seen along its hinges a leg has its foot at 0, its knee at lower·(cos φ, sin φ) and its head at (offset, z), the
    first coordinate outwards. φ of the first leg is the parameter.

    leaning   z = l₁ sin φ + √(l₂² − (l₁ cos φ − e)²); no singular position
    folding   heads above feet, both plates of a leg alike, second leg longer: z = 2l sin φ; flat at φ = 0 and π
    twin      the same with both legs alike: singular also when stretched, at φ = ±90°
    """
    lower, offset = rng.uniform(0.5, 1.0), 0.0
    if kind == "leaning":
        offset, other_offset = rng.uniform(-0.2, 0.2, 2)
        upper = lower + abs(offset) + rng.uniform(0.3, 1.0)
        reach = lower + upper + abs(offset)
        shortest = upper - lower - abs(offset)
        middle = 0.5 * reach + abs(other_offset)
        half = max(0.3, 0.45 * shortest)
        other_lower, other_upper = middle + 0.3 * half, middle - 0.3 * half
    else:
        upper, other_offset = lower, 0.0
        other_lower = other_upper = lower if kind == "twin" else lower * rng.uniform(1.2, 2.0)
    feet = -rng.uniform(0.5, 1.0, 2)
    outward = (np.array([0.0, -1.0, 0.0]), np.array([-1.0, 0.0, 0.0]))
    hinge_axes = (np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
    names = ("lower0", "upper0", "lower1", "upper1")
    lengths = (lower, upper, other_lower, other_upper)
    bodies = [link(rng, name, x, rng.uniform(0.2, 2.0), 3, general) for name, x in zip(names, lengths, strict=True)]
    heads = {
        "head0": (-feet[0] + offset) * outward[0],
        "head1": (-feet[1] + other_offset) * outward[1],
    }
    bodies.append(lump(rng, "platform", heads, rng.uniform(0.5, 3.0), 0.5))

    def path(s: Array) -> Poses:
        knee0 = lower * np.stack([np.cos(s), np.sin(s)], axis=-1)
        if kind == "leaning":
            z = knee0[:, 1] + np.sqrt(upper**2 - (knee0[:, 0] - offset) ** 2)
            arm = np.stack([other_offset + 0.0 * z, z], axis=-1)
            square = np.sum(arm * arm, axis=-1)
            both, gap = (other_lower + other_upper) ** 2, (other_lower - other_upper) ** 2
            along = 0.5 * (other_lower**2 - other_upper**2 + square) / square
            across = 0.5 * np.sqrt(both - square) * np.sqrt(square - gap) / square
            knee1 = along[:, None] * arm + across[:, None] * np.stack([arm[:, 1], -arm[:, 0]], axis=-1)
        else:
            z = 2.0 * knee0[:, 1]
            cosine = np.cos(s) if kind == "twin" else np.sqrt(1.0 - (lower / other_lower * np.sin(s)) ** 2)
            knee1 = np.stack([other_lower * cosine, 0.5 * z], axis=-1)
        poses: dict[str, Pose] = {}
        for leg, knee, lean in ((0, knee0, offset), (1, knee1, other_offset)):
            foot = np.zeros_like(knee)
            head = np.stack([lean + 0.0 * z, z], axis=-1)
            place = -feet[leg] * outward[leg]
            for name, begin, end, length in (
                (f"lower{leg}", foot, knee, lengths[2 * leg]),
                (f"upper{leg}", knee, head, lengths[2 * leg + 1]),
            ):
                x, y = ((end - begin) / length).T
                first = x[:, None] * outward[leg] + y[:, None] * Z
                second = x[:, None] * Z - y[:, None] * outward[leg]
                third = np.broadcast_to(np.cross(outward[leg], Z), first.shape)
                origin = place + begin[:, :1] * outward[leg] + begin[:, 1:] * Z
                poses[name] = (origin, np.stack([first, second, third], axis=-1))
        level = np.broadcast_to(np.eye(3), (len(s), 3, 3))
        poses["platform"] = (z[:, None] * Z, level)
        return poses

    hinges = []
    for leg in (0, 1):
        axis = hinge_axes[leg]
        turned = np.array([0.0, 0.0, 1.0])  # a plate's own z is the hinge's axis, up to its sign
        hinges.append(Hinge(GROUND, f"lower{leg}", -feet[leg] * outward[leg], "start", turned))
        hinges.append(Hinge(f"lower{leg}", f"upper{leg}", "end", "start", turned))
        hinges.append(Hinge(f"upper{leg}", "platform", "end", f"head{leg}", axis))
    flats = {
        "leaning": (),
        "folding": (0.0, np.pi),
        "twin": (0.0, 0.5 * np.pi, np.pi, 1.5 * np.pi),
    }[kind]
    return Linkage(
        f"Sarrus, {kind}",
        tuple(bodies),
        tuple(hinges),
        _gravity(rng),
        float(np.mean(lengths)),
        path,
        2.0 * np.pi,
        flats,
    )


def turned(linkage: Linkage, origin: Array, axes: Array) -> Linkage:
    """The same linkage elsewhere in the world."""

    def path(s: Array) -> Poses:
        return {name: (origin + place @ axes.T, axes @ own) for name, (place, own) in linkage.path(s).items()}

    hinges = tuple(
        hinge if isinstance(hinge.at_a, str) else replace(hinge, at_a=origin + axes @ hinge.at_a)
        for hinge in linkage.hinges
    )
    return replace(linkage, hinges=hinges, gravity=axes @ linkage.gravity, path=path)


def _gravity(rng: np.random.Generator) -> Array:
    down = rng.normal(size=3)
    result: Array = 9.81 * down / np.linalg.norm(down)
    return result
