"""Studies of a mechanism before it moves: its loops, its assembly, its mobility."""
