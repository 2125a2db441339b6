/* The 5 x 5 grid of four-bars with its five degrees of freedom, the angles of the rows: the limit program.

   As long as the grid stays a grid, the six verticals of row r share one angle phi_r from hanging straight
   down, positive towards +y, and the horizontals translate. With w_r = 3 + 5 + 11 (5 - r), all bars 1 m and 1
   kg:

     M_rs = w_max(r,s) cos(phi_r - phi_s) - delta_rs
     sum_s M_rs phi_s'' + sum_s w_max(r,s) sin(phi_r - phi_s) phi_s'^2 + g w_r sin phi_r = 0

   START is TOP_ROW (only the first row turns), ALL_ROWS, or UPRIGHT (the first row turns, all stand on the
   pivots). */

#include <math.h>
#include <stdio.h>

#define TOP_ROW 0
#define ALL_ROWS 1
#define UPRIGHT 2

#define T_END 10.0
#define SIZE 10
#define FIRST_STEP 0.1
#define SCALE(i) ((i) < 5 ? 1.0 : 5.0)

static const double PI = 3.14159265358979323846, GRAVITY = 9.81;
static const double W[5] = {52.0, 41.0, 30.0, 19.0, 8.0};

static inline void slope(const double *y, double *f) {
    const double *v = y + 5;
    double s[8], c[8], M[5][5], b[5], angle[8] = {y[0], y[1], y[2], y[3], y[4]};
    /* two loops, of whole vectors, become two calls each of the C library's vector functions where it has them */
#pragma GCC unroll 1
    for (int r = 0; r < 8; r++) s[r] = sin(angle[r]);
#pragma GCC unroll 1
    for (int r = 0; r < 8; r++) c[r] = cos(angle[r]);
    /* sums of w_max(r,s) phi_s'^2 d_s, d_s = (sin, -cos), of which row r feels the part along e_r = (cos, sin) */
#pragma GCC unroll 5
    for (int r = 0; r < 5; r++) {
        double y_sum = 0.0, z_sum = GRAVITY * W[r];
#pragma GCC unroll 5
        for (int t = 0; t < 5; t++) {
            double pull = W[r > t ? r : t] * v[t] * v[t];
            y_sum -= pull * s[t];
            z_sum += pull * c[t];
            M[r][t] = W[r > t ? r : t] * (c[r] * c[t] + s[r] * s[t]);
        }
        M[r][r] = W[r] - 1.0;
        b[r] = -c[r] * y_sum - s[r] * z_sum;
    }
    /* M phi'' = b by L D L^T in place */
#pragma GCC unroll 5
    for (int j = 0; j < 5; j++) {
        M[j][j] = 1.0 / M[j][j];
#pragma GCC unroll 5
        for (int i = j + 1; i < 5; i++) {
            double l = M[i][j] * M[j][j];
            b[i] -= l * b[j];
#pragma GCC unroll 5
            for (int k = j + 1; k <= i; k++) M[i][k] -= l * M[k][j];
        }
    }
#pragma GCC unroll 5
    for (int i = 4; i >= 0; i--) {
#pragma GCC unroll 5
        for (int j = i + 1; j < 5; j++) b[i] -= M[j][i] * b[j];
        b[i] *= M[i][i];
    }
    for (int r = 0; r < 5; r++) {
        f[r] = v[r];
        f[5 + r] = b[r];
    }
}

static void start(double *y) {
    for (int r = 0; r < 5; r++) {
        y[r] = START == UPRIGHT ? PI : 0.0;
        y[5 + r] = r == 0 || START == ALL_ROWS ? 2.0 * PI / 3.0 : 0.0;
    }
}

static double energy(const double *y) {
    const double *v = y + 5;
    double sum = 0.0;
    for (int r = 0; r < 5; r++) {
        sum -= GRAVITY * W[r] * cos(y[r]) + 0.5 * v[r] * v[r];
        for (int t = 0; t < 5; t++) sum += 0.5 * W[r > t ? r : t] * cos(y[r] - y[t]) * v[r] * v[t];
    }
    return sum;
}

static void report(const double *y) {
    double y_a = 5.0, z_a = 0.0;
    for (int r = 0; r < 5; r++) {
        y_a += sin(y[r]);
        z_a -= cos(y[r]);
    }
    printf("\"phi_1\": %.17g, \"phidot_1\": %.17g, \"y_A\": %.17g, \"z_A\": %.17g", y[0], y[5], y_a, z_a);
}

#include "run.h"
