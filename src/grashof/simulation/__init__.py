"""Simulation: a run is specified, made, checked and delivered."""
