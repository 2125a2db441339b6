/* The 5 x 5 grid of four-bars in natural coordinates: the positions of its 30 pins, 60 numbers.

   Five pins of a column hang on its pivot by verticals u_r, and on the next column by horizontals t_r.

     M a + J^T l = f,     J a - eps l = -g

   is solved column by column, with a small eps that keeps it solvable where constraints are redundant. A
   hanging chain of verticals never is, and is solved by hand with five unknowns w (n: u turned by 90 degrees):

     a_r = a_r-1 + n_r w_r - u_r g_r/|u_r|^2

   So a column has an inertia A, and is bound to the next one (primed) by the mass B and by its horizontals:

     A_st = W n_s.n_t                      W: the mass that verticals s and t both carry
     B_st = mu (5 - max(s,t)) n_s.n'_t     mu = 1/6: a horizontal's mass between its ends
     G w' - F w - eps l = -g               F_rs = t_r.n_s,  G_rs = t_r.n'_s  for s <= r

   Eliminating w and then l of a column leaves for the next

     E = eps + F A^-1 F^T,    Z = G + F A^-1 B,    c = g - F A^-1 h
     A' - B^T A^-1 B + Z^T E^-1 Z,    h' - B^T A^-1 h - Z^T E^-1 c

   The grid is worked on from both sides at once, in the two halves of a vector. At the middle each half
   eliminates its column for the other's sake, and both find the same motion. With other right sides the same
   solution puts positions and velocities back on the constraints.

   START is TOP_ROW (only the first row turns), ALL_ROWS, or UPRIGHT (the first row turns, all stand on the
   pivots). */

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

typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));

static const double PI = 3.14159265358979323846, MU = 1.0 / 6.0, GRAVITY = 9.81;

/* x and y of a pin of column k (first half) and of the same row in column 5 - k (second half) */
typedef struct {
    Pair x, y;
} Pins;

typedef struct {
    Pins at[3][5];
} Grid;

typedef struct {
    Pins f[3][5];            /* force at the pins */
    Pair gv[3][5], gh[3][5]; /* verticals, and horizontals towards the middle */
} Sides;

static inline Pins minus(Pins a, Pins b) {
    return (Pins){a.x - b.x, a.y - b.y};
}

static inline Pair dot(Pins a, Pins b) {
    return a.x * b.x + a.y * b.y;
}

static inline Pins swap(Pins a) {
    return (Pins){{a.x[1], a.x[0]}, {a.y[1], a.y[0]}};
}

/* the pin next to it towards the middle; beyond the middle that of the other half */
static inline Pins next(const Grid *g, int k, int r) {
    return k < 2 ? g->at[k + 1][r] : swap(g->at[2][r]);
}

/* the pin above it or, for the first row, the pivot; pitch: from pivot to pivot, 0 for velocities */
static inline Pins above(const Grid *g, int k, int r, double pitch) {
    return r > 0 ? g->at[k][r - 1] : (Pins){{pitch * k, pitch * (5 - k)}, {0.0, 0.0}};
}

/* bars that meet at a pin */
static inline double bars(int k, int r) {
    return 1.0 + (r < 4) + (k > 0 ? 2.0 : 1.0);
}

/* the mass W that two verticals, or one with itself, both carry, r being the lower */
static inline double carried(int k, int r, int same) {
    double sum = same ? 2.0 * MU * (4 - r) : MU * (9 - 2 * r);
    for (int s = r; s < 5; s++) sum += bars(k, s) / 3.0;
    return sum;
}

/* The columns with all verticals solved: what turns them, what binds them, how they accelerate while all w = 0. */
typedef struct {
    Pins n[3][5], t[3][5];
    Grid p;
} Hung;

/* An eliminated column: A = u diag(1/d) u^T and E = l diag(1/e) l^T with unit upper u and l,
   and what they were divided out of: yf, yb, yh = u^-1 (F^T, B, h) and z, c = l^-1 (Z, c). */
typedef struct {
    Pair u[5][5], d[5], yf[5][5], yb[5][5], yh[5];
    Pair l[5][5], e[5], z[5][5], c[5];
} Column;

/* upper triangle of a, which is lost, into unit upper u and the inverse d of the diagonal */
static inline void factor(Pair a[5][5], Pair u[5][5], Pair d[5]) {
    UNROLL for (int j = 4; j >= 0; j--) {
        d[j] = 1.0 / a[j][j];
        UNROLL for (int i = 0; i < j; i++) u[i][j] = a[i][j] * d[j];
        UNROLL for (int i = 0; i < j; i++) UNROLL for (int k = i; k < j; k++) a[i][k] -= u[i][j] * a[k][j];
    }
}

static inline void hang(const Grid *q, const Sides *sides, Hung *o) {
    for (int k = 0; k < 3; k++) EACH(r) {
        Pins u = minus(q->at[k][r], above(q, k, r, 1.0)), before = r > 0 ? o->p.at[k][r - 1] : (Pins){{0}, {0}};
        Pair g = sides->gv[k][r] / dot(u, u);
        o->n[k][r] = (Pins){-u.y, u.x};
        o->t[k][r] = minus(next(q, k, r), q->at[k][r]);
        o->p.at[k][r] = (Pins){before.x - g * u.x, before.y - g * u.y};
    }
}

/* adds n.(f - M p), summed over the pins below, to h */
static inline void load(const Hung *o, const Sides *sides, int k, Pair h[5]) {
    Pins sum = {{0}, {0}};
    UNROLL for (int r = 4; r >= 0; r--) {
        Pins f = sides->f[k][r], here = o->p.at[k][r], inner = next(&o->p, k, r);
        double m = bars(k, r) / 3.0;
        Pins beside = inner;
        if (k > 0) beside.x += o->p.at[k - 1][r].x, beside.y += o->p.at[k - 1][r].y;
        if (r > 0) beside.x += o->p.at[k][r - 1].x, beside.y += o->p.at[k][r - 1].y;
        if (r < 4) beside.x += o->p.at[k][r + 1].x, beside.y += o->p.at[k][r + 1].y;
        sum.x += f.x - m * here.x - MU * beside.x;
        sum.y += f.y - m * here.y - MU * beside.y;
        h[r] += dot(o->n[k][r], sum);
    }
}

/* Eliminates column k with inertia A and load h: a_next and h_next become what this adds to the next column's. */
static inline void eliminate(const Hung *g, int k, const Pair gh[5], const Pair A[5][5], const Pair h[5], Column *o,
                             Pair a_next[5][5], Pair h_next[5]) {
    const Pins *n = g->n[k], *t = g->t[k];
    Pins m[5]; /* n of the next column */
    EACH(r) m[r] = k < 2 ? g->n[k + 1][r] : swap(n[r]);
    Pair S[5][5], E[5][5], yfd[5][5];
    EACH(s) UNROLL for (int r = s; r < 5; r++) S[s][r] = A[s][r];
    factor(S, o->u, o->d);
    EACH(s) EACH(r) {
        o->yb[s][r] = MU * (5 - (s > r ? s : r)) * dot(n[s], m[r]);
        o->yf[s][r] = s <= r ? dot(t[r], n[s]) : (Pair){0};
        o->z[r][s] = s <= r ? dot(t[r], m[s]) : (Pair){0};
    }
    EACH(r) o->yh[r] = h[r];
    UNROLL for (int j = 4; j > 0; j--) UNROLL for (int i = 0; i < j; i++) {
        EACH(r) o->yb[i][r] -= o->u[i][j] * o->yb[j][r];
        UNROLL for (int r = j; r < 5; r++) o->yf[i][r] -= o->u[i][j] * o->yf[j][r];
        o->yh[i] -= o->u[i][j] * o->yh[j];
    }
    EACH(j) UNROLL for (int r = j; r < 5; r++) yfd[j][r] = o->d[j] * o->yf[j][r];
    EACH(r) {
        UNROLL for (int s = r; s < 5; s++) {
            E[r][s] = (r == s ? EPS : 0.0) + (Pair){0};
            UNROLL for (int j = 0; j <= r; j++) E[r][s] += yfd[j][r] * o->yf[j][s];
        }
        EACH(s) UNROLL for (int j = 0; j <= r; j++) o->z[r][s] += yfd[j][r] * o->yb[j][s];
        o->c[r] = gh[r] + dot(t[r], minus(next(&g->p, k, r), g->p.at[k][r]));
        UNROLL for (int j = 0; j <= r; j++) o->c[r] -= yfd[j][r] * o->yh[j];
    }
    factor(E, o->l, o->e);
    UNROLL for (int j = 4; j > 0; j--) UNROLL for (int i = 0; i < j; i++) {
        EACH(r) o->z[i][r] -= o->l[i][j] * o->z[j][r];
        o->c[i] -= o->l[i][j] * o->c[j];
    }
    EACH(s) {
        UNROLL for (int r = s; r < 5; r++) {
            a_next[s][r] = (Pair){0};
            EACH(j) a_next[s][r] += o->e[j] * o->z[j][s] * o->z[j][r] - o->d[j] * o->yb[j][s] * o->yb[j][r];
        }
        h_next[s] = (Pair){0};
        EACH(j) h_next[s] -= o->e[j] * o->z[j][s] * o->c[j] + o->d[j] * o->yb[j][s] * o->yh[j];
    }
}

/* w of a column from that of the next */
static inline void back(const Column *o, Pair w[5]) {
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

/* the middle columns, each with what the other half adds to it */
static inline void middle(Pair A[5][5], Pair h[5], Pair a_other[5][5], const Pair h_other[5], Pair w[5]) {
    Pair u[5][5], d[5];
    EACH(s) {
        UNROLL for (int r = s; r < 5; r++) A[s][r] += (Pair){a_other[s][r][1], a_other[s][r][0]};
        w[s] = h[s] + (Pair){h_other[s][1], h_other[s][0]};
    }
    factor(A, u, d);
    UNROLL for (int j = 4; j > 0; j--) UNROLL for (int i = 0; i < j; i++) w[i] -= u[i][j] * w[j];
    EACH(j) {
        w[j] *= d[j];
        UNROLL for (int i = 0; i < j; i++) w[j] -= u[i][j] * w[i];
    }
}

static __attribute__((noinline)) void solve(const Grid *q, const Sides *sides, Grid *a) {
    Hung hung;
    Column column[3];
    Pair A[5][5], h[5], a_in[5][5] = {0}, h_in[5] = {0}, w[5];
    hang(q, sides, &hung);
    for (int k = 0; k < 3; k++) {
        EACH(s) {
            UNROLL for (int r = s; r < 5; r++)
                A[s][r] = a_in[s][r] + carried(k, r, r == s) * dot(hung.n[k][s], hung.n[k][r]);
            h[s] = h_in[s];
        }
        load(&hung, sides, k, h);
        eliminate(&hung, k, sides->gh[k], A, h, &column[k], a_in, h_in);
    }
    middle(A, h, a_in, h_in, w);
    for (int k = 2; k >= 0; k--) {
        if (k < 2) back(&column[k], w);
        Pins sum = {{0}, {0}};
        EACH(r) {
            Pins p = hung.p.at[k][r];
            sum.x += hung.n[k][r].x * w[r], sum.y += hung.n[k][r].y * w[r];
            a->at[k][r] = (Pins){p.x + sum.x, p.y + sum.y};
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
    solve(q, &sides, (Grid *)out + 1);
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
    solve(q, &sides, &change);
    add(q, &change);
    for (int k = 0; k < 3; k++) EACH(r) {
        Pins vertical = minus(q->at[k][r], above(q, k, r, 1.0)), horizontal = minus(next(q, k, r), q->at[k][r]);
        sides.gv[k][r] = dot(vertical, minus(v->at[k][r], above(v, k, r, 0.0)));
        sides.gh[k][r] = dot(horizontal, minus(next(v, k, r), v->at[k][r]));
    }
    solve(q, &sides, &change);
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
