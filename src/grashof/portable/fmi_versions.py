"""The functions of the FMI standard, versions 2.0 and 3.0, each as a call of a function of `fmi_core`.

A row has the name of the function, the types of its arguments (the first is the instance), the function that is
called, and which of the arguments are passed on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grashof.portable.fmi_instance import CO_SIMULATION, MODEL_EXCHANGE, FmuSpace

TYPES = {"p": "ptr", "d": "double", "n": "i64", "i": "i32", "b": "i8"}

Row = tuple[str, str, str, Sequence[int]]

_KINDS = ("Float32", "Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Boolean", "String")

FMI3: list[Row] = [
    ("SetDebugLogging", "pbnp", "accept", (0,)),
    ("ExitInitializationMode", "p", "end_initialization", (0,)),
    ("EnterEventMode", "p", "enter_events", (0,)),
    ("Terminate", "p", "terminate", (0,)),
    ("Reset", "p", "reset", (0,)),
    ("GetFloat64", "ppnpn", "get_values", (0, 1, 2, 3)),
    ("SetFloat64", "ppnpn", "set_values", (0, 1, 2, 3)),
    *((f"{verb}{kind}", "ppnpn", "without_variables", (0, 2)) for verb in ("Get", "Set") for kind in _KINDS),
    *((f"{verb}Binary", "ppnppn", "without_variables", (0, 2)) for verb in ("Get", "Set")),
    *((f"{verb}Clock", "ppnp", "without_variables", (0, 2)) for verb in ("Get", "Set")),
    ("GetNumberOfVariableDependencies", "pip", "refuse", (0,)),
    ("GetVariableDependencies", "pippppn", "refuse", (0,)),
    ("GetFMUState", "pp", "get_state", (0, 1)),
    ("SetFMUState", "pp", "set_state", (0, 1)),
    ("FreeFMUState", "pp", "free_state", (0, 1)),
    ("SerializedFMUStateSize", "ppp", "state_size", (0, 1, 2)),
    ("SerializeFMUState", "pppn", "serialize", (0, 1, 2, 3)),
    ("DeserializeFMUState", "ppnp", "deserialize", (0, 1, 2, 3)),
    ("GetDirectionalDerivative", "ppnpnpnpn", "directional", (0, 1, 2, 3, 4, 5, 7)),
    ("GetAdjointDerivative", "ppnpnpnpn", "refuse", (0,)),
    ("EnterConfigurationMode", "p", "refuse", (0,)),
    ("ExitConfigurationMode", "p", "refuse", (0,)),
    ("GetIntervalDecimal", "ppnpp", "without_variables", (0, 2)),
    ("GetIntervalFraction", "ppnppp", "without_variables", (0, 2)),
    ("GetShiftDecimal", "ppnp", "without_variables", (0, 2)),
    ("GetShiftFraction", "ppnpp", "without_variables", (0, 2)),
    ("SetIntervalDecimal", "ppnp", "without_variables", (0, 2)),
    ("SetIntervalFraction", "ppnpp", "without_variables", (0, 2)),
    ("SetShiftDecimal", "ppnp", "without_variables", (0, 2)),
    ("SetShiftFraction", "ppnpp", "without_variables", (0, 2)),
    ("EvaluateDiscreteStates", "p", "accept", (0,)),
    ("UpdateDiscreteStates", "ppppppp", "update_states", (0, 1, 2, 3, 4, 5, 6)),
    ("EnterContinuousTimeMode", "p", "enter_continuous", (0,)),
    ("CompletedIntegratorStep", "pbpp", "complete_step", (0, 2, 3)),
    ("SetTime", "pd", "set_time", (0, 1)),
    ("SetContinuousStates", "ppn", "set_states", (0, 1, 2)),
    ("GetContinuousStateDerivatives", "ppn", "get_derivatives", (0, 1, 2)),
    ("GetEventIndicators", "ppn", "get_indicators", (0, 1, 2)),
    ("GetContinuousStates", "ppn", "get_states", (0, 1, 2)),
    ("GetNominalsOfContinuousStates", "ppn", "get_nominals", (0, 1, 2)),
    ("GetNumberOfEventIndicators", "pp", "count_indicators", (0, 1)),
    ("GetNumberOfContinuousStates", "pp", "count_states", (0, 1)),
    ("EnterStepMode", "p", "refuse", (0,)),
    ("GetOutputDerivatives", "ppnppn", "refuse", (0,)),
    ("ActivateModelPartition", "pid", "refuse", (0,)),
]

_FMI2_KINDS = ("Integer", "Boolean", "String")

FMI2: list[Row] = [
    ("SetDebugLogging", "pinp", "accept", (0,)),
    ("SetupExperiment", "piddid", "check_start", (0, 3)),
    ("EnterInitializationMode", "p", "begin_initialization", (0,)),
    ("ExitInitializationMode", "p", "end_initialization", (0,)),
    ("EnterEventMode", "p", "enter_events", (0,)),
    ("Terminate", "p", "terminate", (0,)),
    ("Reset", "p", "reset", (0,)),
    ("GetReal", "ppnp", "get_values", (0, 1, 2, 3)),
    ("SetReal", "ppnp", "set_values", (0, 1, 2, 3)),
    *((f"{verb}{kind}", "ppnp", "without_variables", (0, 2)) for verb in ("Get", "Set") for kind in _FMI2_KINDS),
    ("GetFMUstate", "pp", "get_state", (0, 1)),
    ("SetFMUstate", "pp", "set_state", (0, 1)),
    ("FreeFMUstate", "pp", "free_state", (0, 1)),
    ("SerializedFMUstateSize", "ppp", "state_size", (0, 1, 2)),
    ("SerializeFMUstate", "pppn", "serialize", (0, 1, 2, 3)),
    ("DeSerializeFMUstate", "ppnp", "deserialize", (0, 1, 2, 3)),
    ("GetDirectionalDerivative", "ppnpnpp", "directional", (0, 1, 2, 3, 4, 5, 6)),
    ("EnterContinuousTimeMode", "p", "enter_continuous", (0,)),
    ("CompletedIntegratorStep", "pipp", "complete_step", (0, 2, 3)),
    ("SetTime", "pd", "set_time", (0, 1)),
    ("SetContinuousStates", "ppn", "set_states", (0, 1, 2)),
    ("GetDerivatives", "ppn", "get_derivatives", (0, 1, 2)),
    ("GetEventIndicators", "ppn", "get_indicators", (0, 1, 2)),
    ("GetContinuousStates", "ppn", "get_states", (0, 1, 2)),
    ("GetNominalsOfContinuousStates", "ppn", "get_nominals", (0, 1, 2)),
    ("SetRealInputDerivatives", "ppnpp", "refuse", (0,)),
    ("GetRealOutputDerivatives", "ppnpp", "refuse", (0,)),
    ("CancelStep", "p", "refuse", (0,)),
    ("GetRealStatus", "pip", "get_reached", (0, 1, 2)),
    *((f"Get{kind}Status", "pip", "refuse", (0,)) for kind in ("", "Integer", "Boolean", "String")),
]


def version_ir(space: FmuSpace) -> tuple[str, list[str]]:
    """The code of the functions of a version of the standard, and their names."""
    rows, special = (FMI3, _special3(space)) if space.version == 3 else (FMI2, _special2(space))
    parts = dict(special)
    for name, types, core, chosen in rows:
        parts[f"fmi{space.version}{name}"] = _forward(f"fmi{space.version}{name}", types, core, chosen)
    return "".join(parts.values()), [name for name in parts if name.startswith("fmi")]


def _forward(name: str, types: str, core: str, chosen: Sequence[int]) -> str:
    passed = ", ".join(f"{TYPES[types[k]]} %a{k}" for k in chosen)
    return _define("i32", name, types, [f"%status = call i32 @{core}({passed})", "ret i32 %status"])


def _define(returns: str, name: str, types: str, lines: Sequence[str]) -> str:
    listed = ", ".join(f"{TYPES[kind]} %a{k}" for k, kind in enumerate(types))
    return "\n".join([f"define {returns} @{name}({listed}) nounwind {{", *(f"  {x}" for x in lines), "}\n"])


def _special3(space: FmuSpace) -> Iterator[tuple[str, str]]:
    make = "%made = call ptr @make(ptr %a0, ptr %a1, i64 {kind}, ptr %a{logger}, ptr %a{environment})"
    exchange = make.format(kind=MODEL_EXCHANGE, logger=6, environment=5)
    simulation = make.format(kind=CO_SIMULATION, logger=10, environment=9)
    start = ["%known = call i32 @check_start(ptr %a0, double %a3)", "%bad = icmp ne i32 %known, 0"]
    start += ["br i1 %bad, label %leave, label %begin", "begin:", "%status = call i32 @begin_initialization(ptr %a0)"]
    start += ["ret i32 %status", "leave:", "ret i32 %known"]
    step = [f"call void @put_false(ptr %a{k})" for k in (4, 5, 6)]
    step += ["%status = call i32 @do_step(ptr %a0, double %a1, double %a2, ptr %a7)", "ret i32 %status"]
    put = ["%none = icmp eq ptr %a0, null", "br i1 %none, label %leave, label %put", "put:"]
    put += ["store i8 0, ptr %a0, align 1", "br label %leave", "leave:", "ret void"]
    for returns, name, types, lines in (
        ("ptr", "GetVersion", "", [f"ret ptr {space.say('3.0')}"]),
        ("ptr", "InstantiateModelExchange", "pppbbpp", [exchange, "ret ptr %made"]),
        ("ptr", "InstantiateCoSimulation", "pppbbbbpnppp", [simulation, "ret ptr %made"]),
        ("ptr", "InstantiateScheduledExecution", "pppbbppppp", ["ret ptr null"]),
        ("void", "FreeInstance", "p", ["call void @drop(ptr %a0)", "ret void"]),
        ("i32", "EnterInitializationMode", "pbddbd", start),
        ("i32", "DoStep", "pddbpppp", step),
    ):
        yield f"fmi3{name}", _define(returns, f"fmi3{name}", types, lines)
    yield "put_false", _define("void", "put_false", "p", put).replace("define ", "define internal ")


def _special2(space: FmuSpace) -> Iterator[tuple[str, str]]:
    make = ["%none = icmp eq ptr %a4, null", "br i1 %none, label %leave, label %make", "make:"]
    make += ["%logger = load ptr, ptr %a4, align 8", "%at = getelementptr i64, ptr %a4, i64 4"]
    make += ["%environment = load ptr, ptr %at, align 8", "%kind = zext i32 %a1 to i64"]
    make += ["%made = call ptr @make(ptr %a0, ptr %a2, i64 %kind, ptr %logger, ptr %environment)", "ret ptr %made"]
    make += ["leave:", "ret ptr null"]
    update = [f"%p{k} = getelementptr i32, ptr %a1, i64 {k}" for k in (0, 1, 2, 3, 4, 6)]
    parts = ", ".join(f"ptr %p{k}" for k in (0, 1, 2, 3, 4, 6))
    update += [f"%status = call i32 @update_states(ptr %a0, {parts})", "ret i32 %status"]
    step = ["%status = call i32 @do_step(ptr %a0, double %a1, double %a2, ptr null)", "ret i32 %status"]
    for returns, name, types, lines in (
        ("ptr", "GetVersion", "", [f"ret ptr {space.say('2.0')}"]),
        ("ptr", "GetTypesPlatform", "", [f"ret ptr {space.say('default')}"]),
        ("ptr", "Instantiate", "pipppii", make),
        ("void", "FreeInstance", "p", ["call void @drop(ptr %a0)", "ret void"]),
        ("i32", "NewDiscreteStates", "pp", update),
        ("i32", "DoStep", "pddi", step),
    ):
        yield f"fmi2{name}", _define(returns, f"fmi2{name}", types, lines)
