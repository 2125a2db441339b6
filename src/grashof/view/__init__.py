"""Moving mechanisms in pages and notebooks."""

from grashof.view.motion import Shown, in_notebook, motion_page, shown

__all__ = ["Shown", "in_notebook", "motion_page", "shown"]
