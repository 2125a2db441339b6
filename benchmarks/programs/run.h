/* The main program: PROGRAM TOLERANCE SAMPLES prints one JSON object.

   The program defines before, beside what dop853.h needs:
     start(y)       the state at t = 0
     energy(y)      the quantity, J, that must keep its value; the error is its largest change, over all steps
     report(y)      prints the members of "final" from the last state

   cpu_s lists SAMPLES measurements of the process CPU time of one integration, s. One that takes less than
   SHORTEST is measured as the mean of as many as are needed to take that long: reading the clock takes some
   tenths of a microsecond. */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "dop853.h"

#define SHORTEST 50e-6

static double cpu(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

static double measure(double tol, int count) {
    double began = cpu();
    for (int i = 0; i < count; i++) integrate(tol);
    return cpu() - began;
}

int main(int argc, char **argv) {
    double tol = argc > 1 ? atof(argv[1]) : 0.0;
    int samples = argc > 2 ? atoi(argv[2]) : 1, count = 1;
    if (!(tol > 0.0) || samples < 1) {
        fprintf(stderr, "usage: %s TOLERANCE [SAMPLES]\n", argv[0]);
        return 2;
    }
    start(states[0]);
    Work work = integrate(tol);
    while (count < 1024 && measure(tol, count) < SHORTEST) count *= 2;
    printf("{\"cpu_s\": [");
    for (int i = 0; i < samples; i++) printf("%s%.9g", i ? ", " : "", measure(tol, count) / count);
    double before = energy(states[0]), error = 0.0;
    for (int i = 1; i <= work.steps; i++) {
        double change = fabs(energy(states[i]) - before);
        if (!is_finite(change)) work.arrived = 0;
        if (change > error) error = change;
    }
    printf("], \"arrived\": %s, \"steps\": %d, \"rejected\": %d, \"evaluations\": %d", work.arrived ? "true" : "false",
           work.steps, work.rejected, work.evaluations);
    if (work.arrived) {
        printf(", \"error_J\": %.17g, \"final\": {", error);
        report(states[work.steps]);
        printf("}");
    }
    printf("}\n");
    return 0;
}
