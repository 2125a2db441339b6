import grashof as gr

m = gr.Mechanism("Bricard linkage", gravity=(0, -9.81, 0))
steps = [(1, 0, 0), (0, -1, 0), (0, 0, 1), (-1, 0, 0), (0, 1, 0)]  # along the edges of a cube of 1 m
axes = [(0, 1, 0), (0, 0, 1), (1, 0, 0)]
corner, before = (0, 0, 0), m.ground.at(0, 0, 0)
for k, step in enumerate(steps):
    inertia = [1 / 600 if x else 1.01 / 12 for x in step]
    middle = tuple(x / 2 for x in step)
    ends = {"start": (0, 0, 0), "end": step}
    rod = m.body(f"rod {k + 1}", mass=1.0, center=middle, inertia=inertia, points=ends, position=corner)
    m.revolute(before, rod.start, axis=axes[k % 3], name=f"P{k + 1}")
    corner, before = tuple(a + b for a, b in zip(corner, step, strict=True)), rod.end
m.revolute(before, m.ground.at(0, 0, 1), axis=(1, 0, 0), name="P6")
m.need("rod 1.angle", value=0, rate=0)
