"""Natural coordinates, quadratic rows and their presolve."""
