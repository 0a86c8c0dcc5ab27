/* Franz-Parisi potential next to the typical distance, by expansion.
 *
 * With p = q0 + e, and L = g(X)/sqrt(Q-q0) at X = -x0 t0, the changes of h, t,
 * th and of psi = ph - th are linear in e, those of q1 and qh twice those of
 * t and th:
 *   e - dt = <s'^2> dpsi
 *   dth = alpha [(<L'^2> - 3 <L^2 L'>) dt + <L^2 L'> e]
 *   0 = <s'> dh + <s s'> dpsi + <s''> dth
 *   e = <s s'> dh + <w'^2 s'> dpsi + <s'^2 + s s''> dth
 * where w' is the reference's weight, w'^2 = w' has mean s for weights 0, 1
 * and is 1 for -1, +1; there dh = 0 and the third equation is absent.
 * To second order q1 - 2t + q0 = <(s_c - s)^2> and qh - 2th + qh0 =
 * alpha <(L_c - L)^2> are two linear equations for v and qh - th^2/qh0. The
 * curvature of F follows from dF/dp = -ph + alpha <r E[L | X_ref = 0]>, whose
 * last term changes by alpha <L (b dt + (1-dt) L' X / sqrt(Q-q0))> e.
 */
#include "theory/franz_parisi.h"

#include "numeric/gauss.h"
#include "numeric/quadrature.h"

#include <math.h>

/* Averages over the typical weights; 1, 2: derivatives of s. */
typedef struct {
  double s1, s2, s_s1, s_s2, s1_s1;
  double s1_s1_z, s1_s1_zz, s_s1_s1, s_s1_s1_z; /* s1^2 times s, z */
  double ww_s1, ww_s1_s1;                       /* s1, s1^2 times w'^2 */
} site_moments;

static site_moments average_sites(const bperc_i_reference *ref) {
  double root = sqrt(ref->qh0), scale = ref->scale;
  bperc_i_trapezoid t = bperc_i_trapezoid_make(1 / (scale * root), 0);
  site_moments m = {0};
  for (long k = -t.half; k <= t.half; k++) {
    double z = (double)k * t.step, w = bperc_i_trapezoid_weight(&t, z);
    double one = bperc_i_logistic(scale * (ref->h0 + root * z));
    double zero = bperc_i_logistic(-scale * (ref->h0 + root * z));
    double s = ref->base + scale * one, s1 = scale * scale * one * zero;
    double s2 = scale * s1 * (zero - one), square = w * s1 * s1;
    double ww = ref->ising ? 1 : s;
    m.s1 += w * s1;
    m.s2 += w * s2;
    m.s_s1 += w * s * s1;
    m.s_s2 += w * s * s2;
    m.s1_s1 += square;
    m.s1_s1_z += square * z;
    m.s1_s1_zz += square * z * z;
    m.s_s1_s1 += square * s;
    m.s_s1_s1_z += square * s * z;
    m.ww_s1 += w * ww * s1;
    m.ww_s1_s1 += square * ww;
  }
  return m;
}

/* Averages over the typical patterns. */
typedef struct {
  double bend2;  /* <L'^2> */
  double cube;   /* <L^2 L'> */
  double spread; /* <L'^2 (1 + X g)> */
  double cross;  /* <L L' b>, where b dt is the change of L by t and q1 */
  double own;    /* <b^2> */
  double drift;  /* <L b> */
  double turn;   /* <L L' X> / sqrt(Q-q0) */
} pattern_moments;

static pattern_moments average_patterns(const bperc_i_reference *ref) {
  double x0 = sqrt(ref->q0 / ref->gap0), root = sqrt(ref->gap0);
  bperc_i_trapezoid t = bperc_i_trapezoid_make(1 / x0, 0);
  pattern_moments m = {0};
  for (long k = -t.half; k <= t.half; k++) {
    double z = (double)k * t.step, w = bperc_i_trapezoid_weight(&t, z);
    double x = -x0 * z;
    bperc_i_gauss_tail tail = bperc_i_tail_at(x);
    double g = tail.hazard, g1 = g * tail.excess; /* g' */
    double l = g / root, l1 = -g1 / ref->gap0;
    double b = (x * g1 / ref->q0 + (g + x * g1) / ref->gap0) / root;
    m.bend2 += w * l1 * l1;
    m.cube += w * l * l * l1;
    m.spread += w * l1 * l1 * (1 + x * g);
    m.cross += w * l * l1 * b;
    m.own += w * b * b;
    m.drift += w * l * b;
    m.turn += w * l * l1 * x / root;
  }
  return m;
}

/* First order: dt, dth, dpsi and dh per e. */
typedef struct {
  double t, th, psi, h;
} response;

static response respond(const bperc_i_reference *ref, const site_moments *m,
                        const pattern_moments *n) {
  double alpha = ref->alpha;
  /* all are linear in dt: (constant, coefficient) */
  double th[2] = {alpha * n->cube, alpha * (n->bend2 - 3 * n->cube)};
  double psi[2] = {1 / m->s1_s1, -1 / m->s1_s1}, h[2], p[2];
  for (int k = 0; k < 2; k++) {
    h[k] = ref->ising ? 0 : -(m->s_s1 * psi[k] + m->s2 * th[k]) / m->s1;
    p[k] = m->s_s1 * h[k] + m->ww_s1 * psi[k] + (m->s1_s1 + m->s_s2) * th[k];
  }
  double dt = (1 - p[0]) / p[1];
  return (response){.t = dt,
                    .th = th[0] + th[1] * dt,
                    .psi = psi[0] + psi[1] * dt,
                    .h = h[0] + h[1] * dt};
}

/* v / e^2 */
static double second_order(const bperc_i_reference *ref, const site_moments *m,
                           const pattern_moments *n, const response *d) {
  double tilt = d->th / sqrt(ref->qh0), rest = 1 - d->t;
  double sites = d->h * d->h * m->s1_s1 + tilt * tilt * m->s1_s1_zz +
                 2 * d->h * tilt * m->s1_s1_z + d->psi * d->psi * m->ww_s1_s1 +
                 2 * d->h * d->psi * m->s_s1_s1 +
                 2 * d->psi * tilt * m->s_s1_s1_z - d->t * d->t / ref->q0 -
                 rest * rest / ref->gap0;
  double patterns =
      ref->alpha * (rest * rest * n->spread / ref->gap0 +
                    2 * rest * d->t * n->cross + d->t * d->t * n->own) -
      d->th * d->th / ref->qh0;
  return (sites + m->s1_s1 * patterns) / (1 - ref->alpha * m->s1_s1 * n->bend2);
}

bperc_i_fp_expansion bperc_i_fp_expand(const bperc_i_reference *ref) {
  site_moments m = average_sites(ref);
  pattern_moments n = average_patterns(ref);
  response d = respond(ref, &m, &n);
  double pull = ref->alpha * (d.t * n.drift + (1 - d.t) * n.turn);
  return (bperc_i_fp_expansion){.h = d.h,
                                .ph = d.psi + d.th,
                                .t = d.t,
                                .v = second_order(ref, &m, &n, &d),
                                .bend = pull - d.psi - d.th};
}

bperc_i_fp_guess bperc_i_fp_near_typical(const bperc_i_reference *ref,
                                         const bperc_i_fp_expansion *by,
                                         double e) {
  return (bperc_i_fp_guess){.h = ref->h0 + by->h * e,
                            .ph = ref->qh0 + by->ph * e,
                            .t = ref->q0 + by->t * e,
                            .v = by->v * e * e};
}
