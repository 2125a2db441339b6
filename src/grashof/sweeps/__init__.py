"""Studies of many runs: numbers of a mechanism are varied, outputs chosen, and the rows collected in a table."""
