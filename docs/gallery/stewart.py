from math import cos, pi, sin

import grashof as gr

m = gr.Mechanism("Stewart platform", gravity=(0, 0, -9.81))
inertia = (500 * 0.8**2 / 4, 500 * 0.8**2 / 4, 500 * 0.8**2 / 2)
platform = m.body(
    "platform", mass=500.0, center=(0, 0, 0.2), inertia=inertia, points={"O": (0, 0, 0)}, position=(0, 0, 1.2)
)
for k, (below, above) in enumerate(((50, 10), (70, 110), (170, 130), (190, 230), (290, 250), (310, 350)), start=1):
    bx, by = 1.2 * cos(below * pi / 180), 1.2 * sin(below * pi / 180)
    px, py = 0.8 * cos(above * pi / 180), 0.8 * sin(above * pi / 180)
    base, top = m.ground.at(bx, by, 0), platform.at(px, py, 0)
    leg = m.separation(f"leg {k}", base, top)
    pitch = "pi/15*sin(1.5*t)"  # what the platform is to do: surge, heave and pitch
    x = f"0.2*sin(1.5*t) + {px}*cos({pitch}) - {bx}"
    z = f"1.2 + 0.15*sin(3*t) - {px}*sin({pitch})"
    m.motor(leg, position=f"sqrt(({x})**2 + ({py - by})**2 + ({z})**2)")
    m.spring(base, top, stiffness=0, length=1, damping=200)
