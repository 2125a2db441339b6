"""Moving mechanisms in pages and notebooks."""

from grashof.view.motion import ShownMotion, in_notebook, motion_page, shown

__all__ = ["ShownMotion", "in_notebook", "motion_page", "shown"]
