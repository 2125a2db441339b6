import grashof as gr

u = 0.05  # m
m = gr.Mechanism("Chebyshev linkage")
left = m.bar("left arm", length=5 * u, mass=0.5)
right = m.bar("right arm", length=5 * u, mass=0.5)
coupler = m.bar("coupler", length=2 * u, mass=0.2)
coupler.at(u, 0, name="P")
m.revolute(m.ground.at(0, 0), left.start)
m.revolute(m.ground.at(4 * u, 0), right.start)
m.revolute(left.end, coupler.start)
m.revolute(right.end, coupler.end)
m.motor(coupler, position="pi/2 + pi*t")
m.want(left, value=0.64)
m.want(right, value="90 deg")
