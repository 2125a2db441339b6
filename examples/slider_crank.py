"""A slider-crank: a constant torque drives the crank, and the end of the rod slides along the x axis."""

import grashof as gr

m = gr.Mechanism("slider crank", gravity=(0, -9.81))
crank = m.bar("crank", length=0.2, mass=1.0)
rod = m.bar("rod", length=0.5, mass=0.5)
m.revolute(m.ground.at(0, 0), crank.start)
m.revolute(crank.end, rod.start)
m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
m.motor(crank, torque=0.3)

print(gr.mobility(m))
run = gr.simulate(m, 10.0)
print(run.status, "Energy-balance error:", abs(run["balance"]).max(), "J")
print("The rod's end goes from", run["rod.end.x"].min(), "m to", run["rod.end.x"].max(), "m.")
run.plot(path="slider_crank.png")
run.animate("slider_crank.html")
