/* Data of Andrews' squeezer (IFToMM library, revision 2016-04-18, tables 1 to 3), SI units, and where its points are.

   The letters are those of the IVP/DAE test set (Mazzia, Magherini: Test Set for IVP Solvers, "Andrews' squeezing
   mechanism"); lengths: RR = O-F, D = E-F, SS = E-B, E = G-E, ZT = A-G, ZF = H-E, U = A-H. */

#include <math.h>

#define T_END 0.05
#define BETA0 (-0.0620)
#define TORQUE 0.033
#define STIFFNESS 4530.0
#define REST 0.07785

static const double RR = 0.007, D = 0.028, SS = 0.035, E = 0.02, ZT = 0.04, ZF = 0.02, U = 0.04;
static const double XA = -0.06934, YA = -0.00227, XB = -0.03635, YB = 0.03273, XC = 0.014, YC = 0.072;

/* masses and inertias of O-F, E-F, E-B-D, G-E, A-G, H-E, A-H */
static const double M1 = 0.04325, M2 = 0.00365, M3 = 0.02373, M4 = 0.00706, M5 = 0.07050, M6 = 0.00706, M7 = 0.05498;
static const double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7,
                    I7 = 1.912e-5;

typedef struct {
    double x, y;
} Point;

/* The point at distance a from p and b from q, to the left (side = 1) or right (side = -1) of the way from p to q. */
static inline Point meet(Point p, double a, Point q, double b, double side) {
    double x = q.x - p.x, y = q.y - p.y, inverse = 1.0 / (x * x + y * y);
    double along = 0.5 + 0.5 * (a * a - b * b) * inverse;
    double across = side * sqrt(a * a * inverse - along * along);
    return (Point){p.x + along * x - across * y, p.y + along * y + across * x};
}
