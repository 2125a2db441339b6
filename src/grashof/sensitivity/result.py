"""Outputs of a run with their derivatives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.common.notebook import report_html, table
from grashof.common.status import Status

if TYPE_CHECKING:
    import pandas

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Sensitivities:
    """Outputs of a run and their derivatives with respect to numbers of the mechanism. Check `status` and `doubts`
    before using a derivative.

    `found["max rod.end.y", "crank.length"]` is a derivative in SI units, `found["max rod.end.y"]` the output itself;
    "at end" may be omitted.

    outputs, wrt            names of K outputs and of P numbers
    values, value_errors    values of the outputs, and their estimated errors, (K,)
    matrix, errors          derivatives ∂(output)/∂(number), and their estimated errors, (K, P); NaN where they are
                            unknown
    point                   values of the numbers, (P,)
    status                  how the run ended, and whether its derivatives can be trusted
    doubts                  outputs whose derivatives are doubtful, each with a sentence that explains why
    """

    outputs: tuple[str, ...]
    wrt: tuple[str, ...]
    values: Array
    value_errors: Array
    matrix: Array
    errors: Array
    point: Array
    units: Mapping[str, str]
    status: Status
    doubts: Mapping[str, str]

    @property
    def ok(self) -> bool:
        """Whether the run succeeded and no derivative is doubtful."""
        return self.status.ok and not self.doubts

    def __getitem__(self, name: str | tuple[str, str]) -> float:
        if isinstance(name, str):
            return float(self.values[self._place(name, self.outputs)])
        output, number = name
        return float(self.matrix[self._place(output, self.outputs), self._place(number, self.wrt)])

    def error(self, output: str, number: str | None = None) -> float:
        """The estimated error of an output, or of its derivative with respect to a number."""
        row = self._place(output, self.outputs)
        return float(self.value_errors[row] if number is None else self.errors[row, self._place(number, self.wrt)])

    def unit(self, output: str, number: str | None = None) -> str:
        """The unit of an output, or of its derivative with respect to a number.

        Derivatives are written as quotients: "m/(N/m)".
        """
        unit = self.units[self.outputs[self._place(output, self.outputs)]]
        below = "" if number is None else self.units[self.wrt[self._place(number, self.wrt)]]
        if not below:
            return unit
        return f"{unit or '1'}/({below})" if "/" in below or " " in below else f"{unit or '1'}/{below}"

    def as_dict(self) -> dict[str, object]:
        """All results as plain data."""
        return {
            "status": self.status.code.name,
            "doubts": dict(self.doubts),
            "numbers": {name: float(x) for name, x in zip(self.wrt, self.point, strict=True)},
            "outputs": {
                output: {
                    "value": self[output],
                    "error": self.error(output),
                    "unit": self.unit(output),
                    "derivatives": {
                        name: {
                            "value": self[output, name],
                            "error": self.error(output, name),
                            "unit": self.unit(output, name),
                        }
                        for name in self.wrt
                    },
                }
                for output in self.outputs
            },
        }

    def to_pandas(self) -> pandas.DataFrame:
        """The derivatives as a data frame: output, number, value, estimated error and unit, with one row per output
        and number."""
        from grashof.common.data_frames import data_frame

        rows = [
            {
                "output": output,
                "wrt": name,
                "derivative": self[output, name],
                "error": self.error(output, name),
                "unit": self.unit(output, name),
            }
            for output in self.outputs
            for name in self.wrt
        ]
        return data_frame(rows, ("output", "wrt", "derivative", "error", "unit"))

    def __str__(self) -> str:
        lines = []
        for output in self.outputs:
            unit = f" {self.unit(output)}" if self.unit(output) else ""
            lines.append(f"{output} = {self[output]:.10g}{unit} (±{self.error(output):.1e})")
            width = max((len(name) for name in self.wrt), default=0)
            for name in self.wrt:
                lines.append(
                    f"  ∂/∂ {name:<{width}}  {self[output, name]:+.8e} {self.unit(output, name)} "
                    f"(±{self.error(output, name):.1e})"
                )
            if output in self.doubts:
                lines.append(f"  Doubtful: {self.doubts[output]}")
        return "\n".join([*lines, str(self.status)])

    def _repr_html_(self) -> str:
        """The results as shown in a notebook, with one row per output and number."""
        rows = []
        for output in self.outputs:
            rows.append([output, "", f"{self[output]:.8g}", f"{self.error(output):.1e}", self.unit(output)])
            for name in self.wrt:
                found = f"{self[output, name]:.8g}", f"{self.error(output, name):.1e}", self.unit(output, name)
                rows.append([output, name, *found])
        doubts = [f"{output} is doubtful: {doubt}" for output, doubt in self.doubts.items()]
        return table(["output", "with respect to", "value", "±", "unit"], rows) + report_html(
            "\n".join([str(self.status), *doubts])
        )

    def _place(self, name: str, names: tuple[str, ...]) -> int:
        if f"{name} at end" in names:
            return names.index(f"{name} at end")
        if name not in names:
            raise ModelError(
                f"There is no output or number '{name}' among these derivatives; {did_you_mean(name, names)}"
            )
        return names.index(name)
