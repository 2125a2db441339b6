import grashof as gr

u = 0.4  # m
m = gr.Mechanism("Klann's leg", gravity=(0, -9.81))
crank = m.bar("crank", length=0.268 * u, mass=0.5 * 0.268 * u)
elbows = {"pin": (0, 0), "elbow": (0.59 * u, 0), "knee": (1.099 * u, -0.116 * u)}
rod = m.body("rod", mass=0.55 * u, center=(0.55 * u, -0.04 * u), inertia=0.055 * u**3, points=elbows)
upper = m.bar("upper rocker", length=0.518 * u, mass=0.5 * 0.518 * u)
lower = m.bar("lower rocker", length=0.32 * u, mass=0.5 * 0.32 * u)
ends = {"knee": (0, 0), "hip": (0.232 * u, 0.866 * u), "foot": (0.232 * u, -0.866 * u)}
leg = m.body("leg", mass=0.9 * u, center=(0.116 * u, 0), inertia=0.225 * u**3, points=ends)
m.revolute(m.ground.at(0, 0), crank.start)
m.revolute(crank.end, rod.pin)
m.revolute(m.ground.at(-0.233 * u, 0.616 * u), upper.start)
m.revolute(m.ground.at(-0.59 * u, -0.176 * u), lower.start)
m.revolute(lower.end, rod.elbow)
m.revolute(rod.knee, leg.knee)
m.revolute(upper.end, leg.hip)
m.motor(crank, position="pi*t")
for body, angle in ((rod, 3.14), (lower, 0.58), (upper, 2.36), (leg, 0)):
    m.want(body, value=angle)
