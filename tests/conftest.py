"""Random examples are the same ones in every run of the tests; `make explore` draws others.

Neither depends on how fast the machine is, nor on examples that earlier runs left behind.
"""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", derandomize=False, deadline=None, database=None)
settings.load_profile("same")
