/* A row of N = WINDOWS four-bars with its one degree of freedom: the limit program.

   As long as the windows stay parallelograms, the N + 1 uprights share one angle phi from upright, clockwise,
   and the N tops translate with the pins; all bars 1 m and 1 kg:

     J phi'' = g S sin phi,    J = (N + 1)/3 + N,    S = (N + 1)/2 + N */

#include <math.h>
#include <stdio.h>

#define SIZE 2
#define FIRST_STEP 0.3
#define SCALE(i) ((i) < 1 ? 1.0 : 6.0)

static const double J = (WINDOWS + 1) / 3.0 + WINDOWS, S = (WINDOWS + 1) / 2.0 + WINDOWS, GRAVITY = 9.81;

static inline void slope(const double *y, double *f) {
    f[0] = y[1];
    f[1] = GRAVITY * S / J * sin(y[0]);
}

static void start(double *y) {
    y[0] = 0.0;
    y[1] = 1.0;
}

static double energy(const double *y) {
    return 0.5 * J * y[1] * y[1] + GRAVITY * S * cos(y[0]);
}

static void report(const double *y) {
    printf("\"x_1\": %.17g, \"xdot_1\": %.17g", sin(y[0]), cos(y[0]) * y[1]);
}

#include "run.h"
