/* Adaptive DOP853 for y' = f(y), as the programs here use it: all known when compiling, nothing allocated.

   The program defines before:
     SIZE           numbers in a state
     T_END          duration, s
     FIRST_STEP     size of the first step at tol = 1, s; it goes with tol^(1/8) as all steps do
     SCALE(i)       the unit in which the error of component i is held below tol
     slope(y, f)    f = y'
   and, if states have to be put back on constraints,
     ARRIVE(y, f)   changes y as needed at the end of an accepted step, and gives f = y' there
   run.h has the rest of a program.

   Error norm and step control are those of Hairer, Norsett, Wanner I, II.10 and II.4. coefficients.h is
   generated from src/grashof/integrate/methods/dop853.py: DOP853_A_s(k, i), DOP853_E5(k, i), DOP853_E3(k, i) are the
   sums over stages. */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "coefficients.h"

#ifndef ARRIVE
#define ARRIVE(y, f) slope(y, f)
#endif

#define MAX_STEPS 20000
#define SAFETY 0.8
#define SHRINK (1.0 / 3.0)
#define GROW 6.0

typedef struct {
    int steps, rejected, evaluations, arrived;
} Work;

static double times[MAX_STEPS + 1];
static double states[MAX_STEPS + 1][SIZE];

/* By the bits: -ffast-math believes that every number is finite. */
static int is_finite(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits >> 52 & 0x7ff) != 0x7ff;
}

/* x = y + h * sum, then the slope there */
#define STAGE(s)                                                              \
    for (int i = 0; i < SIZE; i++) x[i] = y[i] + h * DOP853_A_##s(k, i);      \
    slope(x, k[s]);

/* From states[0] at t = 0; fills times and states. */
static Work integrate(double tol) {
    double weight[SIZE], k[12][SIZE], x[SIZE], next[SIZE];
    double *y = states[0], t = 0.0, size = FIRST_STEP * sqrt(sqrt(sqrt(tol)));
    Work work = {0, 0, 1, 0};
    int hold = 0; /* no growth right after a rejection */
    for (int i = 0; i < SIZE; i++) weight[i] = 1.0 / (tol * SCALE(i));
    times[0] = 0.0;
    slope(y, k[0]);
    while (work.steps < MAX_STEPS && work.rejected < MAX_STEPS) {
        int last = t + 1.01 * size >= T_END;
        double h = last ? T_END - t : size;
        STAGE(1) STAGE(2) STAGE(3) STAGE(4) STAGE(5) STAGE(6) STAGE(7) STAGE(8) STAGE(9) STAGE(10) STAGE(11)
        work.evaluations += 11;
        double square5 = 0.0, square3 = 1e-300;
        for (int i = 0; i < SIZE; i++) {
            next[i] = y[i] + h * DOP853_A_12(k, i);
            double e5 = weight[i] * DOP853_E5(k, i), e3 = weight[i] * DOP853_E3(k, i);
            square5 += e5 * e5;
            square3 += e3 * e3;
        }
        double error = h * square5 / sqrt((square5 + 0.01 * square3) * SIZE);
        if (!is_finite(error) || error > 1.0) {
            double factor = is_finite(error) ? SAFETY / sqrt(sqrt(sqrt(error))) : 0.0;
            size = h * (factor > SHRINK ? factor : SHRINK);
            hold = 1;
            work.rejected++;
            if (size < 1e-14 * T_END) break;
            continue;
        }
        double factor = SAFETY / sqrt(sqrt(sqrt(error)));
        double limit = hold ? 1.0 : GROW;
        size = h * (factor < limit ? factor : limit);
        hold = 0;
        y = states[++work.steps];
        times[work.steps] = t = last ? T_END : t + h;
        memcpy(y, next, sizeof next);
        if (last) work.arrived = 1;
        ARRIVE(y, k[0]);
        work.evaluations++;
        if (last) break;
    }
    return work;
}
