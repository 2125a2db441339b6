import grashof as gr

L, low = 0.8, 15 * 3.141592653589793 / 180
m = gr.Mechanism("Scissor lift", gravity=(0, -9.81))
rising, falling = [], []
for k in (1, 2, 3):
    for name, bars, x, angle in (("rising", rising, 0, low), ("falling", falling, 0.77, 2.88)):
        bar = m.bar(f"{name} {k}", length=L, mass=4.0)
        m.guess(bar, (x, 0.207 * (k - 1)), angle=angle)
        bars.append(bar)
    m.revolute(rising[-1].at(L / 2, 0), falling[-1].at(L / 2, 0))
    if k > 1:
        m.revolute(falling[-2].end, rising[-1].start)
        m.revolute(rising[-2].end, falling[-1].start)
platform = m.body("platform", mass=100.0, center=(L / 2, 0.05 * L), inertia=100 * L**2 / 12, points={"left": (0, 0)})
m.revolute(m.ground.at(0, 0), rising[0].start)
m.pin_in_slot(m.ground.line((0, 0), (1, 0)), falling[0].start)
m.revolute(falling[2].end, platform.left)
m.pin_in_slot(platform.line((0, 0), (1, 0)), rising[2].end)
m.motor("falling 1.start.x", position="0.8*cos(pi/12 + 2*pi/9*(1 - cos(pi*t/4))/2)")
