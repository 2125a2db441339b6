"""Springs, dampers, friction and limits of tendons in MJCF documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grashof.exchange.mjcf.limits import Limit, is_limited
from grashof.exchange.parsing import numbers
from grashof.exchange.pulls import spring_law
from grashof.exchange.torques import NotOurs
from grashof.exchange.xml import Element, xml_text
from grashof.model.forces import Pull, SpringDamper, Torque

if TYPE_CHECKING:
    from grashof.exchange.mjcf.reader import MjcfReader


def add_tendon(reader: MjcfReader, tendon: Element) -> None:
    """A tendon's spring and damper, if it has any."""
    given, off = reader.defaults.given(tendon, tag="tendon"), reader.settings.disabled
    (k, *bent), (c, *thick) = (numbers(tendon, key, given.get(key, "0")) or (0.0,) for key in ("stiffness", "damping"))
    k, c = 0.0 if "spring" in off else k, 0.0 if "damper" in off else c
    if any(bent) or any(thick):
        reader.leave_out(tendon, "higher-degree terms of its stiffness and damping are not supported")
    for key in ("frictionloss", "armature"):
        if any(numbers(tendon, key, given.get(key, "0"))):
            reader.leave_out(tendon, f"{key} of a tendon is not supported")
    if is_limited(reader, given) and not off & {"limit", "constraint"}:
        _limit(reader, tendon, given)
    if not (k or c):
        return
    lengths = numbers(tendon, "springlength", given.get("springlength", "-1")) or (-1.0,)
    if len(lengths) > 1 and lengths[1] != lengths[0]:
        raise NotOurs("a spring with a dead band is not supported")
    if tendon.tag == "fixed":
        _fixed_tendon(reader, tendon, k, c, lengths[0])
        return
    if len(tendon.children) == 2:
        a, b, apart = reader.straight_tendon(tendon)
        length = apart if lengths[0] < 0.0 else lengths[0]
        reader.draft.push(SpringDamper(name=tendon.name or "spring", a=a, b=b, stiffness=k, length=length, damping=c))
        return
    measure, apart = reader.path_of(tendon)
    law = spring_law(measure, k, apart if lengths[0] < 0.0 else lengths[0], c)
    reader.draft.push(Pull(name=tendon.name or "spring", measure=measure, force=law))


def _limit(reader: MjcfReader, tendon: Element, given: dict[str, str]) -> None:
    """The range of a tendon that is a measure: through sites, or a multiple of one joint coordinate."""
    try:
        terms, offset, row = reader.tendon_terms(tendon)
    except NotOurs as problem:
        reader.leave_out(tendon, f"its range: {problem}")
        return
    if len(terms) > 1:
        reader.leave_out(tendon, "the range of a sum of joint coordinates is not simulated")
        return
    ((measure, factor),) = terms.items()
    lower, upper = numbers(tendon, "range", given.get("range", "0 0"), 2)
    bounds = sorted((x - offset) / factor for x in (lower, upper))
    reader.limits.append(Limit(tendon, given | {"range": xml_text(bounds)}, measure, 0.0, row / factor, False))


def _fixed_tendon(reader: MjcfReader, tendon: Element, k: float, c: float, length: float) -> None:
    """L = Σ c_i q_i: each joint feels −c_i (k (L − L₀) + c L̇)."""
    terms, at_reference = reader.fixed_tendon(tendon)
    offset = sum(
        float(term.attributes.get("coef", "0")) * reader.measure(term.attributes.get("joint", ""))[1]
        for term in tendon.all("joint")
    )
    rest = at_reference if length < 0.0 else length - offset
    total = " + ".join(f"{factor!r}*`{measure}`" for measure, factor in terms.items())
    rate = " + ".join(f"{factor!r}*`{measure}.rate`" for measure, factor in terms.items())
    for measure, factor in terms.items():
        law = f"{-factor!r}*({k!r}*({total} - ({rest!r})) + {c!r}*({rate}))"
        _along(reader, f"{tendon.name or 'tendon'} {measure}", measure, law)


def _along(reader: MjcfReader, name: str, measure: str, effort: float | str) -> None:
    if reader.draft.measures[measure].winds:
        reader.draft.push(Torque(name=name, angle=measure, torque=effort))
    else:
        reader.draft.push(Pull(name=name, measure=measure, force=effort))
