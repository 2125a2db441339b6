"""Live pages: the mechanism and its time loop are compiled to WebAssembly, so that the page itself simulates it."""

from grashof.live.data import LiveData
from grashof.live.make import live_data
from grashof.live.page import live_page, shown_live

__all__ = ["LiveData", "live_data", "live_page", "shown_live"]
