"""What a person writes: bodies, joints, forces, a start. Frozen data with names, in SI units."""
