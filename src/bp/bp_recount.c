/* Graph and messages from scratch: recount.h. */
#include "bp/bp_recount.h"

#include "base/bits.h"
#include "bp/factor.h"
#include "bp/graph.h"

#include <math.h>

/* Weights up to which a factor is summed over all configurations. */
#define SUMMED 8
/* Of graphs with more edges one factor in so many is looked at. */
#define EDGES 20000

/* ---- the graph */

/* -1, 0 or +1 */
static int recounted_input(const bperc_instance *in, size_t mu, size_t i) {
  if (bperc_i_bit(bperc_instance_pattern(in, mu), i))
    return 1;
  if (in->inputs == BPERC_INPUTS_01)
    return 0;
  return in->support ? -bperc_i_bit(in->support + mu * in->words, i) : -1;
}

/* Whether the edge is there, at its place in list or mask. */
static bool has_edge(const bperc_bp *bp, const bperc_i_factor *a, size_t i,
                     int x) {
  const size_t literal = bp->column_of[i] + (x > 0 ? 0 : bp->half);
  if (bp->layout != BPERC_I_LISTS)
    return bperc_i_bit(bperc_i_bp_mask(bp, (size_t)(a - bp->factor)), literal);
  for (size_t k = 0; k < a->degree; k++)
    if (bp->list[a->at + k] == literal)
      return (k < a->plus) == (x > 0);
  return false;
}

/* Whether a mask has no bits but those of its edges. */
static bool mask_right(const bperc_bp *bp, size_t mu) {
  const uint64_t *mask = bperc_i_bp_mask(bp, mu);
  size_t sum = 0;
  for (size_t w = 0; w < bp->stride / 64; w++)
    sum += (size_t)__builtin_popcountll(mask[w]);
  return sum == bp->factor[mu].degree;
}

static bool factor_right(const bperc_bp *bp, size_t mu) {
  const bperc_i_factor *a = &bp->factor[mu];
  int64_t left = bperc_instance_bound(bp->in, mu);
  size_t degree = 0, plus = 0;
  if (!a->live)
    return true;
  for (size_t i = 0; i < bp->in->n; i++) {
    const int x = recounted_input(bp->in, mu, i);
    if (x != 0 && bp->fixed[i] >= 0)
      left -= bp->fixed[i] == (x > 0);
    if (x == 0 || bp->fixed[i] >= 0)
      continue;
    degree++;
    plus += x > 0;
    if (!has_edge(bp, a, i, x))
      return false;
  }
  if (bp->layout != BPERC_I_LISTS && !mask_right(bp, mu))
    return false;
  return degree == a->degree && plus == a->plus && left == a->left &&
         (a->label ? left > 0 && left <= (int64_t)degree
                   : left >= 0 && left < (int64_t)degree);
}

bool bperc_i_recount_graph(const bperc_bp *bp) {
  size_t unfixed = 0, live = 0, edges = 0;
  const size_t step = 1 + bp->edges / EDGES;
  for (size_t i = 0; i < bp->in->n; i++) {
    unfixed += bp->fixed[i] < 0;
    if (bp->fixed[i] < 0 && bp->weight_of[bp->column_of[i]] != i)
      return false;
  }
  for (size_t mu = 0; mu < bp->in->m; mu++) {
    live += bp->factor[mu].live;
    edges += bp->factor[mu].live ? bp->factor[mu].degree : 0;
    if ((mu + bp->unfixed) % step == 0 && !factor_right(bp, mu))
      return false;
  }
  return unfixed == bp->unfixed && live == bp->live && edges == bp->edges;
}

/* ---- messages */

bool bperc_i_recount_row(const bperc_bp *bp, const bperc_i_bp_workspace *w,
                         size_t degree) {
  const double bound = bp->opt.h_max > 0 ? bp->opt.h_max : INFINITY;
  for (size_t k = 0; k < degree; k++)
    if (!(fabs(w->h[k]) <= bound) || !(w->p[k] >= 0) || !(w->q[k] >= 0) ||
        fabs(w->p[k] + w->q[k] - 1) > 1e-15 ||
        !(fabs(w->h_hat[k]) <= BPERC_I_FORCED))
      return false;
  return true;
}

static bool close_to(double x, double y) {
  return x == y || fabs(x - y) <= 1e-9 * (1 + fabs(y));
}

/* P(ok and w_one = value) over all configurations; one = degree: P(ok). */
static double chance(int label, int32_t left, size_t degree, const double *p,
                     const double *q, size_t one, size_t value) {
  double sum = 0;
  for (size_t c = 0; c < (size_t)1 << degree; c++) {
    const int ones = __builtin_popcountll(c);
    double product = 1;
    if ((label ? ones < left : ones > left) ||
        (one < degree && (c >> one & 1) != value))
      continue;
    for (size_t k = 0; k < degree; k++)
      product *= k == one ? 1 : c >> k & 1 ? p[k] : q[k];
    sum += product;
  }
  return sum;
}

bool bperc_i_recount_factor(int label, int32_t left, size_t degree,
                            const double *p, const double *q,
                            const double *h_hat, double log_z) {
  if (degree > SUMMED)
    return true;
  for (size_t k = 0; k < degree; k++) {
    const double top = chance(label, left, degree, p, q, k, 1),
                 bottom = chance(label, left, degree, p, q, k, 0),
                 h = top > 0 && bottom > 0 ? log(top / bottom)
                     : top > 0             ? INFINITY
                     : bottom > 0          ? -INFINITY
                                           : 0;
    if (!close_to(h_hat[k], fmax(-BPERC_I_FORCED, fmin(BPERC_I_FORCED, h))))
      return false;
  }
  return close_to(log_z, log(chance(label, left, degree, p, q, degree, 0)));
}

bool bperc_i_recount_fields(const bperc_bp *bp) {
  for (size_t c = 0; c < bp->columns; c++) {
    const size_t i = bp->weight_of[c];
    double h = bp->external[i];
    if (bp->fixed[i] >= 0)
      continue;
    for (size_t b = 0; b < bp->blocks; b++)
      for (size_t sign = 0; sign <= (size_t)bperc_i_bp_is_signed(bp); sign++) {
        const size_t at = sign * bp->half + c;
        const double x =
            bp->fast ? (double)bp->cell[b].sums32[at] : bp->cell[b].sums[at];
        h += sign ? -x : x;
      }
    if (!close_to(bp->field[i], h) && !isnan(h))
      return false;
  }
  return true;
}
