import grashof as gr

m = gr.Mechanism("Four-bar linkage", gravity=(0, -9.81))
crank = m.bar("crank", length="100 mm", mass=0.3)
corners = {"B": (0, 0), "C": (0.25, 0), "P": (0.1, 0.15)}
coupler = m.body("coupler", mass=0.8, center=(0.35 / 3, 0.05), inertia=0.8 * 0.25**2 / 18, points=corners)
rocker = m.bar("rocker", length="220 mm", mass=0.5)
m.revolute(m.ground.at(0, 0), crank.start, name="A")
m.revolute(crank.end, coupler.B, name="B")
m.revolute(rocker.end, coupler.C, name="C")
m.revolute(m.ground.at("260 mm", 0), rocker.start, name="D")
m.motor(crank, position="1 + 2*pi*t")
m.guess(rocker, ("260 mm", 0), angle=1.6)  # which of the two assembly modes
