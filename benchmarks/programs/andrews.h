/* Data of Andrews' squeezer (IFToMM library, revision 2016-04-18, tables 1 to 3), SI units, and where its
   points are.

   The letters are those of the IVP/DAE test set (Mazzia, Magherini: Test Set for IVP Solvers, "Andrews'
   squeezing mechanism"); lengths: RR = O-F, D = E-F, SS = E-B, E = G-E, ZT = A-G, ZF = H-E, U = A-H. */

#include <math.h>

#define T_END 0.05
#define BETA0 (-0.0620)
#define TORQUE 0.033
#define STIFFNESS 4530.0
#define REST 0.07785

static const double RR = 0.007, D = 0.028, SS = 0.035, E = 0.02, ZT = 0.04, ZF = 0.02, U = 0.04;
static const double XA = -0.06934, YA = -0.00227, XB = -0.03635, YB = 0.03273, XC = 0.014, YC = 0.072;

/* masses, and inertias about the centre of mass, of O-F, E-F, E-B-D, G-E, A-G, H-E, A-H */
#define M1 0.04325
#define I1 2.194e-6
#define M2 0.00365
#define I2 4.410e-7
#define M3 0.02373
#define I3 5.255e-6
#define M4 0.00706
#define I4 5.667e-7
#define M5 0.07050
#define I5 1.169e-5
#define M6 0.00706
#define I6 5.667e-7
#define M7 0.05498
#define I7 1.912e-5

typedef struct {
    double x, y;
} Point;
