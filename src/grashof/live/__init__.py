"""Live pages: the mechanism and its time loop as WebAssembly, so that a page simulates it."""

from grashof.live.data import LiveData
from grashof.live.make import live_data
from grashof.live.page import live_page, shown_live

__all__ = ["LiveData", "live_data", "live_page", "shown_live"]
