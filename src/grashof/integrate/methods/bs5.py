"""BS5: the explicit Runge–Kutta pair of Bogacki and Shampine of order 5(4).

| | |
|---|---|
| order | 5 (local extrapolation), with an error some ten times smaller than that of DOPRI5 for one stage more |
| evaluations per step | 7 |
| error estimate | one embedded result of order 4, with the slope at the end: err = h·‖e‖ = O(h⁵) |
| reference | Bogacki, Shampine: An efficient Runge–Kutta (4,5) pair, Computers Math. Applic. 32 (1996) 15–28 |
"""

from grashof.integrate.methods.explicit import Explicit

BS5 = Explicit(
    "bs5",
    "Bogacki–Shampine 5(4)",
    order=5,
    share=0.002,
    c=(0.0, 1 / 6, 2 / 9, 3 / 7, 2 / 3, 3 / 4, 1.0, 1.0),
    a=(
        {},
        {0: 1 / 6},
        {0: 2 / 27, 1: 4 / 27},
        {0: 183 / 1372, 1: -162 / 343, 2: 1053 / 1372},
        {0: 68 / 297, 1: -4 / 11, 2: 42 / 143, 3: 1960 / 3861},
        {0: 597 / 22528, 1: 81 / 352, 2: 63099 / 585728, 3: 58653 / 366080, 4: 4617 / 20480},
        {
            0: 174197 / 959244,
            1: -30942 / 79937,
            2: 8152137 / 19744439,
            3: 666106 / 1039181,
            4: -29421 / 29068,
            5: 482048 / 414219,
        },
        {0: 587 / 8064, 2: 4440339 / 15491840, 3: 24353 / 124800, 4: 387 / 44800, 5: 2152 / 5985, 6: 7267 / 94080},
    ),
    errors=(
        {
            0: 587 / 8064 - 2479 / 34992,
            2: 4440339 / 15491840 - 123 / 416,
            3: 24353 / 124800 - 612941 / 3411720,
            4: 387 / 44800 - 43 / 1440,
            5: 2152 / 5985 - 2272 / 6561,
            6: 7267 / 94080 - 79937 / 1113912,
            7: -3293 / 556956,
        },
    ),
)
