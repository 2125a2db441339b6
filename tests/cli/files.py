"""Mechanisms in files, good and bad, for the command line to read."""

from __future__ import annotations

PENDULUM = """
format = "grashof 1"
name = "pendulum"
gravity = [0.0, -9.81]

[ground]
O = [0.0, 0.0]

[[bodies]]
type = "bar"
name = "rod"
length = 1.0
mass = 1.0

[[joints]]
type = "revolute"
name = "pin"
a = "ground.O"
b = "rod.start"

[start]
needs = [{ quantity = "rod.angle", value = 0.3 }]
"""

USER_FORCE = """
[[forces]]
type = "user"
name = "push"
on = ["rod.angle"]
function = "own_forces:{}"
"""

SWINGING_BAR = """
format = "grashof 1"
name = "bar on a ball"
dimension = 3
gravity = [0.0, 0.0, -9.81]

[ground]
O = [0.0, 0.0, 0.0]

[[bodies]]
type = "bar"
name = "bar"
length = 1.0
mass = 1.0

[[joints]]
type = "spherical"
name = "ball"
a = "ground.O"
b = "bar.start"

[[measures]]
type = "angle"
name = "azimuth"
body = "bar"
axis = [0, 0, 1]
zero = [1, 0, 0]
direction = [1, 0, 0]

[start]
guesses = { bar = { position = [0, 0, 0] } }
"""

SPINNING_BRICK = """
format = "grashof 1"
name = "brick"
dimension = 3

[[bodies]]
type = "rigid"
name = "brick"
mass = 1.0
center = [0.0, 0.0, 0.0]
inertia = [1.0, 1.0, -3.0]
"""


def bars(names: list[str]) -> str:
    """Bars of 1 m and 1 kg."""
    return "".join(f'[[bodies]]\ntype = "bar"\nname = "{name}"\nlength = 1.0\nmass = 1.0\n' for name in names)


def pins(pairs: list[tuple[str, str]]) -> str:
    """Revolute joints, called pin1, pin2 …"""
    lines = '[[joints]]\ntype = "revolute"\nname = "pin{}"\na = "{}"\nb = "{}"\n'
    return "".join(lines.format(number, a, b) for number, (a, b) in enumerate(pairs, 1))


def four_bar(span: float, more: str = "") -> str:
    """Crank, coupler and rocker of 1 m between ground pivots `span` metres apart."""
    head = (
        f'format = "grashof 1"\nname = "four-bar"\ngravity = [0.0, -9.81]\n[ground]\nO = [0.0, 0.0]\nB = [{span}, '
        "0.0]\n"
    )
    joints = [
        ("ground.O", "crank.start"),
        ("crank.end", "coupler.start"),
        ("coupler.end", "rocker.end"),
        ("rocker.start", "ground.B"),
    ]
    return head + bars(["crank", "coupler", "rocker"]) + pins(joints) + more


def motor(name: str, target: str, law: str) -> str:
    """A motor."""
    return f'[[motors]]\nname = "{name}"\ntarget = "{target}"\nlaw = "{law}"\n'


def flat_double_four_bar() -> str:
    """The double four-bar lying flat to the right: exactly at its singular position."""
    head = (
        'format = "grashof 1"\nname = "flat"\ngravity = [0.0, -9.81]\n[ground]\nA = [0.0, 0.0]\nB = [1.0, 0.0]\nC '
        "= [2.0, 0.0]\n"
    )
    joints = [
        ("ground.A", "a.start"),
        ("ground.B", "b.start"),
        ("ground.C", "c.start"),
        ("a.end", "ab.start"),
        ("ab.end", "b.end"),
        ("b.end", "bc.start"),
        ("bc.end", "c.end"),
    ]
    places = {"a": 0.0, "b": 1.0, "c": 2.0, "ab": 1.0, "bc": 2.0}
    guesses = "".join(f"{name} = {{ position = [{x}, 0.0] }}\n" for name, x in places.items())
    return head + bars(list(places)) + pins(joints) + "[start.guesses]\n" + guesses
