import grashof as gr

m = gr.Mechanism("Scotch yoke")
crank = m.bar("crank", length="100 mm", mass=0.5)
yoke = m.body("yoke", mass=2.0, inertia=0.05, points={"slot": (0, 0)})
m.revolute(m.ground.at(0, 0), crank.start)
m.prismatic(m.ground.at(0, 0), yoke.slot, axis=(1, 0))
m.pin_in_slot(yoke.line((0, 0), (0, 1)), crank.end)
m.motor(crank, speed="60 rpm")
m.need(crank, value=0)
