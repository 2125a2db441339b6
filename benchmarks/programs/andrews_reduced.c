/* Andrews' squeezer with its one degree of freedom, the crank angle beta: the limit program.

   All points follow from beta by meeting circles: E from F and B, G and H from A and E. With primes for
   d/dbeta, o = dbeta/dt, p = (F, E, G, H) and M their constant mass matrix,

     m do/dt + p'^T M p'' o^2 = torque - V',      m(beta) = p'^T M p'

   A body with basic points a and b, which move at va and vb, has (Garcia de Jalon, Bayo 1994, 4.2)

     2T = ma |va|^2 + 2 mab va.vb + mb |vb|^2

   and a term with va x vb more if its centre is beside the line a-b, which here only happens where a or b rests.
   A point X at fixed distances from p and q has, with u = X - p and w = X - q,

     u.X' = u.p'       u.X'' = u.p'' - |X' - p'|^2
     w.X' = w.q'       w.X'' = w.q'' - |X' - q'|^2 */

#include <stdio.h>

#include "andrews.h"

#define SIZE 2
#define FIRST_STEP 1e-3
#define SCALE(i) ((i) < 1 ? 1.0 : 1e3)

typedef struct {
    double ma, mab, mb;
} Body;

/* local frame: origin in a, x axis towards b at distance l; centre of mass (x, y) */
#define ABOUT_A(m, x, y, inertia) ((inertia) + (m) * ((x) * (x) + (y) * (y)))
#define BODY(m, x, y, inertia, l)                                              \
    {(m) - 2.0 * (m) * (x) / (l) + ABOUT_A(m, x, y, inertia) / ((l) * (l)),    \
     (m) * (x) / (l) - ABOUT_A(m, x, y, inertia) / ((l) * (l)),                \
     ABOUT_A(m, x, y, inertia) / ((l) * (l))}

static const Body OF = BODY(M1, 0.00092, 0.0, I1, 0.007), EF = BODY(M2, 0.0165, 0.0, I2, 0.028),
                  EB = BODY(M3, 0.01626, -0.01043, I3, 0.035), GE = BODY(M4, 0.00579, 0.0, I4, 0.02),
                  AG = BODY(M5, 0.02308, 0.00916, I5, 0.04), HE = BODY(M6, 0.00579, 0.0, I6, 0.02),
                  AH = BODY(M7, 0.01228, -0.00449, I7, 0.04);

typedef struct {
    Point z, d, dd; /* position, first and second derivative by beta */
} Place;

static inline double dot(Point a, Point b) {
    return a.x * b.x + a.y * b.y;
}

static inline Point minus(Point a, Point b) {
    return (Point){a.x - b.x, a.y - b.y};
}

/* the point at distance a from p and b from q, to the left (side = 1) or right (side = -1) of the way from p to q */
static inline Place join(Place p, double a, Place q, double b, double side) {
    Point d = minus(q.z, p.z);
    double inverse = 1.0 / dot(d, d), along = 0.5 + 0.5 * (a * a - b * b) * inverse;
    double across = side * sqrt(a * a * inverse - along * along), scale = inverse / across;
    Point u = {along * d.x - across * d.y, along * d.y + across * d.x}, w = minus(u, d);
    Place x = {.z = {p.z.x + u.x, p.z.y + u.y}};
    double ru = scale * dot(u, p.d), rw = scale * dot(w, q.d);
    x.d = (Point){ru * w.y - rw * u.y, rw * u.x - ru * w.x};
    Point up = minus(x.d, p.d), wp = minus(x.d, q.d);
    ru = scale * (dot(u, p.dd) - dot(up, up));
    rw = scale * (dot(w, q.dd) - dot(wp, wp));
    x.dd = (Point){ru * w.y - rw * u.y, rw * u.x - ru * w.x};
    return x;
}

/* D = E + c (B - E) + s i (B - E): local coordinates (0.02, 0.017) with the y axis from E to B */
static const double DC = 0.017 / 0.035, DS = -0.02 / 0.035;

typedef struct {
    double mass, half_slope, potential, force; /* m, m'/2, V, V' */
} Reduced;

static inline Reduced reduce(double beta) {
    const Place A = {.z = {XA, YA}}, B = {.z = {XB, YB}};
    double s = sin(beta), c = cos(beta);
    Place F = {{RR * c, RR * s}, {-RR * s, RR * c}, {-RR * c, -RR * s}};
    Place E_ = join(F, D, B, SS, 1.0), G = join(A, ZT, E_, E, 1.0), H = join(A, U, E_, ZF, -1.0);

    /* the diagonal, and what couples E with F, G and H */
    const double mf = EF.mb, me = EF.ma + HE.mb + GE.mb + EB.ma, mg = AG.mb + GE.ma, mh = AH.mb + HE.ma;
    Point weight = {me * E_.d.x + EF.mab * F.d.x + GE.mab * G.d.x + HE.mab * H.d.x,
                    me * E_.d.y + EF.mab * F.d.y + GE.mab * G.d.y + HE.mab * H.d.y};
    double mass = OF.mb * RR * RR + mf * RR * RR + dot(weight, E_.d) + EF.mab * dot(F.d, E_.d) +
                  mg * dot(G.d, G.d) + GE.mab * dot(G.d, E_.d) + mh * dot(H.d, H.d) + HE.mab * dot(H.d, E_.d);
    double half_slope = dot(weight, E_.dd) + EF.mab * dot(E_.d, F.dd) + mg * dot(G.d, G.dd) +
                        GE.mab * dot(E_.d, G.dd) + mh * dot(H.d, H.dd) + HE.mab * dot(E_.d, H.dd);

    Point eb = minus(B.z, E_.z);
    Point cd = {E_.z.x + DC * eb.x - DS * eb.y - XC, E_.z.y + DC * eb.y + DS * eb.x - YC};
    Point rate = {(1.0 - DC) * E_.d.x + DS * E_.d.y, (1.0 - DC) * E_.d.y - DS * E_.d.x};
    double length = sqrt(dot(cd, cd)), stretch = length - REST;
    double potential = 0.5 * STIFFNESS * stretch * stretch, force = STIFFNESS * stretch / length * dot(cd, rate);
    return (Reduced){mass, half_slope, potential, force};
}

static inline void slope(const double *y, double *f) {
    Reduced r = reduce(y[0]);
    f[0] = y[1];
    f[1] = (TORQUE - r.force - r.half_slope * y[1] * y[1]) / r.mass;
}

static void start(double *y) {
    y[0] = BETA0;
    y[1] = 0.0;
}

static double energy(const double *y) {
    Reduced r = reduce(y[0]);
    return 0.5 * r.mass * y[1] * y[1] + r.potential - TORQUE * y[0];
}

static void report(const double *y) {
    printf("\"x_F\": %.17g, \"y_F\": %.17g, \"beta\": %.17g", RR * cos(y[0]), RR * sin(y[0]), y[0]);
}

#include "run.h"
