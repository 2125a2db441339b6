/* An open tree by Pinocchio's `aba`, from C++ (tree_aba.cpp); its final state is y0, y1, ... */

void tree_start(double *y);
void tree_slope(const double *y, double *f);
void tree_normalise(double *y);
double tree_energy(const double *y);

#define T_END 1.0
#define FIRST_STEP 0.05
#define SCALE(i) 1.0
#define slope(y, f) tree_slope(y, f)
#define start(y) tree_start(y)
#define energy(y) tree_energy(y)
#define ARRIVE(y, f) (tree_normalise(y), tree_slope(y, f))

#include <stdio.h>

static void report(const double *y) {
    for (int i = 0; i < SIZE; i++) printf("%s\"y%d\": %.17g", i ? ", " : "", i, y[i]);
}

#include "run.h"
