/* The load above which F(D) of the densest region is not concave.
 *
 * lam = dF/dD is followed from large to small D. Where F is concave it rises
 * all the way. When it falls first and then rises above what it was, distances
 * in between share their lam with others: a fold. The least load with a fold is
 * bracketed by bisection.
 */
#include "theory/finite_y.h"
#include "theory/typical.h"

#include <math.h>

#define RATIO 0.9         /* of distances along a curve */
#define LARGEST_SHIFT 1.5 /* begin at this multiple of the start's distance */
#define OPEN_END 0.03     /* go on to this part of the smallest distance */
#define LAST_FALL 2       /* times where the last fall of lam begins */
#define LOWEST 0.7        /* of capacity, where F is concave */
#define HIGHEST 0.99      /* where the search ends */

/* A curve of lam: the top that is not exceeded yet, and what exceeded it. */
typedef struct {
  double before, top; /* last lam, largest so far */
  double top_at;      /* its distance */
  bool folded;
  double from, to; /* distances of the fold */
} curve;

/* Next point at a smaller distance. */
static void add_point(curve *c, double distance, double lam) {
  if (lam > c->top) {
    c->folded = c->before < c->top;
    c->from = distance;
    c->to = c->top_at;
    c->top = lam;
    c->top_at = distance;
  }
  c->before = lam;
}

/* The start, moved to a larger distance if that is possible. */
static bperc_status begin_copies(const bperc_theory_model *model,
                                 bperc_i_copies *copies) {
  bperc_status status = bperc_i_copies_start(model, copies);
  if (status != BPERC_OK)
    return status;
  bperc_i_copies further = *copies;
  double distance = LARGEST_SHIFT * bperc_i_copies_at(copies)->distance;
  status = bperc_i_copies_move(&further, distance);
  if (status == BPERC_OK)
    *copies = further;
  return status == BPERC_E_NUMERIC ? BPERC_OK : status;
}

/* A fall that begins below the distance `last` is no fold. */
static bperc_status trace(const bperc_theory_model *model, double smallest,
                          double last, curve *c) {
  bperc_i_copies copies;
  *c = (curve){.top = -INFINITY, .before = -INFINITY};
  bperc_status status = begin_copies(model, &copies);
  /* At y -> infinity lam always recovers at small D, if it is not lost. */
  double open = model->y > 0 ? smallest : OPEN_END * smallest;
  while (status == BPERC_OK && !c->folded) {
    double distance = bperc_i_copies_at(&copies)->distance;
    add_point(c, distance, bperc_i_copies_state(&copies)->lam);
    if (distance < (c->before < c->top ? open : smallest))
      break;
    status = bperc_i_copies_move(&copies, RATIO * distance);
  }
  if (status != BPERC_E_NUMERIC)
    return status;
  /* Lost while lam falls, or before anything was found: no solver finds what
   * comes after. While lam rises it is the end of the curve, at the bound. */
  c->folded = (c->before < c->top && c->top_at > last) || c->top == -INFINITY;
  c->from = 0;
  c->to = c->top_at;
  return BPERC_OK;
}

static bperc_status bisect(bperc_theory_model *model, double tolerance,
                           double smallest, bperc_theory_fold *out) {
  double low = LOWEST * out->alpha_c, high = HIGHEST * out->alpha_c;
  const double end = high;
  curve c;
  model->alpha = low;
  /* At finite y lam falls at the smallest D at every load, because references
   * are the solutions themselves there: seen at the lowest load, where F is
   * concave otherwise. */
  double all = model->y > 0 ? INFINITY : 0;
  bperc_status status = trace(model, smallest, all, &c);
  if (status == BPERC_OK && c.folded)
    status = BPERC_E_NUMERIC;
  double last = c.before < c.top ? LAST_FALL * c.top_at : 0;
  while (status == BPERC_OK && high - low > 2 * tolerance) {
    model->alpha = 0.5 * (low + high);
    status = trace(model, smallest, last, &c);
    if (!c.folded) {
      low = model->alpha;
      continue;
    }
    high = model->alpha;
    out->from = c.from;
    out->to = c.to;
  }
  out->alpha = 0.5 * (low + high);
  return status == BPERC_OK && high == end ? BPERC_E_NUMERIC : status;
}

bperc_status bperc_theory_concavity(const bperc_theory_model *model,
                                    double tolerance, double smallest,
                                    bperc_theory_fold *out,
                                    bperc_error *error) {
  bperc_theory_typical capacity;
  bperc_theory_model own = *model;
  bperc_status status = bperc_i_dense_check(model, error);
  if (status != BPERC_OK)
    return status;
  if (!(tolerance > 0 && tolerance < 0.1) || !(smallest > 0 && smallest < 1))
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "tolerance %g or smallest distance %g out of range",
                           tolerance, smallest);
  status = bperc_theory_capacity(model, &capacity, error);
  if (status != BPERC_OK)
    return status;
  *out = (bperc_theory_fold){.alpha_c = capacity.alpha};
  status = capacity.alpha > 0 ? bisect(&own, tolerance, smallest, out)
                              : BPERC_E_NUMERIC;
  if (status == BPERC_E_NUMERIC)
    return bperc_error_set(error, status,
                           "no loss of concavity found below the capacity %g",
                           capacity.alpha);
  if (status != BPERC_OK)
    bperc_error_set(error, status, "%s", bperc_status_name(status));
  return status;
}
