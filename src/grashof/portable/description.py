"""The file `modelDescription.xml` of an FMU, and the file that describes how its sources are compiled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from grashof._version import __version__
from grashof.model.units import read
from grashof.portable.fmi_instance import FmuSpace
from grashof.portable.make import Portable

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


@dataclass(frozen=True)
class _Row:
    """A variable of an FMU: its attributes are in the order of the standard."""

    reference: int
    name: str
    causality: str
    variability: str
    initial: str = ""
    unit: str = ""
    start: float | None = None
    least: float | None = None
    most: float | None = None
    derivative: int | None = None  # the value reference of the state whose rate it is
    text: str = ""


def describe_model(portable: Portable, space: FmuSpace, identifier: str) -> str:
    """The text of `modelDescription.xml`."""
    rows = list(_rows(portable, space))
    return (
        _version3(portable, space, identifier, rows)
        if space.version == 3
        else _version2(portable, space, identifier, rows)
    )


def describe_build(identifier: str, source: str) -> str:
    """The text of `buildDescription.xml`, FMI 3.0."""
    return HEAD + "\n".join(
        [
            '<fmiBuildDescription fmiVersion="3.0">',
            f"  <BuildConfiguration modelIdentifier={quoteattr(identifier)}>",
            '    <SourceFileSet language="C99">',
            f"      <SourceFile name={quoteattr(source)}/>",
            "    </SourceFileSet>",
            '    <Library name="m" external="true"/>',
            "  </BuildConfiguration>",
            "</fmiBuildDescription>\n",
        ]
    )


def _rows(portable: Portable, space: FmuSpace) -> Iterator[_Row]:
    first, (parameters, _, motions) = space.references, portable.counts
    yield _Row(0, "time", "independent", "continuous", unit="s")
    for k, number in enumerate(portable.numbers):
        given = {"unit": number.unit, "start": number.start, "least": number.least, "most": number.most}
        reference = first["numbers"] + k
        if k < parameters:
            yield _Row(reference, number.name, "parameter", "fixed", "exact", **given)  # type: ignore[arg-type]
        else:
            variability = "discrete" if k >= len(portable.numbers) - motions else "continuous"
            yield _Row(reference, number.name, "input", variability, **given)  # type: ignore[arg-type]
    taken = {"time", *(x.name for x in portable.numbers)}
    for k, output in enumerate(portable.outputs):
        name = f"output {output.name}" if output.name in taken else output.name
        yield _Row(first["outputs"] + k, name, "output", "continuous", "calculated", output.unit)
    names = list(_state_names(portable))
    for k, (name, unit) in enumerate(names):
        yield _Row(first["states"] + k, name, "local", "continuous", "calculated", unit)
    for k, (name, unit) in enumerate(names):
        rate = f"{unit}/s" if unit else ""
        reference = first["derivatives"] + k
        yield _Row(reference, f"der({name})", "local", "continuous", "calculated", rate, derivative=first["states"] + k)
    for k in range(space.indicators):
        yield _Row(first["indicators"] + k, f"indicator[{k + 1}]", "local", "continuous", "calculated")


def _state_names(portable: Portable) -> Iterator[tuple[str, str]]:
    """Names and units of the states."""
    layout, quantities = portable.code.made.running.layout, portable.model.quantities
    for k in range(layout.nq):
        yield f"q[{k + 1}]", "m"
    for k in range(layout.nv):
        yield f"v[{k + 1}]", "m/s"
    for name in layout.angles:
        yield f"state {name}", quantities[name].unit if name in quantities else ""
    for kind in (layout.switches, layout.integrals, layout.resting):
        for name in kind:
            yield f"state {name}", ""
    for name in layout.works:
        yield f"state work.{name}", "J"


def _number(value: float) -> str:
    return quoteattr(repr(float(value)))


def _finite(value: float | None) -> bool:
    return value is not None and abs(value) < float("inf")


def _units(rows: Sequence[_Row]) -> list[str]:
    found = []
    for unit in dict.fromkeys(row.unit for row in rows if row.unit):
        parsed = read("a unit", unit)
        parts = zip(("m", "kg", "s", "rad"), parsed.exponents, strict=True)
        listed = "".join(f' {name}="{power}"' for name, power in parts if power)
        factor = "" if parsed.factor == 1 else f' factor="{float(parsed.factor)!r}"'
        found.append(f"    <Unit name={quoteattr(unit)}><BaseUnit{listed}{factor}/></Unit>")
    return ["  <UnitDefinitions>", *found, "  </UnitDefinitions>"] if found else []


def _head(portable: Portable) -> str:
    return (
        f" modelName={quoteattr(portable.model.name)} description={quoteattr(_description(portable))} "
        f'generationTool="Grashof {__version__}" variableNamingConvention="flat"'
    )


def _description(portable: Portable) -> str:
    tolerance = portable.code.task.tol
    return f"A mechanism simulated by Grashof; error over a run at most {tolerance:g} of its length, speed and energy"


def _experiment(portable: Portable) -> str:
    times = f"startTime={_number(portable.begin)} stopTime={_number(portable.end)}"
    return f"  <DefaultExperiment {times} tolerance={_number(portable.code.task.tol)}/>"


_CATEGORIES = [
    "  <LogCategories>",
    '    <Category name="logStatusError" description="Why a call was refused, or a motion could not go on"/>',
    "  </LogCategories>",
]


def _version3(portable: Portable, space: FmuSpace, identifier: str, rows: Sequence[_Row]) -> str:
    can = (
        f'modelIdentifier={quoteattr(identifier)} canGetAndSetFMUState="true" canSerializeFMUState="true" '
        'providesDirectionalDerivatives="true"'
    )
    outputs = [row for row in rows if row.causality == "output"]
    rates = [row for row in rows if row.derivative is not None]
    states = [row for row in rows if row.reference in {x.derivative for x in rates}]
    events = [row for row in rows if row.name.startswith("indicator[")]
    structure = [f'    <Output valueReference="{row.reference}"/>' for row in outputs]
    structure += [f'    <ContinuousStateDerivative valueReference="{row.reference}"/>' for row in rates]
    structure += [f'    <InitialUnknown valueReference="{row.reference}"/>' for row in (*outputs, *states, *rates)]
    structure += [f'    <EventIndicator valueReference="{row.reference}"/>' for row in events]
    return HEAD + "\n".join(
        [
            f'<fmiModelDescription fmiVersion="3.0"{_head(portable)} instantiationToken={quoteattr(space.token)}>',
            f'  <ModelExchange {can} needsCompletedIntegratorStep="true"/>',
            f'  <CoSimulation {can} canHandleVariableCommunicationStepSize="true"/>',
            *_units(rows),
            *_CATEGORIES,
            _experiment(portable),
            "  <ModelVariables>",
            *(_float64(row) for row in rows),
            "  </ModelVariables>",
            "  <ModelStructure>",
            *structure,
            "  </ModelStructure>",
            "</fmiModelDescription>\n",
        ]
    )


def _float64(row: _Row) -> str:
    parts = [f"name={quoteattr(row.name)}", f'valueReference="{row.reference}"', f'causality="{row.causality}"']
    parts += [f'variability="{row.variability}"', *([f'initial="{row.initial}"'] if row.initial else [])]
    return f"    <Float64 {' '.join([*parts, *_values(row)])}/>"


def _values(row: _Row) -> list[str]:
    """Attributes of a variable's type."""
    parts = [f"unit={quoteattr(row.unit)}"] if row.unit else []
    parts += [f"min={_number(row.least)}"] if row.least is not None and _finite(row.least) else []
    parts += [f"max={_number(row.most)}"] if row.most is not None and _finite(row.most) else []
    parts += [f"start={_number(row.start)}"] if row.start is not None else []
    parts += [f'derivative="{row.derivative}"'] if row.derivative is not None else []
    return parts


def _version2(portable: Portable, space: FmuSpace, identifier: str, rows: Sequence[_Row]) -> str:
    can = (
        f'modelIdentifier={quoteattr(identifier)} canGetAndSetFMUstate="true" canSerializeFMUstate="true" '
        'providesDirectionalDerivative="true"'
    )
    sources = f"<SourceFiles><File name={quoteattr(identifier + '.c')}/></SourceFiles>"
    index = {row.reference: k for k, row in enumerate(rows, 1)}
    outputs = [row for row in rows if row.causality == "output"]
    rates = [row for row in rows if row.derivative is not None]
    states = [row for row in rows if row.reference in {x.derivative for x in rates}]

    def unknowns(name: str, chosen: Sequence[_Row]) -> list[str]:
        places = sorted(index[row.reference] for row in chosen)
        listed = [f'      <Unknown index="{k}"/>' for k in places]
        return [f"    <{name}>", *listed, f"    </{name}>"] if listed else []

    variables = []
    for row in rows:
        parts = [f"name={quoteattr(row.name)}", f'valueReference="{row.reference}"', f'causality="{row.causality}"']
        parts += [f'variability="{row.variability}"', *([f'initial="{row.initial}"'] if row.initial else [])]
        values = [f'derivative="{index[row.derivative]}"'] if row.derivative is not None else []
        values = [*(x for x in _values(row) if not x.startswith("derivative")), *values]
        variables.append(f"    <ScalarVariable {' '.join(parts)}><Real {' '.join(values)}/></ScalarVariable>")
    attributes = f'guid={quoteattr(space.token)} numberOfEventIndicators="{space.indicators}"'
    return HEAD + "\n".join(
        [
            f'<fmiModelDescription fmiVersion="2.0"{_head(portable)} {attributes}>',
            f"  <ModelExchange {can}>{sources}</ModelExchange>",
            f'  <CoSimulation {can} canHandleVariableCommunicationStepSize="true">{sources}</CoSimulation>',
            *_units(rows),
            *_CATEGORIES,
            _experiment(portable),
            "  <ModelVariables>",
            *variables,
            "  </ModelVariables>",
            "  <ModelStructure>",
            *unknowns("Outputs", outputs),
            *unknowns("Derivatives", rates),
            *unknowns("InitialUnknowns", [*outputs, *states, *rates]),
            "  </ModelStructure>",
            "</fmiModelDescription>\n",
        ]
    )
