import grashof as gr

m = gr.Mechanism("Watt's linkage")
left = m.bar("left arm", length="300 mm", mass=0.6)
right = m.bar("right arm", length="300 mm", mass=0.6)
coupler = m.bar("coupler", length="180 mm", mass=0.4)
coupler.at("90 mm", 0, name="P")
m.revolute(m.ground.at("-300 mm", "90 mm"), left.start)
m.revolute(m.ground.at("300 mm", "-90 mm"), right.start)
m.revolute(left.end, coupler.start)
m.revolute(right.end, coupler.end)
m.need(left, value=0, rate=3)
m.want(right, value="180 deg")
