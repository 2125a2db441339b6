import grashof as gr

N = 40
m = gr.Mechanism(f"{N} four-bars", gravity=(0, -9.81))
uprights = [m.bar(f"upright{i}", start=(i, 0), end=(i, 1), mass=1.0) for i in range(N + 1)]
for i, upright in enumerate(uprights):
    m.revolute(m.ground.at(i, 0), upright.start)
for i in range(N):
    top = m.bar(f"top{i}", start=(i, 1), end=(i + 1, 1), mass=1.0)
    m.revolute(uprights[i].end, top.start)
    m.revolute(top.end, uprights[i + 1].end)
m.need("upright0.end.x", rate=1)
