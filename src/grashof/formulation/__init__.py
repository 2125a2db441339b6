"""Formulations: a mechanism as traced functions of time, state and open numbers."""
