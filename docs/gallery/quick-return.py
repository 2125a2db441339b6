import grashof as gr

m = gr.Mechanism("Whitworth quick return")
crank = m.bar("crank", length="120 mm", mass=1.0)
lever = m.body(
    "lever",
    mass=2.0,
    inertia=0.01,
    points={"C": (0, 0), "Q": (-0.1, 0), "tip": (0.192, 0)},
)
rod = m.bar("rod", length="350 mm", mass=1.0)
ram = m.body(
    "ram", mass=4.0, inertia=0.02, points={"pin": (0, 0)}, position=(0.35, -0.05)
)
shaft = m.ground.at(0, "-50 mm")
m.revolute(m.ground.at(0, 0), crank.start)
m.revolute(shaft, lever.C)
m.pin_in_slot(lever.line((0, 0), (1, 0)), crank.end)
m.revolute(lever.Q, rod.start)
m.revolute(rod.end, ram.pin)
m.prismatic(shaft, ram.pin, axis=(1, 0))
m.motor(crank, position="pi/2 + 2*pi*t")
m.want(lever, value="90 deg")
