/* A row of N = WINDOWS four-bars (N even) in natural coordinates: the pins' positions, two numbers each.

   Node k, of mass m_k, hangs on its pivot by an upright u_k and on the next node by a top t_k, all of length
   1; bars of 1 kg give m = 1 (2/3 at the ends) and mu = 1/6 between neighbours. With a
   multiplier for each bar, and a small eps that keeps them solvable where they are redundant,

     m a_k + mu (a_k-1 + a_k+1) + u_k lu_k + t_k-1 lt_k-1 - t_k lt_k = f_k
     u_k . a_k - eps lu_k = -gu_k,      t_k . (a_k+1 - a_k) - eps lt_k = -gt_k

   is solved node by node. A being what is left of m I, and h of f_k, both multipliers of a node are
   eliminated with it without subtracting large numbers (n = u turned by 90 degrees, adj = adjugate):

     w = eps adj A + n n^T,   d = eps det A + u.adj(A) u         w/d = inverse of A + u u^T/eps
     s = w t,   z = d t + mu s,   r = 1/(eps d + t.s)
     p = w h - adj(A) u gu,   l = r (d gt - t.p)
     next A = m I + (r z z^T - mu^2 w)/d,     next h = f - (mu p + l z)/d

   and back: lt = r z.a_next + l,  a = (p + s lt - mu w a_next)/d. At the flat position t is parallel to u,
   t.s is of the order of eps, and eps decides. The row is worked on from both ends at once, in the two halves
   of a vector, which meet in the middle node. With other right sides the same solution puts positions and
   velocities back on the constraints. */

#include <math.h>
#include <stdio.h>

#define HALF (WINDOWS / 2)
#define NODES (WINDOWS + 1)
#define SIZE (4 * NODES)
#define FIRST_STEP 0.3
#define SCALE(i) ((i) < 2 * NODES ? 1.0 : 6.0)

#define EPS 1e-12

typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));

static const double MU = 1.0 / 6.0, GRAVITY = 9.81;

/* x and y of node k (first half) and node N - k (second half) */
typedef struct {
    Pair x, y;
} Nodes;

/* q = HALF Nodes from the ends inwards, then x and y of the middle node; velocities and accelerations alike */
typedef struct {
    Nodes outer[HALF];
    double x, y;
} Row;

typedef struct {
    Row f;                   /* force at the nodes */
    Pair gu[HALF], gt[HALF]; /* uprights and tops, from the ends inwards */
    double gu_middle;
} Sides;

static inline Nodes node(const Row *row, int k) {
    return k < HALF ? row->outer[k] : (Nodes){{row->x, row->x}, {row->y, row->y}};
}

static inline Pair pivot(int k) {
    return (Pair){k, WINDOWS - k};
}

static inline double mass(int k) {
    return k == 0 ? 2.0 / 3.0 : 1.0;
}

static inline double weight(int k) {
    return GRAVITY * (k == 0 ? 1.0 : 1.5);
}

static inline __attribute__((always_inline)) void solve(const Row *q, const Sides *sides, Row *a) {
    struct {
        Pair wxx, wxy, wyy, sx, sy, zx, zy, px, py, l;
    } at[HALF];
    Pair cxx = {0}, cxy = {0}, cyy = {0}, hx = {0}, hy = {0}; /* what the nodes before add to A and h */
    for (int k = 0; k < HALF; k++) {
        Nodes here = node(q, k), next = node(q, k + 1), f = sides->f.outer[k];
        Pair ux = here.x - pivot(k), uy = here.y, tx = next.x - here.x, ty = next.y - here.y;
        Pair axx = mass(k) + cxx, ayy = mass(k) + cyy, axy = cxy;
        hx += f.x;
        hy += f.y;
        Pair jx = ayy * ux - axy * uy, jy = axx * uy - axy * ux;
        Pair d = EPS * (axx * ayy - axy * axy) + jx * ux + jy * uy;
        Pair wxx = EPS * ayy + uy * uy, wxy = -EPS * axy - ux * uy, wyy = EPS * axx + ux * ux;
        Pair sx = wxx * tx + wxy * ty, sy = wxy * tx + wyy * ty;
        Pair zx = d * tx + MU * sx, zy = d * ty + MU * sy;
        Pair px = wxx * hx + wxy * hy - jx * sides->gu[k], py = wxy * hx + wyy * hy - jy * sides->gu[k];
        Pair r = 1.0 / (EPS * d + tx * sx + ty * sy), e = 1.0 / d;
        Pair l = r * (d * sides->gt[k] - tx * px - ty * py), rzx = r * zx, rzy = r * zy;
        cxx = e * (rzx * zx - MU * MU * wxx);
        cxy = e * (rzx * zy - MU * MU * wxy);
        cyy = e * (rzy * zy - MU * MU * wyy);
        hx = -e * (MU * px + l * zx);
        hy = -e * (MU * py + l * zy);
        Pair scale = -MU * e;
        at[k].wxx = scale * wxx, at[k].wxy = scale * wxy, at[k].wyy = scale * wyy, at[k].sx = e * sx, at[k].sy = e * sy;
        at[k].zx = rzx, at[k].zy = rzy, at[k].px = e * px, at[k].py = e * py, at[k].l = l;
    }
    double ux = q->x - HALF, uy = q->y;
    double axx = mass(HALF) + cxx[0] + cxx[1], axy = cxy[0] + cxy[1], ayy = mass(HALF) + cyy[0] + cyy[1];
    double fx = sides->f.x + hx[0] + hx[1], fy = sides->f.y + hy[0] + hy[1];
    double jx = ayy * ux - axy * uy, jy = axx * uy - axy * ux;
    double e = 1.0 / (EPS * (axx * ayy - axy * axy) + jx * ux + jy * uy);
    a->x = e * ((EPS * ayy + uy * uy) * fx - (EPS * axy + ux * uy) * fy - jx * sides->gu_middle);
    a->y = e * ((EPS * axx + ux * ux) * fy - (EPS * axy + ux * uy) * fx - jy * sides->gu_middle);
    Pair ax = {a->x, a->x}, ay = {a->y, a->y};
    for (int k = HALF - 1; k >= 0; k--) {
        Pair l = at[k].zx * ax + at[k].zy * ay + at[k].l;
        Pair x = at[k].px + at[k].wxx * ax + at[k].wxy * ay, y = at[k].py + at[k].wxy * ax + at[k].wyy * ay;
        ax = x + at[k].sx * l;
        ay = y + at[k].sy * l;
        a->outer[k] = (Nodes){ax, ay};
    }
}

static inline void accelerate(const Row *q, const Row *v, Row *a) {
    Sides sides;
    for (int k = 0; k < HALF; k++) {
        Nodes here = node(v, k), next = node(v, k + 1);
        Pair x = next.x - here.x, y = next.y - here.y;
        sides.f.outer[k] = (Nodes){(Pair){0}, -weight(k) - (Pair){0}};
        sides.gu[k] = here.x * here.x + here.y * here.y;
        sides.gt[k] = x * x + y * y;
    }
    sides.f.x = 0.0;
    sides.f.y = -weight(HALF);
    sides.gu_middle = v->x * v->x + v->y * v->y;
    solve(q, &sides, a);
}

static void slope(const double *y, double *f) {
    const Row *q = (const Row *)y, *v = q + 1;
    *(Row *)f = *v;
    accelerate(q, v, (Row *)f + 1);
}

static void add(Row *row, const Row *change) {
    double *x = (double *)row;
    for (int i = 0; i < 2 * NODES; i++) x[i] += ((const double *)change)[i];
}

/* q and v of least change (in the sense of M) that meet the constraints, to first order */
static __attribute__((noinline)) void project(Row *q, Row *v) {
    Sides sides = {0};
    Row change;
    for (int k = 0; k < HALF; k++) {
        Nodes here = node(q, k), next = node(q, k + 1);
        Pair ux = here.x - pivot(k), tx = next.x - here.x, ty = next.y - here.y;
        sides.gu[k] = 0.5 * (ux * ux + here.y * here.y) - 0.5;
        sides.gt[k] = 0.5 * (tx * tx + ty * ty) - 0.5;
    }
    sides.gu_middle = 0.5 * ((q->x - HALF) * (q->x - HALF) + q->y * q->y) - 0.5;
    solve(q, &sides, &change);
    add(q, &change);
    for (int k = 0; k < HALF; k++) {
        Nodes here = node(q, k), next = node(q, k + 1), rate = node(v, k), next_rate = node(v, k + 1);
        sides.gu[k] = (here.x - pivot(k)) * rate.x + here.y * rate.y;
        sides.gt[k] = (next.x - here.x) * (next_rate.x - rate.x) + (next.y - here.y) * (next_rate.y - rate.y);
    }
    sides.gu_middle = (q->x - HALF) * v->x + q->y * v->y;
    solve(q, &sides, &change);
    add(v, &change);
}

static void arrive(double *y, double *f) {
    project((Row *)y, (Row *)y + 1);
    slope(y, f);
}

#define ARRIVE(y, f) arrive(y, f)

static void start(double *y) {
    Row *q = (Row *)y, *v = q + 1;
    for (int k = 0; k < HALF; k++) {
        q->outer[k] = (Nodes){pivot(k), {1.0, 1.0}};
        v->outer[k] = (Nodes){{1.0, 1.0}, {0.0, 0.0}};
    }
    q->x = HALF, q->y = 1.0, v->x = 1.0, v->y = 0.0;
}

static double energy(const double *y) {
    const Row *q = (const Row *)y, *v = q + 1;
    double sum = 0.5 * mass(HALF) * (v->x * v->x + v->y * v->y) + weight(HALF) * q->y;
    for (int k = 0; k < HALF; k++) {
        Nodes here = node(v, k), next = node(v, k + 1);
        Pair both = 0.5 * mass(k) * (here.x * here.x + here.y * here.y) + MU * (here.x * next.x + here.y * next.y) +
                    weight(k) * q->outer[k].y;
        sum += both[0] + both[1];
    }
    return sum;
}

static void report(const double *y) {
    const Row *q = (const Row *)y, *v = q + 1;
    printf("\"x_1\": %.17g, \"xdot_1\": %.17g", q->outer[0].x[0], v->outer[0].x[0]);
}

#include "run.h"
