"""DOPRI5: the explicit Runge–Kutta pair of Dormand and Prince of order 5(4).

| | |
|---|---|
| order | 5 (local extrapolation) |
| evaluations per step | 6 |
| error estimate | one embedded result of order 4, with the slope at the end: err = h·‖e‖ = O(h⁵) |
| reference | Dormand, Prince: A family of embedded Runge–Kutta formulae, J. Comput. Appl. Math. 6 (1980) 19–26 |
"""

from grashof.integrate.methods.explicit import Explicit

DOPRI5 = Explicit(
    "dopri5",
    "Dormand–Prince 5(4)",
    order=5,
    share=0.0001,
    c=(0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0),
    a=(
        {},
        {0: 1 / 5},
        {0: 3 / 40, 1: 9 / 40},
        {0: 44 / 45, 1: -56 / 15, 2: 32 / 9},
        {0: 19372 / 6561, 1: -25360 / 2187, 2: 64448 / 6561, 3: -212 / 729},
        {0: 9017 / 3168, 1: -355 / 33, 2: 46732 / 5247, 3: 49 / 176, 4: -5103 / 18656},
        {0: 35 / 384, 2: 500 / 1113, 3: 125 / 192, 4: -2187 / 6784, 5: 11 / 84},
    ),
    errors=({0: 71 / 57600, 2: -71 / 16695, 3: 71 / 1920, 4: -17253 / 339200, 5: 22 / 525, 6: -1 / 40},),
)
