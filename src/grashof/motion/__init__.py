"""The result of a simulation: named quantities over time."""
