"""A mechanism as one C file with a header, which depend on nothing but the C standard library."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from grashof._version import __version__
from grashof.formulation.layout import Sizes
from grashof.live.session import CODES, SessionControl
from grashof.portable.c_code import translate
from grashof.portable.changing import changing_ir
from grashof.portable.fmi_instance import REASONS
from grashof.portable.machine import without_repetition
from grashof.portable.make import Portable, Variable, identifier

KERNELS = ("restart", "run_to", "adopt", "observe", "derivative", "project")

OWN_CODES = {
    "OUTSIDE_BOUNDS": "the value is outside its bounds, or physically impossible, or there is no such number",
    "NEEDS_START": "a parameter was changed, or the mechanism was not started; call start first",
}


def c_files(portable: Portable, name: str) -> tuple[str, str]:
    """The source and the header; `name` is that of the files, without suffix."""
    writer = _Writer(portable, name)
    return writer.source(), writer.header()


class _Writer:
    def __init__(self, portable: Portable, name: str) -> None:
        self.portable, self.file = portable, name
        self.name = identifier(name)
        self.large = self.name.upper()
        self.codes = [*CODES, *OWN_CODES]

    @property
    def about(self) -> str:
        model = self.portable.model.name.replace("*/", "* /")
        return f"{model}, written by Grashof {__version__}."

    def header(self) -> str:
        """The text of the header."""
        p, name, large = self.portable, self.name, self.large
        codes = ",\n    ".join(f"{large}_{code}" for code in self.codes)
        return f"""\
/* {self.about}

   C99, without dependencies; a program that uses it is linked with the mathematical library (-lm). All units are SI.
   Nothing is allocated, and nothing is shared between mechanisms, so that each may live in a thread of its own.

       {name} m;
       {name}_init(&m);                          the numbers are those of the description
       {name}_set(&m, number, value);            others
       if ({name}_start(&m)) …                   the mechanism is assembled, at t = {p.begin!r} s
       if ({name}_run_to(&m, 1.0)) …             it moves
       x = {name}_get(&m, quantity);

   Functions that return an int return 0 ({large}_SUCCESS), or the code of what went wrong; {name}_text has the
   sentence. The estimated error over the run is kept within {p.code.task.tol!r} of length, speed and energy; where
   that could not be achieved, {name}_doubt returns the code of the doubt. */

#ifndef {large}_H
#define {large}_H

#ifdef __cplusplus
extern "C" {{
#endif

typedef struct {{ double memory[{p.code.session.places["all"]}]; }} {name};
/* To copy one, use {name}_copy: it contains addresses. */

enum {{
    {codes}
}};

/* Numbers that can be set; those marked with * also during the motion, and then they act from the present time on. */
enum {{
{self._listed(p.numbers, "SET", p.counts[0])}
    {large}_NUMBERS
}};

/* Quantities. */
enum {{
{self._listed(p.outputs, "GET", len(p.outputs))}
    {large}_QUANTITIES
}};

extern const char *const {name}_number_names[{large}_NUMBERS + 1];
extern const char *const {name}_quantity_names[{large}_QUANTITIES + 1];

void {name}_init({name} *m);
int {name}_set({name} *m, int number, double value);
double {name}_number(const {name} *m, int number);
int {name}_start({name} *m);
int {name}_run_to({name} *m, double time);       /* forwards or backwards */
double {name}_time(const {name} *m);             /* the time that was reached, s */
double {name}_get({name} *m, int quantity);      /* NaN if there is no such quantity */
double {name}_error(const {name} *m);            /* estimated, since the start or the last change of a number */
int {name}_doubt(const {name} *m);
const char *{name}_text(int code);
void {name}_copy({name} *to, const {name} *from);

/* The equations of motion, of a started mechanism. A point x = [t, q, v, e] consists of the time, coordinates,
   velocities and further states. The rates are those of [v, e]; q has the rates v. */
enum {{
    {large}_POINT = {p.code.session.track.point},
    {large}_COORDINATES = {self._sizes.nq},
    {large}_RATES = {self._sizes.rates}
}};
void {name}_state(const {name} *m, double *x);
void {name}_rates({name} *m, const double *x, double *rates);
double {name}_project({name} *m, double *x);     /* onto the joints' equations; returns what remains, m^2 */

#ifdef __cplusplus
}}
#endif
#endif
"""

    @property
    def _sizes(self) -> Sizes:
        return self.portable.code.session.track.work.sizes

    def _listed(self, variables: Sequence[Variable], kind: str, fixed: int) -> str:
        rows, taken = [], set[str]()
        for k, variable in enumerate(variables):
            name = f"{self.large}_{kind}_{re.sub(r'[^A-Z0-9]+', '_', variable.name.upper()).strip('_')}"
            while name in taken:
                name += "_"
            taken.add(name)
            mark = " *" if k >= fixed else ""
            unit = f" [{variable.unit}]" if variable.unit else ""
            rows.append(f"    {name}, /* {variable.name.replace('*/', '* /')}{unit}{mark} */")
        return "\n".join(rows)

    def source(self) -> str:
        """The text of the source."""
        p, name, large = self.portable, self.name, self.large
        session, counts = p.code.session, p.counts
        ir = without_repetition(p.code.text() + changing_ir(session, counts[2]))
        kernels = [*KERNELS, *(["change"] if session.path else [])]
        code = translate(ir, kernels, "kernel_", mark="static ")
        place, point = session.places, session.track.point
        field = [field for field, _ in SessionControl._fields_].index
        texts = {code: re.sub(r" ?\(?at t = %.9g s\)?| \(t = %.9g s\)", "", REASONS[code]) for code in REASONS}
        texts |= {**OWN_CODES, "SUCCESS": "success"}
        texts["END_OF_LAWS"] = "laws of time are known only up to the time that was reached; export for a later end"
        listed = ",\n    ".join(f'"{texts[code]}"' for code in self.codes)
        since = ", ".join("1" if p.catalog[x.name].since_start else "0" for x in p.outputs) or "0"
        change = (
            """\
    for (k = 0; k < FIXED; k++)
        if (!(m->memory[VALUES + k] == m->memory[NUMBERS + k])) return PREFIX_NEEDS_START;
    for (k = FIXED; k < PREFIX_NUMBERS; k++) changed |= !(m->memory[VALUES + k] == m->memory[NUMBERS + k]);
    if (changed) {
        kernel_change(m->memory);
        if (m->memory[CODE] != 0.0) return (int)m->memory[CODE];
    }
"""
            if session.path
            else "    (void)k; (void)changed;\n"
        )
        body = _BODY.replace("    CHANGE\n", change)
        for word, value in {
            "VALUES": place["values"],
            "NUMBERS +": f"{place['numbers']} +",
            "FIXED": counts[0],
            "CODE": field("code"),
            "DOUBT": field("doubt"),
            "ESTIMATE": field("estimate"),
            "STARTED": field("started"),
            "AT_X": place["x"],
            "AT_C": place["c"],
            "OBSERVED": place["observed"],
            "WORKS": place["works"],
            "POINT": point,
            "CODES": len(self.codes),
        }.items():
            body = re.sub(rf"(?<![A-Z_]){re.escape(word)}(?![A-Z_])", str(value), body)
        body = body.replace("PREFIX_", f"{large}_").replace("prefix", name)
        return "\n".join(
            [
                f"/* {self.about} See {self.file}.h. */\n",
                f'#include "{self.file}.h"\n',
                code,
                f"const char *const {name}_number_names[] = {{{_texts(p.numbers)}}};",
                f"const char *const {name}_quantity_names[] = {{{_texts(p.outputs)}}};",
                f"static const double first[] = {{{_numbers([x.start for x in p.numbers])}}};",
                f"static const double least[] = {{{_numbers([x.least for x in p.numbers])}}};",
                f"static const double most[] = {{{_numbers([x.most for x in p.numbers])}}};",
                f"static const int since_start[] = {{{since}}};",
                f"static const char *const texts[] = {{\n    {listed}\n}};\n",
                body,
            ]
        )


def _texts(variables: Sequence[Variable]) -> str:
    escaped = (re.sub(r'(["\\])', r"\\\1", x.name) for x in variables)
    return ", ".join([*(f'"{x}"' for x in escaped), "0"])


def _numbers(values: Sequence[float]) -> str:
    return ", ".join(x.hex() if math.isfinite(x) else f"{'-' if x < 0 else ''}INFINITY" for x in values) or "0.0"


_BODY = """\
void prefix_init(prefix *m)
{
    int k;
    memset(m->memory, 0, sizeof m->memory);
    for (k = 0; k < PREFIX_NUMBERS; k++) m->memory[VALUES + k] = first[k];
}

int prefix_set(prefix *m, int number, double value)
{
    if (number < 0 || number >= PREFIX_NUMBERS) return PREFIX_OUTSIDE_BOUNDS;
    if (!(value - value == 0.0) || value < least[number] || value > most[number]) return PREFIX_OUTSIDE_BOUNDS;
    m->memory[VALUES + number] = value;
    return PREFIX_SUCCESS;
}

double prefix_number(const prefix *m, int number)
{
    return number < 0 || number >= PREFIX_NUMBERS ? NAN : m->memory[VALUES + number];
}

int prefix_start(prefix *m)
{
    kernel_restart(m->memory);
    return (int)m->memory[CODE];
}

int prefix_run_to(prefix *m, double time)
{
    int k, changed = 0;
    if (m->memory[STARTED] != 1.0) return PREFIX_NEEDS_START;
    CHANGE
    kernel_run_to(m->memory, time);
    return (int)m->memory[CODE];
}

double prefix_time(const prefix *m) { return m->memory[AT_X]; }

double prefix_get(prefix *m, int quantity)
{
    if (quantity < 0 || quantity >= PREFIX_QUANTITIES || m->memory[STARTED] != 1.0) return NAN;
    kernel_observe(m->memory + AT_X, m->memory + AT_C, m->memory + OBSERVED);
    return m->memory[OBSERVED + quantity] - (since_start[quantity] ? m->memory[WORKS + quantity] : 0.0);
}

double prefix_error(const prefix *m) { return m->memory[ESTIMATE]; }

int prefix_doubt(const prefix *m) { return (int)m->memory[DOUBT]; }

const char *prefix_text(int code) { return code < 0 || code >= CODES ? "an unknown code" : texts[code]; }

void prefix_copy(prefix *to, const prefix *from)
{
    memmove(to->memory, from->memory, sizeof to->memory);
    kernel_adopt(to->memory);
}

void prefix_state(const prefix *m, double *x) { memcpy(x, m->memory + AT_X, POINT * sizeof *x); }

void prefix_rates(prefix *m, const double *x, double *rates)
{
    kernel_derivative((double *)x, m->memory + AT_C, rates);
}

double prefix_project(prefix *m, double *x)
{
    double found[POINT];
    kernel_project(x, m->memory + AT_C, found);
    memcpy(x + 1, found, (POINT - 1) * sizeof *x);
    return found[POINT - 1];
}
"""
