"""Relative coordinates: the motions of joints along a tree of bodies, and the articulated-body algorithm."""
