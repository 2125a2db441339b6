from math import cos, pi, sin

import grashof as gr

m = gr.Mechanism("Planetary gear")
sun = m.body("sun", mass=1.0, inertia=0.5 * 0.048**2, points={"O": (0, 0)})
carrier = m.body("carrier", mass=2.0, inertia=0.01, points={"O": (0, 0)})
m.revolute(m.ground.at(0, 0), sun.O)
m.revolute(m.ground.at(0, 0), carrier.O)
for k in (1, 2, 3):
    turn = 2 * pi * (k - 1) / 3
    planet = m.body(f"planet {k}", mass=0.6, inertia=0.3 * 0.036**2, points={"O": (0, 0), "rim": (0.036, 0)})
    m.revolute(carrier.at(0.084 * cos(turn), 0.084 * sin(turn)), planet.O)
    m.gear(sun, planet, teeth=(24, 18), carrier=carrier)
    if k == 1:  # one gear with the ring is enough: the other two would be redundant
        m.gear(planet, m.ground, teeth=(18, 60), internal=True, carrier=carrier)
    m.need(planet, value=turn)
m.motor(sun, position="2*pi*t")
m.torque(carrier, "-2*carrier.angle.rate")
m.need(carrier, value=0)
