"""Objects of a user's own modules, by name."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

from grashof.common.errors import ModelError


def load(what: str, name: str) -> Any:
    """The object `MODULE:NAME`, of an installed module or of one in the current folder; `what` is the beginning of an
    error message.

    >>> load("Function", "math:hypot")(3, 4)
    5.0
    """
    module, _, attribute = name.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as problem:
        raise ModelError(f"{what} '{name}' cannot be loaded: {problem}.") from None
