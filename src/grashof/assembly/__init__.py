"""Assembly: positions and velocities at the start that close every loop and meet every need."""
