import grashof as gr

m = gr.Mechanism("Peaucellier-Lipkin linkage")
crank = m.bar("crank", length="100 mm", mass=0.2)
m.revolute(m.ground.at("100 mm", 0), crank.start)
for side, sign in (("upper", 1), ("lower", -1)):
    arm = m.bar(f"{side} arm", length="300 mm", mass=0.6)
    inner = m.bar(f"{side} left", length="130 mm", mass=0.26)
    outer = m.bar(f"{side} right", length="130 mm", mass=0.26)
    m.revolute(m.ground.at(0, 0), arm.start)
    m.revolute(crank.end, inner.start)
    m.revolute(arm.end, inner.end)
    m.revolute(arm.end, outer.start)
    m.guess(arm, (0, 0), angle=0.4 * sign)
    m.guess(inner, (0.2, 0), angle=1.1 * sign)
    m.guess(outer, (0.27, 0.11 * sign), angle=-1.1 * sign)
    if side == "upper":
        tip = outer.end
m.revolute(tip, outer.end, name="P")
m.motor(crank, position="50*pi/180*sin(3*t)")
