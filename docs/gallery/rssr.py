import grashof as gr

m = gr.Mechanism("RSSR linkage", gravity=(0, 0, -9.81))
crank = m.bar("crank", start=(0, 0, 0), end=(0.1, 0, 0), mass=0.3)
rocker = m.bar("rocker", start=(0.15, 0.3, 0), end=(0.15, 0.3, 0.2), mass=0.4)
coupler = m.bar("coupler", length="350 mm", mass=0.5)
m.revolute(m.ground.at(0, 0, 0), crank.start, axis=(0, 0, 1))
m.spherical(crank.end, coupler.start)
m.spherical(coupler.end, rocker.end)
m.revolute(m.ground.at(0.15, 0.3, 0), rocker.start, axis=(1, 0, 0))
m.angle("turn", crank, axis=(0, 0, 1), zero=(1, 0, 0))
m.angle("swing", rocker, axis=(1, 0, 0), zero=(0, 1, 0))
m.motor("turn", position="2*pi*t")
