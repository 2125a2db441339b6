import grashof as gr

centimetres = (38, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49, 50, 61.9, 7.8)  # Jansen's "holy numbers"
A, B, C, D, E, F, G, H, I, J, K, L = (x / 100 for x in centimetres)


def triangle(name, a, b, c, corners):
    """A frame of three tubes: `a` along x, `b` from the origin to the third corner, `c` opposite."""
    x = (a**2 + b**2 - c**2) / (2 * a)
    y = (b**2 - x**2) ** 0.5
    points = dict(zip(corners, ((0, 0), (a, 0), (x, y)), strict=True))
    mass = 0.3 * (a + b + c)
    return m.body(name, mass=mass, center=((a + x) / 3, y / 3), inertia=mass * (a**2 + b**2 + c**2) / 36, points=points)


m = gr.Mechanism("Jansen's leg", gravity=(0, -9.81))
bars = {"crank": 0.15, "upper rod": J, "lower rod": K, "rocker": C, "link": F}
crank, upper, lower, rocker, link = (m.bar(name, length=x, mass=0.3 * x) for name, x in bars.items())
shoulder, leg = triangle("shoulder", B, D, E, "BDE"), triangle("leg", G, I, H, ("G", "F", "foot"))
hip = m.ground.at(-A, -L)
pins = [(m.ground.at(0, 0), crank.start), (hip, shoulder.B), (hip, rocker.start), (crank.end, upper.start)]
pins += [(crank.end, lower.start), (upper.end, shoulder.D), (shoulder.E, link.start), (link.end, leg.F)]
for a, b in [*pins, (rocker.end, leg.G), (lower.end, leg.G)]:
    m.revolute(a, b)
m.motor(crank, position="-pi*t")
for body, angle in ((upper, 2.45), (lower, -2.3), (shoulder, 1.2), (rocker, -1.2), (link, -1.4), (leg, 3.0)):
    m.want(body, value=angle)
