"""Random documents of OpenSim and MuJoCo whose parts have forms of their own, and what they say."""

from __future__ import annotations

import random
import re

from grashof.exchange.xml import Element

from .documents import JOINTS, body, document

COUNTS = {**{kind: text.count("Coordinate") for kind, text in JOINTS.items()}, "FreeJoint": 6}


def row(draw: random.Random, count: int = 3, size: float = 1.0) -> str:
    return " ".join(repr(draw.uniform(-size, size)) for _ in range(count))


class Writer:
    """A document under construction; frames of bodies are shared by joints.

    constants   whether custom joints may have constant rotations
    """

    def __init__(self, draw: random.Random, constants: bool) -> None:
        self.draw, self.constants = draw, constants
        self.frames: dict[str, list[str]] = {}
        """Frames in the components of bodies."""
        self.texts: dict[str, str] = {}

    def offset(self, name: str, on: str) -> str:
        turned = self.draw.choice(["0 0 0", row(self.draw, 3, 1.5)])
        return (
            "<PhysicalOffsetFrame "
            f'name="{name}"><socket_parent>{on}</socket_parent><translation>{row(self.draw)}</translation>'
            f"<orientation>{turned}</orientation></PhysicalOffsetFrame>"
        )

    def end(self, on: str, name: str, owner: str) -> tuple[str, str]:
        """The socket of a joint or a constraint on a body, and frames that are its own."""
        path = "/ground" if on == "ground" else f"/bodyset/{on}"
        shared = self.frames.setdefault(on, [])
        if on != "ground" and self.draw.random() < 0.4:
            if not shared or self.draw.random() < 0.5:
                below = self.draw.choice(["", *shared])
                shared.append(f"f{len(shared)}")
                self.texts[on] = self.texts.get(on, "") + self.offset(shared[-1], f"{path}/{below}".rstrip("/"))
            path = f"{path}/{self.draw.choice(shared)}"
        own = ""
        for k in range(self.draw.choice((0, 1, 1, 2))):
            own += self.offset(f"{name}{k}", path)
            path = f"{owner}/{name}{k}"
        return path, own

    def joint(self, kind: str, name: str, parent: str, child: str) -> str:
        count = self.draw.choice((1, 1, 2, 3)) if kind == "CustomJoint" else COUNTS[kind]
        names = [f"q_{name}_{k}" for k in range(count)]
        coordinates = "".join(
            f'<Coordinate name="{q}"><default_value>{row(self.draw, 1, 0.7)}</default_value>'
            f"<default_speed_value>{self.draw.choice(['0', row(self.draw, 1)])}</default_speed_value></Coordinate>"
            for q in names
        )
        (first, own), (second, more) = (
            self.end(on, side, f"/jointset/{name}") for on, side in ((parent, "p"), (child, "c"))
        )
        transform = self.transform(names) if kind == "CustomJoint" else ""
        return (
            f"<{kind} "
            f'name="{name}"><socket_parent_frame>{first}</socket_parent_frame><socket_child_frame>{second}</socket_child_frame>'
            f"<coordinates>{coordinates}</coordinates><frames>{own}{more}</frames>{transform}</{kind}>\n"
        )

    def transform(self, names: list[str]) -> str:
        """Coordinates along some of six axes, the others constant."""
        draw = self.draw
        labels = [f"{kind}{k}" for kind in ("rotation", "translation") for k in (1, 2, 3)]
        moved = dict(zip(draw.sample(labels, len(names)), names, strict=True))
        oblique, text = draw.random() < 0.5, ""
        if draw.random() < 0.2:  # a second axis with the same coordinate
            moved[draw.choice([label for label in labels if label not in moved])] = names[0]
        moving = [k for k, label in enumerate(labels) if label in moved]
        for k, label in enumerate(labels):
            axis = row(draw) if oblique else " ".join(str(float(i == k % 3)) for i in range(3))
            if label in moved:
                slope = draw.choice(["1", "1", "-1", row(draw, 1, 2.0)])
                function = f"<LinearFunction><coefficients>{slope} 0</coefficients></LinearFunction>"
            else:
                # a constant part between two motions is not supported
                first = k < moving[0] < 3
                constant = draw.choice(["0", row(draw, 1)]) if first and self.constants else "0"
                function = f"<Constant><value>{constant}</value></Constant>"
            if draw.random() < 0.3:
                scale = draw.choice(["1", "2.5"])
                function = (
                    f"<MultiplierFunction><function>{function}</function><scale>{scale}</scale></MultiplierFunction>"
                )
            text += (
                f'<TransformAxis name="{label}"><coordinates>{moved.get(label, "")}</coordinates><axis>{axis}</axis>'
                f"<function>{function}</function></TransformAxis>"
            )
        return f"<SpatialTransform>{text}</SpatialTransform>"

    def between(self, kind: str, name: str, *ends: str) -> str:
        """A constraint or a spring between two bodies, or a marker on one."""
        sockets, places = {
            "PointOnLineConstraint": (("line_body", "follower_body"), ("point_on_line", "point_on_follower")),
            "PointToPointSpring": (("body1", "body2"), ("point1", "point2")),
            "Marker": (("parent_frame",), ("location",)),
        }.get(kind, (("body_1", "body_2"), ("location_body_1", "location_body_2")))
        group = {"PointToPointSpring": "forceset", "Marker": "markerset"}.get(kind, "constraintset")
        text, frames = "", ""
        for socket, place, on, side in zip(sockets, places, ends, "ab", strict=False):
            path, own = self.end(on, side, f"/{group}/{name}")
            text += f"<socket_{socket}>{path}</socket_{socket}><{place}>{row(self.draw)}</{place}>"
            frames += own
        more = {
            "PointOnLineConstraint": f"<line_direction_vec>{row(self.draw)}</line_direction_vec>",
            "PointToPointSpring": f"<stiffness>{self.draw.uniform(1.0, 9.0)!r}</stiffness><rest_length>{self.draw.random()!r}</rest_length>",
            "ConstantDistanceConstraint": f"<constant_distance>{self.draw.uniform(1.0, 2.0)!r}</constant_distance>",
        }
        return f'<{kind} name="{name}">{text}{more.get(kind, "")}<components>{frames}</components></{kind}>\n'


def osim(seed: int, simulated: bool = False) -> str:
    """Bodies on custom joints and others, with frames on frames, joints that lead towards the ground, a joint that
    closes a loop, a constraint that the values do not satisfy, and a body without inertia.

    simulated   what OpenSim simulates: without loops, whose start it would choose in its own way, and without constant
                rotations; with these, the energy of a free body in OpenSim 4.6 is not constant if it also slides or if
                the joint leads towards the ground
    """
    draw = random.Random(f"forms {seed}")
    make, names = Writer(draw, constants=not simulated), ["ground"]
    bodies, parts = {}, []
    for k in range(draw.randint(1, 4)):
        name, kind = f"b{k}", draw.choice([*COUNTS, *["CustomJoint"] * 5])
        parent = "ground" if kind == "FreeJoint" else draw.choice(names)
        ends = (name, parent) if draw.random() < 0.25 else (parent, name)
        parts.append(make.joint(kind, f"j{k}", *ends))
        bodies[name] = body(name, draw)
        names.append(name)
    # a body that is free, so that whatever is asked of it can be satisfied
    bodies["last"] = body("last", draw)
    parts.append(make.joint("FreeJoint", "j_last", "ground", "last"))
    other = draw.choice(names)
    kinds = ("", "closing", "PointConstraint", "PointOnLineConstraint", "ConstantDistanceConstraint")
    match "" if simulated else draw.choice(kinds):
        case "closing":
            kind = draw.choice(["PinJoint", "SliderJoint", "UniversalJoint", "BallJoint", "PlanarJoint"])
            parts.append(make.joint(kind, "closing", *draw.choice([(other, "last"), ("last", other)])))
        case "":
            pass
        case kind:
            parts.append(make.between(kind, "closing", *draw.choice([(other, "last"), ("last", other)])))
    # a body that cannot turn needs no inertia
    bodies["light"] = re.sub("<inertia>.*</inertia>", "<inertia>0 0 0 0 0 0</inertia>", body("light", draw))
    parts.append(make.joint("SliderJoint", "j_light", "ground", "light"))
    markers = "".join(make.between("Marker", f"m{k}", draw.choice(names[1:])) for k in range(draw.randint(0, 2)))
    spring = make.between("PointToPointSpring", "spring", *draw.sample([*names, "last"], 2))
    for name, text in make.texts.items():
        bodies[name] = bodies[name].replace("</Body>", f"<components>{text}</components></Body>")
    # the joint that closes a loop is read after the others
    ordered = sorted(draw.sample(parts, len(parts)), key=lambda part: "closing" in part)
    found = document(*bodies.values(), *ordered, forces=spring)
    return found.replace("</Model>", f"<MarkerSet><objects>{markers}</objects></MarkerSet></Model>")


def told(root: Element) -> dict[str, object]:
    """Everything that a document says about its bodies, joints and constraints, by name: all frames from the body to
    the joint, and all numbers."""
    frames = {
        (owner.name, frame.name): frame
        for owner in root.walk()
        for group in owner.all("frames", "components")
        for frame in group.all("PhysicalOffsetFrame")
    }

    def numbers(part: Element, *tags: str) -> list[tuple[float, ...]]:
        return [tuple(float(x) for x in (part.value(tag) or "0").split()) for tag in tags]

    def chain(owner: str, path: str) -> list[object]:
        words = path.split("/")
        key = (owner, path) if len(words) == 1 else (words[-2], words[-1])
        if key not in frames:
            return [words[-1]]
        frame = frames[key]
        place = numbers(frame, "translation", "orientation")
        # a frame that is that of its body has nothing to say
        return [*chain(key[0], frame.value("socket_parent")), *(place if any(map(any, place)) else ())]

    def function(part: Element) -> list[object]:
        if part.children:
            inside = [found for child in part.children if child.tag != "coordinates" for found in function(child)]
            return inside if part.tag == "function" else [part.tag, *inside]
        return [part.tag, tuple(float(x) for x in part.text.split())]

    found: dict[str, object] = {}
    for part in root.walk():
        if part.tag == "Body":
            found[part.name] = numbers(part, "mass", "mass_center", "inertia")
        elif part.tag.endswith("Joint"):
            coordinates = [
                (one.name, numbers(one, "default_value", "default_speed_value"))
                for group in part.all("coordinates")
                for one in group.all("Coordinate")
            ]
            axes = [
                (axis.name, axis.value("coordinates"), function(axis))
                for one in part.all("SpatialTransform")
                for axis in one.all("TransformAxis")
            ]
            ends = [chain(part.name, part.value(f"socket_{end}_frame")) for end in ("parent", "child")]
            found[part.name] = [part.tag, ends, coordinates, axes]
        elif part.tag.endswith(("Constraint", "Marker", "Spring")):
            sockets = [chain(part.name, child.text) for child in part.children if child.tag.startswith("socket_")]
            tags = [
                x.tag for x in part.children if x.tag.startswith(("loc", "line", "point", "constant", "stiff", "rest"))
            ]
            found[part.name] = [part.tag, sockets, *((tag, numbers(part, tag)) for tag in sorted(tags))]
    return found


ATTITUDES = {"quat": 4, "euler": 3, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "": 0}


def mjcf(seed: int) -> str:
    """Nested bodies with joints, masses and sites in frames, with every kind of attitude, geoms instead of masses,
    degrees, and bodies that are welded or connected."""
    draw = random.Random(f"mjcf forms {seed}")
    positions: list[str] = []
    speeds: list[str] = []
    names: list[str] = []

    def pose(place: bool = True) -> str:
        way = draw.choice([*ATTITUDES])
        found = f' pos="{row(draw)}"' if place and draw.random() < 0.8 else ""
        return f'{found} {way}="{row(draw, ATTITUDES[way])}"' if way else found

    def framed(text: str) -> str:
        for _ in range(draw.choice((0, 0, 0, 1, 2))):
            text = f"<frame{pose()}>{text}</frame>"
        return text

    def joints(name: str) -> str:
        found = ""
        kinds = draw.choice([["hinge"], ["slide"], ["ball"], [], ["slide", "hinge"], ["hinge", "hinge"]])
        for k, kind in enumerate(kinds):
            more = f' pos="{row(draw)}"' if kind != "slide" and draw.random() < 0.5 else ""
            if kind != "ball":
                more += f' axis="{row(draw)}"'
                more += draw.choice(["", f' ref="{row(draw, 1, 40.0)}"'])
                more += draw.choice(["", f' stiffness="{draw.uniform(1, 5)!r}" springref="{row(draw, 1, 40.0)}"'])
            positions.append(row(draw, 4 if kind == "ball" else 1))
            speeds.append(row(draw, 3 if kind == "ball" else 1))
            found += framed(f'<joint name="j{name}{k}" type="{kind}"{more}/>')
        return found

    def masses() -> str:
        if draw.random() < 0.5:
            inertia = draw.choice(['diaginertia="1.1 0.9 1.3"', f'fullinertia="1.1 0.9 1.3 {row(draw, 3, 0.1)}"'])
            turned = pose(place=False) if inertia.startswith("diag") else ""
            return framed(f'<inertial pos="{row(draw)}" mass="{draw.uniform(0.5, 2)!r}" {inertia}{turned}/>')
        found = ""
        for _ in range(draw.choice((1, 1, 2))):
            kind, count = draw.choice([("sphere", 1), ("box", 3), ("capsule", 2), ("cylinder", 2), ("ellipsoid", 3)])
            size = " ".join(repr(draw.uniform(0.1, 0.3)) for _ in range(count))
            weight = draw.choice(["", f' mass="{draw.uniform(0.5, 2)!r}"', f' density="{draw.uniform(500, 900)!r}"'])
            place = pose()
            if kind == "capsule" and draw.random() < 0.5:
                size, place = size.split()[0], f' fromto="{row(draw, 6)}"'
            found += framed(f'<geom type="{kind}" size="{size}"{weight}{place}/>')
        return found

    def bodies(depth: int) -> str:
        found = ""
        for _ in range(draw.randint(1, 2) if depth == 0 else draw.choice((0, 1))):
            name = f"b{len(names)}"
            names.append(name)
            own = joints(name) + masses() + framed(f'<site name="s{name}"{pose()}/>')
            found += framed(f'<body name="{name}"{pose()}>{own}{bodies(depth + 1) if depth < 2 else ""}</body>')
        return found

    tree = f'<body name="first"><joint name="turning"/>{masses()}</body>'
    positions.append(row(draw, 1))
    speeds.append(row(draw, 1))
    tree += bodies(0)
    # a free body, so that it can be where the others want it
    positions.append(row(draw, 7))
    speeds.append(row(draw, 6))
    tree += f'<body name="last"{pose()}><freejoint name="jlast"/>{masses()}</body>'
    compiler = draw.choice(['angle="radian"', 'angle="radian" eulerseq="ZYX"', "", 'eulerseq="yXz"'])
    ties, key = "", ""
    if positions and draw.random() < 0.5:
        key = f'<keyframe><key name="start" qpos="{" ".join(positions)}" qvel="{" ".join(speeds)}"/></keyframe>'
    # they hold in the reference position
    match draw.choice([""] if key else ["", "connect", "weld", "weld to"]):
        case "connect":
            ties = f'<connect name="tie" body1="last" body2="{draw.choice(names)}" anchor="{row(draw)}"/>'
        case "weld":
            ties = f'<weld name="tie" body1="last" body2="{draw.choice(names)}" anchor="{row(draw)}"/>'
        case "weld to":
            ties = f'<weld name="tie" body1="{draw.choice(names)}" body2="last" relpose="{row(draw)} 0 0 0 0"/>'
    return (
        '<mujoco model="m"><compiler '
        f"{compiler}/><worldbody>{tree}</worldbody><equality>{ties}</equality>{key}</mujoco>"
    )


def told_mjcf(root: Element) -> dict[tuple[str, str], list[object]]:
    """Everything that a document says, by the body or the equality that it belongs to and the kind of element: the
    frames around it, and its own numbers."""
    found: dict[tuple[str, str], list[object]] = {}
    words = (*(way for way in ATTITUDES if way), "pos", "axis", "ref", "stiffness", "springref", "mass", "density")
    words += ("size", "fromto", "diaginertia", "fullinertia", "anchor", "relpose", "qpos", "qvel", "polycoef")

    def numbers(part: Element) -> dict[str, tuple[float, ...]]:
        said = {word: tuple(map(float, part.attributes[word].split())) for word in words if word in part.attributes}
        return {word: values for word, values in said.items() if word != "pos" or any(values)}

    def walk(part: Element, owner: str, frames: tuple[object, ...]) -> None:
        for child in part.children:
            if child.tag == "frame":
                walk(child, owner, (*frames, numbers(child)))
                continue
            if child.tag in ("body", "joint", "freejoint", "geom", "inertial", "site", "connect", "weld", "key"):
                name = child.name if child.tag in ("body", "connect", "weld") else owner
                tag = "joint" if child.tag == "freejoint" else child.tag
                tag += child.name.rpartition(".")[2] if tag == "site" else ""
                found.setdefault((name, tag), []).append((frames, numbers(child)))
            walk(child, child.name if child.tag == "body" else owner, ())

    walk(root, "", ())
    compiler = root.first("compiler")
    assert compiler is not None
    found["", "compiler"] = [compiler.attributes.get("angle", "degree"), compiler.attributes.get("eulerseq", "xyz")]
    return found
