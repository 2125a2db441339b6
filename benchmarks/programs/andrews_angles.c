/* Andrews' squeezer in the seven angles of the IVP/DAE test set (Mazzia, Magherini: Test Set for IVP
   Solvers):

     q = (beta, Theta, gamma, Phi, delta, Omega, epsilon)
     M(q) q'' + G(q)^T lambda = f(q, q'),      G(q) q'' = -g_qq(q', q')

   six loop equations, g: point E reached from O, from B, and twice from A. Index 1: the 13 x 13 system for
   q'' and lambda is solved at each evaluation, and nothing puts q back on g = 0. M has blocks for (beta,
   Theta), (gamma), (Phi, delta), (Omega, epsilon), so the system is solved by blocks: S = G M^-1 G^T, 6 x 6,
   by Cholesky. */

#include <stdio.h>
#include <string.h>

#include "andrews.h"

#define SIZE 14
#define FIRST_STEP 1e-3
#define SCALE(i) ((i) < 7 ? 1.0 : 1e3)

/* centres of mass */
static const double RA = 0.00092, DA = 0.0115, SA = 0.01874, SB = 0.01043, EA = 0.01421, FA = 0.01421, TA = 0.02308,
                    TB = 0.00916, UA = 0.01228, UB = 0.00449, SC = 0.018, SD = 0.02;

typedef struct {
    double a, b, c; /* [a b; b c] */
} Sym;

typedef struct {
    Sym beta_theta, phi_delta, omega_epsilon;
    double gamma;
} Mass;

static inline Mass mass(double cos_theta, double sin_phi, double sin_omega) {
    const double ee = E - EA, ff = ZF - FA;
    return (Mass){
        .beta_theta = {M1 * RA * RA + M2 * (RR * RR - 2.0 * DA * RR * cos_theta + DA * DA) + I1 + I2,
                       M2 * (DA * DA - DA * RR * cos_theta) + I2, M2 * DA * DA + I2},
        .gamma = M3 * (SA * SA + SB * SB) + I3,
        .phi_delta = {M4 * ee * ee + I4, M4 * (ee * ee + ZT * ee * sin_phi) + I4,
                      M4 * (ZT * ZT + 2.0 * ZT * ee * sin_phi + ee * ee) + M5 * (TA * TA + TB * TB) + I4 + I5},
        .omega_epsilon = {M6 * ff * ff + I6, M6 * (ff * ff - U * ff * sin_omega) + I6,
                          M6 * (ff * ff - 2.0 * U * ff * sin_omega + U * U) + M7 * (UA * UA + UB * UB) + I6 + I7},
    };
}

static inline Sym inverse(Sym m) {
    double d = 1.0 / (m.a * m.c - m.b * m.b);
    return (Sym){m.c * d, -m.b * d, m.a * d};
}

/* spring C-D: its force on D, and its length */
static inline double spring(double sin_gamma, double cos_gamma, double *fx, double *fy) {
    double x = SD * cos_gamma + SC * sin_gamma + XB - XC, y = SD * sin_gamma - SC * cos_gamma + YB - YC;
    double length = sqrt(x * x + y * y), force = -STIFFNESS * (length - REST) / length;
    *fx = force * x;
    *fy = force * y;
    return length;
}

static void slope(const double *q, double *out) {
    const double *v = q + 7;
    double s[8], c[8], angle[8] = {q[0], q[1], q[2], q[3], q[4], q[5], q[6], 0.0};
    for (int i = 0; i < 8; i++) {
        s[i] = sin(angle[i]);
        c[i] = cos(angle[i]);
    }
    double sbt = s[0] * c[1] + c[0] * s[1], cbt = c[0] * c[1] - s[0] * s[1];
    double spd = s[3] * c[4] + c[3] * s[4], cpd = c[3] * c[4] - s[3] * s[4];
    double soe = s[5] * c[6] + c[5] * s[6], coe = c[5] * c[6] - s[5] * s[6];
    double vbt = v[0] + v[1], vpd = v[3] + v[4], voe = v[5] + v[6];

    Mass m = mass(c[1], s[3], s[5]);
    double fx, fy;
    spring(s[2], c[2], &fx, &fy);
    const double ee = E - EA, ff = ZF - FA;
    double f[7] = {
        TORQUE - M2 * DA * RR * v[1] * (v[1] + 2.0 * v[0]) * s[1],
        M2 * DA * RR * v[0] * v[0] * s[1],
        fx * (SC * c[2] - SD * s[2]) + fy * (SD * c[2] + SC * s[2]),
        M4 * ZT * ee * v[4] * v[4] * c[3],
        -M4 * ZT * ee * v[3] * (v[3] + 2.0 * v[4]) * c[3],
        -M6 * U * ff * v[6] * v[6] * c[5],
        M6 * U * ff * v[5] * (v[5] + 2.0 * v[6]) * c[5],
    };

    /* G by its columns: of beta and Theta the same pair in all three loops, of the others in one loop only */
    double gb[2] = {-RR * s[0] + D * sbt, RR * c[0] - D * cbt}, gt[2] = {D * sbt, -D * cbt};
    double gg[2] = {-SS * c[2], -SS * s[2]};
    double gp[2] = {-E * cpd, -E * spd}, gd[2] = {-E * cpd + ZT * s[4], -E * spd - ZT * c[4]};
    double go[2] = {ZF * soe, -ZF * coe}, ge[2] = {ZF * soe - U * c[6], -ZF * coe - U * s[6]};
    double common[2] = {-RR * c[0] * v[0] * v[0] + D * cbt * vbt * vbt, -RR * s[0] * v[0] * v[0] + D * sbt * vbt * vbt};
    double g_qq[6] = {
        common[0] + SS * s[2] * v[2] * v[2],
        common[1] - SS * c[2] * v[2] * v[2],
        common[0] + E * spd * vpd * vpd + ZT * c[4] * v[4] * v[4],
        common[1] - E * cpd * vpd * vpd + ZT * s[4] * v[4] * v[4],
        common[0] + ZF * coe * voe * voe + U * s[6] * v[6] * v[6],
        common[1] + ZF * soe * voe * voe - U * c[6] * v[6] * v[6],
    };

    /* M^-1 f, and M^-1 G^T by its columns, each pair of rows */
    Sym n1 = inverse(m.beta_theta), n3 = inverse(m.phi_delta), n4 = inverse(m.omega_epsilon);
    double n2 = 1.0 / m.gamma;
    double u[7] = {n1.a * f[0] + n1.b * f[1], n1.b * f[0] + n1.c * f[1], n2 * f[2],
                   n3.a * f[3] + n3.b * f[4], n3.b * f[3] + n3.c * f[4],
                   n4.a * f[5] + n4.b * f[6], n4.b * f[5] + n4.c * f[6]};
    double wb[2], wt[2], wg[2], wp[2], wd[2], wo[2], we[2], rhs[6];
    for (int i = 0; i < 2; i++) {
        wb[i] = n1.a * gb[i] + n1.b * gt[i];
        wt[i] = n1.b * gb[i] + n1.c * gt[i];
        wg[i] = n2 * gg[i];
        wp[i] = n3.a * gp[i] + n3.b * gd[i];
        wd[i] = n3.b * gp[i] + n3.c * gd[i];
        wo[i] = n4.a * go[i] + n4.b * ge[i];
        we[i] = n4.b * go[i] + n4.c * ge[i];
        double shared = gb[i] * u[0] + gt[i] * u[1];
        rhs[i] = g_qq[i] + shared + gg[i] * u[2];
        rhs[2 + i] = g_qq[2 + i] + shared + gp[i] * u[3] + gd[i] * u[4];
        rhs[4 + i] = g_qq[4 + i] + shared + go[i] * u[5] + ge[i] * u[6];
    }

    /* S lambda = rhs */
    double S[6][6], lambda[6];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            double shared = gb[i] * wb[j] + gt[i] * wt[j];
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) S[2 * a + i][2 * b + j] = shared;
            S[i][j] += gg[i] * wg[j];
            S[2 + i][2 + j] += gp[i] * wp[j] + gd[i] * wd[j];
            S[4 + i][4 + j] += go[i] * wo[j] + ge[i] * we[j];
        }
#pragma GCC unroll 6
    for (int j = 0; j < 6; j++) { /* L D L^T in place: L below, 1/D on the diagonal */
        double pivot = 1.0 / S[j][j];
#pragma GCC unroll 6
        for (int i = j + 1; i < 6; i++) {
            double l = S[i][j] * pivot;
#pragma GCC unroll 6
            for (int k = j + 1; k <= i; k++) S[i][k] -= l * S[k][j];
        }
        S[j][j] = pivot;
    }
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++) {
        lambda[i] = rhs[i];
#pragma GCC unroll 6
        for (int j = 0; j < i; j++) lambda[i] -= S[i][j] * S[j][j] * lambda[j];
    }
#pragma GCC unroll 6
    for (int i = 5; i >= 0; i--) {
#pragma GCC unroll 6
        for (int j = i + 1; j < 6; j++) lambda[i] -= S[j][i] * lambda[j];
        lambda[i] *= S[i][i];
    }

    /* q'' = M^-1 (f - G^T lambda) */
    double sum[2] = {lambda[0] + lambda[2] + lambda[4], lambda[1] + lambda[3] + lambda[5]};
    for (int i = 0; i < 7; i++) out[i] = v[i];
    out[7] = u[0] - wb[0] * sum[0] - wb[1] * sum[1];
    out[8] = u[1] - wt[0] * sum[0] - wt[1] * sum[1];
    out[9] = u[2] - wg[0] * lambda[0] - wg[1] * lambda[1];
    out[10] = u[3] - wp[0] * lambda[2] - wp[1] * lambda[3];
    out[11] = u[4] - wd[0] * lambda[2] - wd[1] * lambda[3];
    out[12] = u[5] - wo[0] * lambda[4] - wo[1] * lambda[5];
    out[13] = u[6] - we[0] * lambda[4] - we[1] * lambda[5];
}

/* The point at distance a from p and b from q, to the left (side = 1) or right (side = -1) of the way from p to q. */
static inline Point meet(Point p, double a, Point q, double b, double side) {
    double x = q.x - p.x, y = q.y - p.y, inverse = 1.0 / (x * x + y * y);
    double along = 0.5 + 0.5 * (a * a - b * b) * inverse;
    double across = side * sqrt(a * a * inverse - along * along);
    return (Point){p.x + along * x - across * y, p.y + along * y + across * x};
}

static void start(double *q) {
    Point a = {XA, YA}, b = {XB, YB}, f = {RR * cos(BETA0), RR * sin(BETA0)};
    Point e = meet(f, D, b, SS, 1.0), g = meet(a, ZT, e, E, 1.0), h = meet(a, U, e, ZF, -1.0);
    double delta = atan2(g.y - a.y, g.x - a.x), epsilon = atan2(h.x - a.x, a.y - h.y);
    memset(q, 0, sizeof(double[SIZE]));
    q[0] = BETA0;
    q[1] = atan2(f.y - e.y, f.x - e.x) - BETA0;
    q[2] = atan2(e.x - b.x, b.y - e.y);
    q[3] = atan2(e.x - g.x, g.y - e.y) - delta;
    q[4] = delta;
    q[5] = atan2(e.y - h.y, e.x - h.x) - epsilon;
    q[6] = epsilon;
}

static double twice(Sym m, double x, double y) {
    return m.a * x * x + 2.0 * m.b * x * y + m.c * y * y;
}

/* T + V - torque * beta */
static double energy(const double *q) {
    const double *v = q + 7;
    Mass m = mass(cos(q[1]), sin(q[3]), sin(q[5]));
    double fx, fy, stretch = spring(sin(q[2]), cos(q[2]), &fx, &fy) - REST;
    double kinetic = 0.5 * (twice(m.beta_theta, v[0], v[1]) + m.gamma * v[2] * v[2] + twice(m.phi_delta, v[3], v[4]) +
                            twice(m.omega_epsilon, v[5], v[6]));
    return kinetic + 0.5 * STIFFNESS * stretch * stretch - TORQUE * q[0];
}

static void report(const double *q) {
    printf("\"x_F\": %.17g, \"y_F\": %.17g, \"beta\": %.17g", RR * cos(q[0]), RR * sin(q[0]), q[0]);
}

#include "run.h"
