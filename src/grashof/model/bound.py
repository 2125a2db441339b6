"""What the laws of a force, a coupling or an event may refer to by name: tables and parameters of the mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import msgspec

from grashof.model.tables import Table
from grashof.scalar.functions import Scalar


class Bound(msgspec.Struct, frozen=True, dict=True):
    """A part of a mechanism that has laws. `Model` binds it; unbound, it knows neither tables nor parameters."""

    def bound(self, tables: Mapping[str, Table], parameters: Mapping[str, Scalar]) -> Self:
        """The same part, bound to the tables and parameters that its laws may refer to."""
        copy = msgspec.structs.replace(self)
        copy.__dict__.update(_tables=tables, _parameters=parameters)
        return copy

    @property
    def tables(self) -> Mapping[str, Table]:
        """The tables that its laws may call."""
        found: Mapping[str, Table] = self.__dict__.get("_tables", {})
        return found

    @property
    def parameters(self) -> Mapping[str, Scalar]:
        """The values of the parameters that its laws may use."""
        found: Mapping[str, Scalar] = self.__dict__.get("_parameters", {})
        return found
