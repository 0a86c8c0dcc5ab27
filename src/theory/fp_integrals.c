/* The double integrals of the Franz-Parisi potential.
 *
 * Inner integrands bend where an argument passes zero, on scales that shrink
 * with the distance; the meshes are graded around those points.
 */
#include "theory/franz_parisi.h"

#include "numeric/gauss.h"

#include <math.h>

#define NEGLIGIBLE (-45) /* log of a weight */

bperc_status bperc_i_fp_rule_init(bperc_i_fp_rule *rule, int finer) {
  rule->reach = finer ? 9 : 7.5;
  rule->panel = finer ? 1.2 : 2.4;
  rule->lean = false;
  return bperc_i_legendre_init(&rule->legendre, finer ? 12 : 8);
}

bperc_i_reference bperc_i_reference_of(bperc_theory_weights weights,
                                       const bperc_i_typical *typical) {
  bool ising = weights == BPERC_THEORY_ISING;
  return (bperc_i_reference){.ising = ising,
                             .base = ising ? -1 : 0,
                             .scale = ising ? 2 : 1,
                             .mean = typical->square,
                             .alpha = typical->alpha,
                             .q0 = typical->q,
                             .gap0 = typical->gap,
                             .h0 = ising ? 0 : typical->h,
                             .qh0 = typical->qh};
}

double bperc_i_reference_unit(const bperc_i_reference *ref) {
  return 2 / (ref->scale * ref->scale);
}

/* ---- weights ---- */

typedef struct {
  double log_z, s, width;
} local_average;

/* Int Dy of log Z = log sum over w of exp(w a), the mean weight and its
 * variance at the field a = m + spread y. */
static bperc_status average_field(const bperc_i_reference *ref, double m,
                                  double spread, const bperc_i_fp_rule *rule,
                                  bperc_i_nodes *nodes, local_average *out) {
  double base = ref->base, scale = ref->scale;
  bperc_i_mesh mesh = {
      .low = -rule->reach,
      .high = rule->reach,
      .largest = rule->panel,
      .growth = 0.6,
      .features = 1,
      .feature = {{-m / spread, rule->panel / (scale * spread)}}};
  nodes->n = 0;
  bperc_status status = bperc_i_nodes_add(nodes, &mesh, &rule->legendre);
  bperc_i_nodes_gauss(nodes);
  *out = (local_average){0};
  for (size_t k = 0; k < nodes->n; k++) {
    double a = m + spread * nodes->x[k], w = nodes->w[k];
    double e = exp(-scale * fabs(a)), low = e / (1 + e), high = 1 / (1 + e);
    if (!rule->lean)
      out->log_z += w * (base * a + scale * fmax(a, 0) + log1p(e));
    out->s += w * (base + scale * (a > 0 ? high : low));
    out->width += w * scale * scale * low * high;
  }
  return status;
}

/* Outer nodes in z: where the reference weight decides, and where the field
 * changes sign for either value of it. */
static bperc_status outer_sites(const bperc_i_reference *ref,
                                const bperc_i_fp_state *s, double spread,
                                const bperc_i_fp_rule *rule,
                                bperc_i_nodes *nodes) {
  double root = sqrt(ref->qh0), pull = s->th / root;
  double width = rule->panel * hypot(1 / ref->scale, spread) / pull;
  double psi = s->ph - s->th, low = s->h + psi * ref->base;
  bperc_i_mesh mesh = {
      .low = -rule->reach,
      .high = rule->reach,
      .largest = rule->panel,
      .growth = 0.5,
      .features = 3,
      .feature = {{-ref->h0 / root, rule->panel / (ref->scale * root)},
                  {-low / pull, width},
                  {-(low + psi * ref->scale) / pull, width}}};
  bperc_status status = bperc_i_nodes_add(nodes, &mesh, &rule->legendre);
  bperc_i_nodes_gauss(nodes);
  return status;
}

bperc_status bperc_i_fp_sites_average(const bperc_i_reference *ref,
                                      const bperc_i_fp_state *s,
                                      const bperc_i_fp_rule *rule,
                                      bperc_i_fp_sites *out) {
  double root = sqrt(ref->qh0), rest = s->qh - s->th * s->th / ref->qh0;
  bperc_i_nodes outer = {0}, inner = {0};
  *out = (bperc_i_fp_sites){0};
  if (!(rest > 0) || !(s->th > 0))
    return BPERC_E_NUMERIC;
  double spread = sqrt(rest);
  bperc_status status = outer_sites(ref, s, spread, rule, &outer);
  for (size_t k = 0; status == BPERC_OK && k < outer.n; k++) {
    double z = outer.x[k];
    double one = 1 / (1 + exp(-ref->scale * (ref->h0 + root * z)));
    double typical = ref->base + ref->scale * one;
    for (int bit = 0; bit < 2 && status == BPERC_OK; bit++) {
      local_average a;
      double weight = outer.w[k] * (bit ? one : 1 - one);
      double w = ref->base + ref->scale * bit; /* of the reference */
      double m = s->h + (s->ph - s->th) * w + s->th / root * z;
      if (weight < 1e-18)
        continue;
      status = average_field(ref, m, spread, rule, &inner, &a);
      out->log_z += weight * a.log_z;
      out->mean += weight * a.s;
      out->overlap += weight * w * a.s;
      out->width += weight * a.width;
      out->other += weight * typical * a.s;
    }
  }
  bperc_i_nodes_clear(&outer);
  bperc_i_nodes_clear(&inner);
  return status;
}

/* ---- patterns ---- */

/* Constants of the patterns' integral. */
typedef struct {
  double x0, root_d;    /* sqrt(q0/(Q-q0)), sqrt(Q-q1) */
  double along, across; /* c = along t0 + across e */
  double rho, free;     /* R depends on x0 t0 + rho e; sqrt(1-rho^2) */
} pattern_geometry;

static bperc_status set_geometry(const bperc_i_reference *ref,
                                 const bperc_i_fp_state *s,
                                 pattern_geometry *g) {
  double across2 = s->q1 - s->t * s->t / ref->q0;
  double tied = (s->p - s->t) * (s->p - s->t) / ref->gap0;
  double v = across2 - tied;
  if (!(v > 0) || !(s->q1 < ref->mean))
    return BPERC_E_NUMERIC;
  g->x0 = sqrt(ref->q0 / ref->gap0);
  g->root_d = sqrt(ref->mean - s->q1);
  g->along = s->t / sqrt(ref->q0);
  g->across = sqrt(across2);
  g->rho = (s->p - s->t) / sqrt(ref->gap0) / g->across;
  g->free = sqrt(v / across2);
  return BPERC_OK;
}

static bperc_status inner_patterns(const pattern_geometry *g, double t0,
                                   const bperc_i_fp_rule *rule,
                                   bperc_i_nodes *nodes) {
  double rho = copysign(fmax(fabs(g->rho), 1e-9), g->rho);
  double pushed = -g->x0 * t0 * g->rho; /* the peak of R De, t0 < 0 */
  bperc_i_mesh mesh = {
      .low = -rule->reach + fmin(0, pushed),
      .high = rule->reach + fmax(0, pushed),
      .largest = rule->panel,
      .growth = 0.6,
      .features = t0 < 0 ? 3 : 2,
      .feature = {
          {-g->x0 * t0 / rho, rule->panel * g->free / fabs(rho)},
          {-g->along * t0 / g->across, rule->panel * g->root_d / g->across},
          {pushed, rule->panel * fmin(0.5, g->free)}}};
  nodes->n = 0;
  return bperc_i_nodes_add(nodes, &mesh, &rule->legendre);
}

static void add_pattern(const pattern_geometry *g, const bperc_i_reference *ref,
                        double t0, double w0, const bperc_i_nodes *inner,
                        bool lean, bperc_i_fp_patterns *out) {
  bperc_i_gauss_tail zero = bperc_i_tail_at(-g->x0 * t0);
  double r = zero.hazard / sqrt(ref->gap0);
  double log_h = 0, square = 0, first = 0;
  for (size_t k = 0; k < inner->n; k++) {
    double e = inner->x[k], y = -(g->x0 * t0 + g->rho * e) / g->free;
    if (y > 0 && -0.5 * (y * y + e * e) - zero.log_h < NEGLIGIBLE)
      continue; /* log H(y) < -y^2/2 */
    double log_w = bperc_i_log_h(y) - zero.log_h - 0.5 * e * e;
    if (log_w < NEGLIGIBLE)
      continue;
    double w = inner->w[k] * exp(log_w) / sqrt(2 * M_PI);
    double x = -(g->along * t0 + g->across * e) / g->root_d;
    double l = bperc_i_hazard(x) / g->root_d;
    if (!lean)
      log_h += w * bperc_i_log_h(x);
    square += w * l * l;
    first += w * l;
  }
  out->log_h += w0 * log_h;
  out->square += w0 * square;
  out->cross += w0 * r * first;
}

/* Nodes in t0, for an inner integrand that bends on this scale around 0. */
static bperc_status outer_patterns(double width, const bperc_i_fp_rule *rule,
                                   bperc_i_nodes *nodes) {
  bperc_i_mesh mesh = {.low = -rule->reach,
                       .high = rule->reach,
                       .largest = rule->panel,
                       .growth = 0.5,
                       .features = 1,
                       .feature = {{0, rule->panel * width}}};
  bperc_status status = bperc_i_nodes_add(nodes, &mesh, &rule->legendre);
  bperc_i_nodes_gauss(nodes);
  return status;
}

bperc_status bperc_i_fp_patterns_average(const bperc_i_reference *ref,
                                         const bperc_i_fp_state *s,
                                         const bperc_i_fp_rule *rule,
                                         bperc_i_fp_patterns *out) {
  pattern_geometry g;
  bperc_i_nodes outer = {0}, inner = {0};
  *out = (bperc_i_fp_patterns){0};
  bperc_status status = set_geometry(ref, s, &g);
  if (status != BPERC_OK)
    return status;
  double width = fmin(1 / g.x0, hypot(g.root_d, g.across) / fabs(g.along));
  status = outer_patterns(width, rule, &outer);
  for (size_t k = 0; status == BPERC_OK && k < outer.n; k++) {
    status = inner_patterns(&g, outer.x[k], rule, &inner);
    if (status == BPERC_OK)
      add_pattern(&g, ref, outer.x[k], outer.w[k], &inner, rule->lean, out);
  }
  bperc_i_nodes_clear(&outer);
  bperc_i_nodes_clear(&inner);
  return status;
}

/* Int Dy L(c) with c = mean + spread y. */
static bperc_status average_l(double mean, double spread, double root_d,
                              const bperc_i_fp_rule *rule, bperc_i_nodes *nodes,
                              double *out) {
  bperc_i_mesh mesh = {
      .low = -rule->reach,
      .high = rule->reach,
      .largest = rule->panel,
      .growth = 0.6,
      .features = 1,
      .feature = {{-mean / spread, rule->panel * root_d / spread}}};
  nodes->n = 0;
  bperc_status status = bperc_i_nodes_add(nodes, &mesh, &rule->legendre);
  bperc_i_nodes_gauss(nodes);
  *out = 0;
  for (size_t k = 0; k < nodes->n; k++) {
    double c = mean + spread * nodes->x[k];
    *out += nodes->w[k] * bperc_i_hazard(-c / root_d) / root_d;
  }
  return status;
}

/* p is the covariance of the sums of reference and solution, so that d/dp takes
 * a derivative of both factors: of log H it leaves L, of the step function of
 * the reference's sum a delta function. Given that sum, c has variance v. */
bperc_status bperc_i_fp_patterns_pull(const bperc_i_reference *ref,
                                      const bperc_i_fp_state *s,
                                      const bperc_i_fp_rule *rule,
                                      double *pull) {
  pattern_geometry g;
  bperc_i_nodes outer = {0}, inner = {0};
  *pull = 0;
  bperc_status status = set_geometry(ref, s, &g);
  if (status != BPERC_OK)
    return status;
  double spread = g.across * g.free;
  double along = g.along - (s->p - s->t) * sqrt(ref->q0) / ref->gap0;
  double width = fmin(1 / g.x0, hypot(g.root_d, spread) / fabs(along));
  status = outer_patterns(width, rule, &outer);
  for (size_t k = 0; status == BPERC_OK && k < outer.n; k++) {
    double t0 = outer.x[k], l;
    double r = bperc_i_hazard(-g.x0 * t0) / sqrt(ref->gap0);
    status = average_l(along * t0, spread, g.root_d, rule, &inner, &l);
    *pull += outer.w[k] * r * l;
  }
  bperc_i_nodes_clear(&outer);
  bperc_i_nodes_clear(&inner);
  return status;
}

bperc_status bperc_i_fp_free_entropy(const bperc_i_reference *ref,
                                     const bperc_i_fp_state *s,
                                     const bperc_i_fp_rule *rule,
                                     double *entropy) {
  bperc_i_fp_sites sites;
  bperc_i_fp_patterns patterns;
  bperc_status status = bperc_i_fp_sites_average(ref, s, rule, &sites);
  if (status == BPERC_OK)
    status = bperc_i_fp_patterns_average(ref, s, rule, &patterns);
  if (status == BPERC_OK)
    *entropy = -0.5 * s->qh * (ref->mean - s->q1) -
               (ref->ising ? 0 : s->h * ref->mean) - s->ph * s->p +
               s->th * s->t + sites.log_z + ref->alpha * patterns.log_h;
  return status;
}
