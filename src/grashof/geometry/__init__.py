"""The geometry of joints and bodies: loops, shapes, poses."""
