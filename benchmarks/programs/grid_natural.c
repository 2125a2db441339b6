/* The 5 x 5 grid of four-bars in natural coordinates: the positions of its 30 pins, 60 numbers.

   Column c of five pins hangs on its pivot by verticals u_r and on the next column by horizontals t_r, all of length 1.

     M a + J^T l = f,     J a - eps l = -g

   is solved column by column. A hanging chain of verticals is never redundant and is solved by hand: with n = u turned by 90
   degrees, a_r = a_r-1 + n_r w_r - u_r g_r/|u_r|^2. So a column has five unknowns w, an inertia A_st = W n_s.n_t (W: mass
   below the upper of s and t) and is bound to the next one by B_st = mu (5 - max(s,t)) n_s.n'_t and by its horizontals,
   G w' - F w - eps l = -g with F_rs = t_r.n_s, G_rs = t_r.n'_s for s <= r. Horizontals may be redundant: they keep eps.
   Eliminating w and then l of a column leaves for the next

     E = eps + F A^-1 F^T,    Z = G + F A^-1 B,    c = g - F A^-1 h
     A' - B^T A^-1 B + Z^T E^-1 Z,    h' - B^T A^-1 h - Z^T E^-1 c

   The grid is worked on from both sides at once, in the two halves of a vector. At the middle each half eliminates its
   column for the other's sake, and both find the same motion. With other right sides the same solution puts positions and
   velocities back on the constraints.

   START is TOP_ROW (only the first row turns), ALL_ROWS, or UPRIGHT (the first row turns, all stand on the pivots). */

#include <math.h>
#include <stdio.h>

#define TOP_ROW 0
#define ALL_ROWS 1
#define UPRIGHT 2

#define T_END 10.0
#define SIZE 120
#define FIRST_STEP 0.1
#define SCALE(i) ((i) < 60 ? 1.0 : 5.0)

#define EPS 1e-12
#define UNROLL _Pragma("GCC unroll 5")
#define EACH(i) UNROLL for (int i = 0; i < 5; i++)

typedef double Pair __attribute__((vector_size(16), aligned(8)));

static const double PI = 3.14159265358979323846, MU = 1.0 / 6.0, GRAVITY = 9.81;

/* x and y of a pin of column k (first half) and of the same row in column 5 - k (second half) */
typedef struct {
    Pair x, y;
} Pins;

typedef struct {
    Pins at[3][5];
} Grid;

typedef struct {
    Pins f[3][5];                /* force at the pins */
    Pair gv[3][5], gh[3][5];     /* verticals, and horizontals towards the middle */
} Sides;

static inline Pins minus(Pins a, Pins b) {
    return (Pins){a.x - b.x, a.y - b.y};
}

static inline Pair dot(Pins a, Pins b) {
    return a.x * b.x + a.y * b.y;
}

/* the pin next to it towards the middle; beyond the middle that of the other half */
static inline Pins next(const Grid *g, int k, int r) {
    Pins p = g->at[k < 2 ? k + 1 : 2][r];
    return k < 2 ? p : (Pins){{p.x[1], p.x[0]}, {p.y[1], p.y[0]}};
}

/* the pin or, for the first row and unless it is a change, the pivot above it */
static inline Pins above(const Grid *g, int k, int r, double pitch) {
    return r > 0 ? g->at[k][r - 1] : (Pins){{pitch * k, pitch * (5 - k)}, {0.0, 0.0}};
}

static inline double bars(int k, int r) {
    return 1.0 + (r < 4) + (k > 0 ? 2.0 : 1.0);
}

/* mass below the upper of two verticals, see above; twice that much of the last half bar if they are the same one */
static inline double below(int k, int r, int same) {
    double sum = same ? 2.0 * MU * (4 - r) : MU * (9 - 2 * r);
    for (int s = r; s < 5; s++) sum += bars(k, s) / 3.0;
    return sum;
}

typedef struct {
    Pair u[5][5], d[5];          /* A = u diag(1/d) u^T, u unit upper */
    Pair yf[5][5], yb[5][5], yh[5]; /* u^-1 of F^T, B, h */
    Pair l[5][5], e[5];          /* E = l diag(1/e) l^T */
    Pair z[5][5], c[5];          /* l^-1 of Z and c */
} Column;

/* x = u^-1 x, from the last row up */
#define UP(u, x)              \
    UNROLL for (int j = 4; j > 0; j--) UNROLL for (int i = 0; i < j; i++)(x)[i] -= (u)[i][j] * (x)[j]

static inline void factor_up(Pair a[5][5], Pair u[5][5], Pair d[5]) {
    UNROLL for (int j = 4; j >= 0; j--) {
        d[j] = 1.0 / a[j][j];
        UNROLL for (int i = 0; i < j; i++) u[i][j] = a[i][j] * d[j];
        UNROLL for (int i = 0; i < j; i++) UNROLL for (int k = i; k < j; k++) a[i][k] -= u[i][j] * a[k][j];
    }
}

static inline __attribute__((always_inline)) void solve(const Grid *q, const Sides *sides, double pitch, Grid *a) {
    Pins n[3][5], t[3][5];
    Grid p; /* acceleration with all w = 0 */
    for (int k = 0; k < 3; k++) EACH(r) {
        Pins u = minus(q->at[k][r], above(q, k, r, pitch));
        Pair g = sides->gv[k][r] / dot(u, u);
        n[k][r] = (Pins){-u.y, u.x};
        t[k][r] = minus(next(q, k, r), q->at[k][r]);
        p.at[k][r] = (Pins){(r ? p.at[k][r - 1].x : (Pair){0}) - g * u.x, (r ? p.at[k][r - 1].y : (Pair){0}) - g * u.y};
    }
    Column column[3];
    Pair a_in[5][5] = {0}, h_in[5] = {0}; /* what the column before adds to A and h */
    Pair A[5][5], h[5];
    for (int k = 0; k < 3; k++) {
        Column *o = &column[k];
        Pins sum = {{0}, {0}};
        UNROLL for (int r = 4; r >= 0; r--) {
            Pins f = sides->f[k][r], b = next(&p, k, r);
            double m = bars(k, r) / 3.0;
            f.x -= m * p.at[k][r].x + MU * b.x, f.y -= m * p.at[k][r].y + MU * b.y;
            if (r > 0) f.x -= MU * p.at[k][r - 1].x, f.y -= MU * p.at[k][r - 1].y;
            if (r < 4) f.x -= MU * p.at[k][r + 1].x, f.y -= MU * p.at[k][r + 1].y;
            if (k > 0) f.x -= MU * p.at[k - 1][r].x, f.y -= MU * p.at[k - 1][r].y;
            sum.x += f.x, sum.y += f.y;
            h[r] = h_in[r] + dot(n[k][r], sum);
        }
        Pins m[5];
        EACH(r) {
            Pins b = k < 2 ? n[k + 1][r] : n[2][r];
            m[r] = k < 2 ? b : (Pins){{b.x[1], b.x[0]}, {b.y[1], b.y[0]}};
        }
        EACH(s) UNROLL for (int r = s; r < 5; r++) A[s][r] = a_in[s][r] + below(k, r, r == s) * dot(n[k][s], n[k][r]);
        Pair S[5][5], hh[5], E[5][5];
        EACH(s) UNROLL for (int r = s; r < 5; r++) S[s][r] = A[s][r];
        EACH(s) hh[s] = h[s];
        factor_up(S, o->u, o->d);
        EACH(s) EACH(r) {
            o->yb[s][r] = MU * (5 - (s > r ? s : r)) * dot(n[k][s], m[r]);
            o->yf[s][r] = s <= r ? dot(t[k][r], n[k][s]) : (Pair){0};
            o->z[r][s] = s <= r ? dot(t[k][r], m[s]) : (Pair){0};
        }
        UNROLL for (int j = 4; j > 0; j--) UNROLL for (int i = 0; i < j; i++) {
            EACH(r) o->yb[i][r] -= o->u[i][j] * o->yb[j][r];
            UNROLL for (int r = j; r < 5; r++) o->yf[i][r] -= o->u[i][j] * o->yf[j][r];
            hh[i] -= o->u[i][j] * hh[j];
        }
        EACH(r) {
            o->yh[r] = hh[r];
            o->c[r] = sides->gh[k][r] + dot(t[k][r], minus(next(&p, k, r), p.at[k][r]));
        }
        Pair yfd[5][5];
        EACH(j) UNROLL for (int r = j; r < 5; r++) yfd[j][r] = o->d[j] * o->yf[j][r];
        EACH(r) {
            UNROLL for (int s = r; s < 5; s++) {
                E[r][s] = r == s ? EPS + (Pair){0} : (Pair){0};
                UNROLL for (int j = 0; j <= r; j++) E[r][s] += yfd[j][r] * o->yf[j][s];
            }
            EACH(s) UNROLL for (int j = 0; j <= r; j++) o->z[r][s] += yfd[j][r] * o->yb[j][s];
            UNROLL for (int j = 0; j <= r; j++) o->c[r] -= yfd[j][r] * o->yh[j];
        }
        factor_up(E, o->l, o->e);
        UNROLL for (int j = 4; j > 0; j--) UNROLL for (int i = 0; i < j; i++) {
            EACH(r) o->z[i][r] -= o->l[i][j] * o->z[j][r];
            o->c[i] -= o->l[i][j] * o->c[j];
        }
        EACH(s) {
            UNROLL for (int r = s; r < 5; r++) {
                a_in[s][r] = (Pair){0};
                EACH(j) a_in[s][r] += o->e[j] * o->z[j][s] * o->z[j][r] - o->d[j] * o->yb[j][s] * o->yb[j][r];
            }
            h_in[s] = (Pair){0};
            EACH(j) h_in[s] -= o->e[j] * o->z[j][s] * o->c[j] + o->d[j] * o->yb[j][s] * o->yh[j];
        }
    }
    /* the other half's middle column, with what this half's adds to it */
    Pair w[5], u[5][5], d[5];
    EACH(s) {
        UNROLL for (int r = s; r < 5; r++) a_in[s][r] += (Pair){A[s][r][1], A[s][r][0]};
        w[s] = h_in[s] + (Pair){h[s][1], h[s][0]};
    }
    factor_up(a_in, u, d);
    UP(u, w);
    EACH(j) {
        w[j] *= d[j];
        UNROLL for (int i = 0; i < j; i++) w[j] -= u[i][j] * w[i];
    }
    for (int k = 2; k >= 0; k--) {
        Column *o = &column[k];
        if (k == 2) {
            EACH(s) w[s] = (Pair){w[s][1], w[s][0]};
        } else {
            Pair l[5], x[5];
            EACH(j) {
                l[j] = o->c[j];
                EACH(s) l[j] += o->z[j][s] * w[s];
                l[j] *= o->e[j];
                UNROLL for (int i = 0; i < j; i++) l[j] -= o->l[i][j] * l[i];
            }
            EACH(j) {
                x[j] = o->yh[j];
                EACH(s) x[j] -= o->yb[j][s] * w[s];
                UNROLL for (int r = j; r < 5; r++) x[j] += o->yf[j][r] * l[r];
                x[j] *= o->d[j];
                UNROLL for (int i = 0; i < j; i++) x[j] -= o->u[i][j] * x[i];
            }
            EACH(j) w[j] = x[j];
        }
        Pins sum = {{0}, {0}};
        EACH(r) {
            sum.x += n[k][r].x * w[r], sum.y += n[k][r].y * w[r];
            a->at[k][r] = (Pins){p.at[k][r].x + sum.x, p.at[k][r].y + sum.y};
        }
    }
}

static void slope(const double *y, double *out) {
    const Grid *q = (const Grid *)y, *v = q + 1;
    Sides sides;
    for (int k = 0; k < 3; k++) EACH(r) {
        Pins vertical = minus(v->at[k][r], above(v, k, r, 0.0)), horizontal = minus(next(v, k, r), v->at[k][r]);
        sides.f[k][r] = (Pins){{0}, -0.5 * GRAVITY * bars(k, r) + (Pair){0}};
        sides.gv[k][r] = dot(vertical, vertical);
        sides.gh[k][r] = dot(horizontal, horizontal);
    }
    *(Grid *)out = *v;
    solve(q, &sides, 1.0, (Grid *)out + 1);
}

static void add(Grid *grid, const Grid *change) {
    double *x = (double *)grid;
    for (int i = 0; i < 60; i++) x[i] += ((const double *)change)[i];
}

/* q and v of least change (in the sense of M) that meet the constraints, to first order; the slope there */
static void arrive(double *y, double *out) {
    Grid *q = (Grid *)y, *v = q + 1, change;
    Sides sides = {0};
    for (int k = 0; k < 3; k++) EACH(r) {
        Pins vertical = minus(q->at[k][r], above(q, k, r, 1.0)), horizontal = minus(next(q, k, r), q->at[k][r]);
        sides.gv[k][r] = 0.5 * dot(vertical, vertical) - 0.5;
        sides.gh[k][r] = 0.5 * dot(horizontal, horizontal) - 0.5;
    }
    solve(q, &sides, 1.0, &change);
    add(q, &change);
    for (int k = 0; k < 3; k++) EACH(r) {
        Pins vertical = minus(q->at[k][r], above(q, k, r, 1.0)), horizontal = minus(next(q, k, r), q->at[k][r]);
        sides.gv[k][r] = dot(vertical, minus(v->at[k][r], above(v, k, r, 0.0)));
        sides.gh[k][r] = dot(horizontal, minus(next(v, k, r), v->at[k][r]));
    }
    solve(q, &sides, 1.0, &change);
    add(v, &change);
    slope(y, out);
}

#define ARRIVE(y, f) arrive(y, f)

static void start(double *y) {
    Grid *q = (Grid *)y, *v = q + 1;
    double side = START == UPRIGHT ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) EACH(r) {
        double speed = side * 2.0 * PI / 3.0 * (START == ALL_ROWS ? r + 1.0 : 1.0);
        q->at[k][r] = (Pins){{k, 5 - k}, -side * (r + 1.0) + (Pair){0}};
        v->at[k][r] = (Pins){speed + (Pair){0}, {0}};
    }
}

static double energy(const double *y) {
    const Grid *q = (const Grid *)y, *v = q + 1;
    Pair sum = {0};
    for (int k = 0; k < 3; k++) EACH(r) {
        Pins here = v->at[k][r];
        double share = k < 2 ? 1.0 : 0.5; /* the bars across the middle are in both halves */
        sum += bars(k, r) / 6.0 * dot(here, here) + share * MU * dot(here, next(v, k, r)) +
               0.5 * GRAVITY * bars(k, r) * q->at[k][r].y;
        if (r > 0) sum += MU * dot(here, v->at[k][r - 1]);
    }
    return sum[0] + sum[1];
}

/* phi_1 without its whole turns */
static void report(const double *y) {
    const Grid *q = (const Grid *)y, *v = q + 1;
    double x = q->at[0][0].x[0], z = q->at[0][0].y[0], vx = v->at[0][0].x[0], vz = v->at[0][0].y[0];
    printf("\"phi_1\": %.17g, \"phidot_1\": %.17g, \"y_A\": %.17g, \"z_A\": %.17g", atan2(x, -z), x * vz - z * vx,
           q->at[0][4].x[1], q->at[0][4].y[1]);
}

#include "run.h"
