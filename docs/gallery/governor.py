from math import cos, sin

import grashof as gr

x, z, y_axis = 0.2 * sin(0.6), 0.2 * cos(0.6), (0, 1, 0)
m = gr.Mechanism("Flyball governor", gravity=(0, 0, -9.81))
spindle = m.body("spindle", mass=1.0, inertia=(1e-2, 1e-2, 1e-3), points={"top": (0, 0, 0)})
sleeve = m.body("sleeve", mass=4.0, inertia=(1e-3, 1e-3, 1e-3), points={"O": (0, 0, 0)}, position=(0, 0, -2 * z))
m.revolute(m.ground.at(0, 0, 0), spindle.top, axis=(0, 0, 1))
guide = m.prismatic(spindle.top, sleeve.O, axis=(0, 0, 1))
for side, sign in (("left", -1), ("right", 1)):
    place = (sign * x, 0, -z)
    arm = m.bar(f"{side} arm", start=(0, 0, 0), end=place)
    link = m.bar(f"{side} link", start=place, end=(0, 0, -2 * z))
    ball = m.body(f"{side} ball", mass=1.0, inertia=(4e-4, 4e-4, 4e-4), points={"O": (0, 0, 0)}, position=place)
    m.revolute(spindle.top, arm.start, axis=y_axis)
    m.weld(arm.end, ball.O)
    m.revolute(arm.end, link.start, axis=y_axis)
    m.revolute(link.end, sleeve.O, axis=y_axis)
m.angle("turn", spindle, axis=(0, 0, 1))
m.angle("theta", arm, reference=spindle, axis=(0, -1, 0), zero=(0, 0, -1))
m.motor("turn", speed="20*pi/3*(0.9 + 0.1*tanh(t - 2))")  # 200 rpm in the end
m.friction(guide, viscous=60.0)
m.need("turn", value=0)
m.need("theta", value=0.6, rate=0)
