from math import cos, pi, sin

import grashof as gr

beta, l = pi / 6, 0.4
m = gr.Mechanism("Cardan shaft", dimension=3)
end = (l * cos(beta), 0, l * sin(beta))
half = (cos(beta / 2), 0, -sin(beta / 2), 0)  # the middle shaft is bent upwards
slim, long = (1e-3, 5e-3, 5e-3), (1e-3, l**2 / 8, l**2 / 8)
first = m.body("input", mass=1.0, center=(-0.12, 0, 0), inertia=slim, points={"joint": (0, 0, 0)})
middle = m.body("middle", mass=1.5, center=(l / 2, 0, 0), inertia=long, points={"end": (l, 0, 0)}, rotation=half)
last = m.body("output", mass=1.0, center=(0.12, 0, 0), inertia=slim, points={"end": (0.25, 0, 0)}, position=end)
m.revolute(m.ground.at(-0.25, 0, 0), first.at(-0.25, 0, 0), axis=(1, 0, 0))
m.universal(first.joint, middle.at(0, 0, 0), axis_a=(0, 0, 1), axis_b=(0, 1, 0))
m.universal(middle.end, last.at(0, 0, 0), axis_a=(0, 1, 0), axis_b=(0, 0, 1))
m.cylindrical(m.ground.at(end[0] + 0.25, 0, end[2]), last.end, axis=(1, 0, 0))
m.angle("phi1", first, axis=(1, 0, 0), zero=(0, 0, 1), direction=(0, 0, 1))
m.angle("phi2", middle, axis=(cos(beta), 0, sin(beta)), zero=(0, 1, 0), direction=(0, 1, 0))
m.angle("phi3", last, axis=(1, 0, 0), zero=(0, 0, 1), direction=(0, 0, 1))
m.motor("phi1", position="2*pi*t")
m.torque("phi3", "-0.05*phi3.rate")
