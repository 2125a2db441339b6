"""RK4: the classical Runge–Kutta method, with a fixed step.

| | |
|---|---|
| order | 4 |
| evaluations per step | 4 |
| error estimate | none: the step is given |
| reference | Kutta, Z. Math. Phys. 46 (1901) 435–453 |
"""

from grashof.integrate.methods.explicit import Explicit

RK4 = Explicit(
    "rk4",
    "classical Runge–Kutta, fixed step",
    order=4,
    share=0.01,
    c=(0.0, 1 / 2, 1 / 2, 1.0, 1.0),
    a=({}, {0: 1 / 2}, {1: 1 / 2}, {2: 1.0}, {0: 1 / 6, 1: 1 / 3, 2: 1 / 3, 3: 1 / 6}),
)
