"""Natural coordinates, constraint rows, presolve, and the equations of motion in them, written once in scalar
Python."""
