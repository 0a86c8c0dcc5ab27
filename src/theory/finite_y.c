/* Densest region at finite y over a list of distances.
 *
 * The saddle point at y -> infinity is found first and followed in 1/y. One
 * step of replica symmetry breaking is then followed in D; replica-symmetric
 * references start from y = x, where both are the same.
 */
#include "theory/finite_y.h"

#include "theory/local.h"
#include "theory/typical.h"

#include <math.h>

#define MODERATE 0.8 /* load, per capacity */

/* ---- one saddle point of either kind ---- */

/* At a moderate load first, where the saddle point of y -> infinity is close.
 */
static bperc_status start_symmetric(const bperc_theory_model *model,
                                    bperc_i_copies *c) {
  bperc_i_ensemble e = bperc_i_ensemble_of(model);
  bperc_i_typical capacity;
  bperc_status status = bperc_i_typical_capacity(&e, 0, NULL, &capacity);
  double alpha = fmin(model->alpha, MODERATE * capacity.alpha);
  if (status == BPERC_OK)
    status = bperc_i_dense_start(model->weights, e.mean, alpha, &c->dense);
  if (status == BPERC_OK && c->dense.merged)
    status = BPERC_E_NUMERIC;
  if (status == BPERC_OK)
    status = bperc_i_symmetric_start(&c->dense, &c->rs);
  double distance = c->dense.problem.distance;
  if (status == BPERC_OK)
    status = bperc_i_symmetric_move(&c->rs, alpha, distance, model->y);
  return status == BPERC_OK
             ? bperc_i_symmetric_move(&c->rs, model->alpha, distance, model->y)
             : status;
}

bperc_status bperc_i_copies_start(const bperc_theory_model *model,
                                  bperc_i_copies *c) {
  *c = (bperc_i_copies){.symmetric = model->references == BPERC_THEORY_RS};
  if (c->symmetric)
    return start_symmetric(model, c);
  bperc_status status = bperc_i_dense_start(
      model->weights, bperc_i_theory_q(model), model->alpha, &c->dense);
  if (status == BPERC_OK && c->dense.merged)
    status = BPERC_E_NUMERIC;
  if (status == BPERC_OK && model->y > 0)
    status = bperc_i_dense_copies(&c->dense, model->y);
  return status;
}

bperc_status bperc_i_copies_move(bperc_i_copies *c, double distance) {
  return c->symmetric ? bperc_i_symmetric_move(&c->rs, c->rs.problem.alpha,
                                               distance, c->rs.problem.y)
                      : bperc_i_dense_move(&c->dense, distance);
}

const bperc_i_dense_problem *bperc_i_copies_at(const bperc_i_copies *c) {
  return c->symmetric ? &c->rs.problem : &c->dense.problem;
}

const bperc_i_dense_state *bperc_i_copies_state(const bperc_i_copies *c) {
  return c->symmetric ? &c->rs.state : &c->dense.state;
}

static bperc_status entropies(const bperc_i_copies *c,
                              const bperc_i_dense_rule *rule,
                              bperc_i_dense_entropies *out) {
  return c->symmetric ? bperc_i_symmetric_entropies(&c->rs.problem,
                                                    &c->rs.state, rule, out)
                      : bperc_i_dense_entropies_at(&c->dense.problem,
                                                   &c->dense.state, rule, out);
}

/* ---- the list ---- */

typedef struct {
  bperc_i_copies copies;
  double ended; /* distance, or NaN */
} tracker;

static bperc_status measure_copies(const bperc_i_copies *c,
                                   bperc_theory_local *point) {
  const bperc_i_dense_state *s = bperc_i_copies_state(c);
  bperc_i_dense_entropies plain, second;
  bperc_i_dense_rule finer;
  bperc_status status = entropies(c, &c->dense.rule, &plain);
  if (status == BPERC_OK)
    status = bperc_i_dense_rule_init(&finer, 1);
  if (status == BPERC_OK)
    status = entropies(c, &finer, &second);
  if (status != BPERC_OK)
    return status;
  point->entropy = second.internal;
  point->external = second.external;
  point->slope = s->lam;
  point->parisi = c->symmetric ? NAN : s->x / s->y;
  point->residual = c->symmetric ? c->rs.branch.size : c->dense.branch.size;
  point->quadrature_error = fabs(plain.internal - second.internal);
  point->regime = BPERC_THEORY_SADDLE;
  return BPERC_OK;
}

static bperc_status visit_finite_y(void *context, bperc_theory_local *point) {
  tracker *t = context;
  if (!isnan(t->ended))
    return BPERC_E_NUMERIC;
  bperc_status status = bperc_i_copies_move(&t->copies, point->distance);
  if (status == BPERC_OK)
    return measure_copies(&t->copies, point);
  if (status == BPERC_E_NUMERIC)
    t->ended = bperc_i_copies_at(&t->copies)->distance;
  return status;
}

bperc_status bperc_i_finite_y(const bperc_theory_model *model,
                              bperc_theory_local *points, size_t n,
                              double *ended, bperc_error *error) {
  tracker down = {.ended = NAN}, up;
  bperc_status status = bperc_i_copies_start(model, &down.copies);
  if (status == BPERC_E_NUMERIC)
    return bperc_error_set(error, status,
                           "the saddle point of the densest region was lost on "
                           "the way to Q = %g, alpha = %g, y = %g",
                           bperc_i_theory_q(model), model->alpha, model->y);
  if (status != BPERC_OK)
    return bperc_error_set(error, status, "%s", bperc_status_name(status));
  up = down;
  bperc_i_local_walk walk = {.visit = visit_finite_y,
                             .down = &down,
                             .up = &up,
                             .start =
                                 bperc_i_copies_at(&down.copies)->distance};
  status = bperc_i_local_visit(&walk, points, n);
  *ended = isnan(down.ended) ? up.ended : down.ended;
  return bperc_i_local_report(status, "densest region", *ended, error);
}
