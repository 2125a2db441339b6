/* draft */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TOP_ROW 0
#define ALL_ROWS 1
#define UPRIGHT 2

#define T_END 10.0
#define ROWS 5
#define COLUMNS 6
#define N 60
#define SIZE (2 * N)
#define FIRST_STEP 0.1
#define SCALE(i) ((i) < N ? 1.0 : 5.0)
#ifndef ALPHA
#define ALPHA 1e7
#endif
#ifndef SWEEPS
#define SWEEPS 2
#endif

typedef double V4 __attribute__((vector_size(32), aligned(8)));
static const double PI = 3.14159265358979323846, GRAVITY = 9.81, MU = 1.0 / 6.0;
#define AT(r, c) (2 * (ROWS * (c) + (r)))
static inline double mass(int r, int c) { return (1 + (r < ROWS - 1) + (c > 0) + (c < COLUMNS - 1)) / 3.0; }

typedef struct { double vx[ROWS][COLUMNS], vy[ROWS][COLUMNS], hx[ROWS][COLUMNS], hy[ROWS][COLUMNS]; } Bars; /* vertical to the node above; horizontal to the next */

static inline void bars(const double *q, Bars *b, double pitch) {
    for (int c = 0; c < COLUMNS; c++)
        for (int r = 0; r < ROWS; r++) {
            int i = AT(r, c);
            b->vx[r][c] = r ? q[i] - q[i - 2] : q[i] - pitch * c;
            b->vy[r][c] = r ? q[i + 1] - q[i - 1] : q[i + 1];
            b->hx[r][c] = c < COLUMNS - 1 ? q[i + 10] - q[i] : 0.0;
            b->hy[r][c] = c < COLUMNS - 1 ? q[i + 11] - q[i + 1] : 0.0;
        }
}

static double L[N][16], W[N][12], inv[N + 24];

static inline void assemble(const Bars *b) {
    for (int c = 0; c < COLUMNS; c++)
        for (int r = 0; r < ROWS; r++) {
            int i = AT(r, c);
            double m = mass(r, c), vx = b->vx[r][c], vy = b->vy[r][c], hx = b->hx[r][c], hy = b->hy[r][c];
            double xx = vx * vx + hx * hx, xy = vx * vy + hx * hy, yy = vy * vy + hy * hy, wx = 0, wy = 0, gx, gy;
            if (r < ROWS - 1) { wx = b->vx[r + 1][c]; wy = b->vy[r + 1][c]; xx += wx * wx; xy += wx * wy; yy += wy * wy; }
            if (c > 0) { gx = b->hx[r][c - 1]; gy = b->hy[r][c - 1]; xx += gx * gx; xy += gx * gy; yy += gy * gy; }
            memset(L[i], 0, sizeof L[0]); memset(L[i+1], 0, sizeof L[0]);
            L[i][0] = m + ALPHA * xx; L[i][1] = ALPHA * xy; L[i + 1][0] = m + ALPHA * yy;
            if (r < ROWS - 1) {
                L[i][2] = MU - ALPHA * wx * wx; L[i][3] = L[i + 1][1] = -ALPHA * wx * wy; L[i + 1][2] = MU - ALPHA * wy * wy;
            }
            if (c < COLUMNS - 1) {
                L[i][10] = MU - ALPHA * hx * hx; L[i][11] = L[i + 1][9] = -ALPHA * hx * hy; L[i + 1][10] = MU - ALPHA * hy * hy;
            }
        }
}

static inline void factor(void) {
    for (int j = 0; j < N; j++) {
        V4 c0 = *(V4 *)&L[j][0], c1 = *(V4 *)&L[j][4], c2 = *(V4 *)&L[j][8];
#pragma GCC unroll 11
        for (int m = 11; m >= 1; m--) {
            int k = j - m;
            if (k < 0) continue;
            double l = W[k][m];
            c0 -= l * *(V4 *)&L[k][m];
            if (m < 8) c1 -= l * *(V4 *)&L[k][m + 4];
            if (m < 4) c2 -= l * *(V4 *)&L[k][m + 8];
        }
        double p = 1.0 / c0[0];
        inv[j] = p;
        *(V4 *)&L[j][0] = c0; *(V4 *)&L[j][4] = c1; *(V4 *)&L[j][8] = c2;
        *(V4 *)&W[j][0] = c0 * p; *(V4 *)&W[j][4] = c1 * p; *(V4 *)&W[j][8] = c2 * p;
    }
}
static inline void solve(double *x) {
    for (int j = 0; j < N; j++)
        for (int d = 1; d < 12; d++) x[j + d] -= W[j][d] * x[j];
    for (int i = 0; i < 12; i++) x[N + i] = 0;
    for (int j = N - 1; j >= 0; j--) {
        double s = x[j] * inv[j];
        for (int d = 1; d < 12; d++) s -= W[j][d] * x[j + d];
        x[j] = s;
    }
}
static inline void spread(const Bars *b, double gv[ROWS][COLUMNS], double gh[ROWS][COLUMNS], double *f) {
    for (int c = 0; c < COLUMNS; c++)
        for (int r = 0; r < ROWS; r++) {
            int i = AT(r, c);
            double x = b->vx[r][c] * gv[r][c], y = b->vy[r][c] * gv[r][c];
            f[i] += x; f[i + 1] += y;
            if (r) { f[i - 2] -= x; f[i - 1] -= y; }
            if (c < COLUMNS - 1) {
                x = b->hx[r][c] * gh[r][c], y = b->hy[r][c] * gh[r][c];
                f[i + 10] += x; f[i + 11] += y; f[i] -= x; f[i + 1] -= y;
            }
        }
}
/* a: M a + J^T l = f, J a = -g */
static void solution(const Bars *b, const double *f, double gv[ROWS][COLUMNS], double gh[ROWS][COLUMNS], int sweeps, double *a) {
    double lv[ROWS][COLUMNS], lh[ROWS][COLUMNS], x[N + 12];
    for (int r = 0; r < ROWS; r++) for (int c = 0; c < COLUMNS; c++) { lv[r][c] = -ALPHA * gv[r][c]; lh[r][c] = -ALPHA * gh[r][c]; }
    for (int s = 0; s < sweeps; s++) {
        if (s) {
            Bars e; bars(x, &e, 0.0);
            for (int r = 0; r < ROWS; r++) for (int c = 0; c < COLUMNS; c++) {
                lv[r][c] -= ALPHA * (b->vx[r][c] * e.vx[r][c] + b->vy[r][c] * e.vy[r][c] + gv[r][c]);
                lh[r][c] -= ALPHA * (b->hx[r][c] * e.hx[r][c] + b->hy[r][c] * e.hy[r][c] + gh[r][c]);
            }
        }
        memcpy(x, f, sizeof(double[N]));
        for (int i = N; i < N + 12; i++) x[i] = 0.0;
        spread(b, lv, lh, x);
        solve(x);
    }
    memcpy(a, x, sizeof(double[N]));
}
static void slope(const double *y, double *f) {
    Bars b, e; double gv[ROWS][COLUMNS], gh[ROWS][COLUMNS], force[N];
    bars(y, &b, 1.0); bars(y + N, &e, 0.0);
    assemble(&b); factor();
    for (int r = 0; r < ROWS; r++) for (int c = 0; c < COLUMNS; c++) {
        gv[r][c] = e.vx[r][c] * e.vx[r][c] + e.vy[r][c] * e.vy[r][c]; gh[r][c] = e.hx[r][c] * e.hx[r][c] + e.hy[r][c] * e.hy[r][c];
        force[AT(r, c)] = 0.0; force[AT(r, c) + 1] = -GRAVITY * 1.5 * mass(r, c);
    }
    memcpy(f, y + N, sizeof(double[N]));
    solution(&b, force, gv, gh, SWEEPS, f + N);
}
static void project(double *y) {
    Bars b, e; double gv[ROWS][COLUMNS], gh[ROWS][COLUMNS], force[N] = {0}, d[N];
    bars(y, &b, 1.0); assemble(&b); factor();
    for (int r = 0; r < ROWS; r++) for (int c = 0; c < COLUMNS; c++) {
        gv[r][c] = 0.5 * (b.vx[r][c] * b.vx[r][c] + b.vy[r][c] * b.vy[r][c] - 1); gh[r][c] = c < COLUMNS - 1 ? 0.5 * (b.hx[r][c] * b.hx[r][c] + b.hy[r][c] * b.hy[r][c] - 1) : 0;
    }
    solution(&b, force, gv, gh, 1, d);
    for (int i = 0; i < N; i++) y[i] += d[i];
    bars(y, &b, 1.0); bars(y + N, &e, 0.0); assemble(&b); factor();
    for (int r = 0; r < ROWS; r++) for (int c = 0; c < COLUMNS; c++) {
        gv[r][c] = b.vx[r][c] * e.vx[r][c] + b.vy[r][c] * e.vy[r][c]; gh[r][c] = b.hx[r][c] * e.hx[r][c] + b.hy[r][c] * e.hy[r][c];
    }
    solution(&b, force, gv, gh, 1, d);
    for (int i = 0; i < N; i++) y[N + i] += d[i];
}
static void arrive(double *y, double *f) { project(y); slope(y, f); }
#define ARRIVE(y, f) arrive(y, f)

static void start(double *y) {
    for (int c = 0; c < COLUMNS; c++) for (int r = 0; r < ROWS; r++) {
        int i = AT(r, c);
        y[i] = c; y[i + 1] = (START == UPRIGHT ? 1 : -1) * (r + 1);
        double w = 2 * PI / 3 * (START == UPRIGHT ? -1 : 1);
        y[N + i] = w * (START == ALL_ROWS ? r + 1 : 1); y[N + i + 1] = 0;
    }
}
static double energy(const double *y) {
    const double *v = y + N; double s = 0;
    for (int c = 0; c < COLUMNS; c++) for (int r = 0; r < ROWS; r++) {
        int i = AT(r, c); double m = mass(r, c);
        s += 0.5 * m * (v[i] * v[i] + v[i + 1] * v[i + 1]) + GRAVITY * 1.5 * m * y[i + 1];
        if (r < ROWS - 1) s += MU * (v[i] * v[i + 2] + v[i + 1] * v[i + 3]);
        if (c < COLUMNS - 1) s += MU * (v[i] * v[i + 10] + v[i + 1] * v[i + 11]);
    }
    return s;
}
static void report(const double *y) {
    int a = AT(4, 5);
    printf("\"phi_1\": %.17g, \"phidot_1\": %.17g, \"y_A\": %.17g, \"z_A\": %.17g", atan2(y[0], -y[1]), (y[N+1]*y[0]-y[N]*y[1]), y[a], y[a + 1]);
}
#include "run.h"
