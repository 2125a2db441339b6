"""Small tables as pandas data frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grashof.common.errors import ModelError

if TYPE_CHECKING:
    import pandas


def data_frame(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> pandas.DataFrame:
    """A data frame with one row for each dictionary."""
    try:
        import pandas
    except ImportError:
        raise ModelError("to_pandas needs pandas, which is not installed: pip install pandas.") from None
    return pandas.DataFrame(list(rows), columns=list(columns))
