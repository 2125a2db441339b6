"""Grashof simulates mechanisms: rigid bodies, joints, closed loops."""
