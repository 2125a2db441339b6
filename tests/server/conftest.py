"""The browser that pages are tested with."""

from tests.view.conftest import browser

__all__ = ["browser"]
