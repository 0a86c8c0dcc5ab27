/* Known saddle points of the densest region. */
#include "theory/dense_map.h"

#include "numeric/gauss.h"
#include "numeric/gsl_guard.h"
#include "theory/typical.h"

#include <gsl/gsl_sf_lambert.h>
#include <math.h>

static const bperc_i_dense_known known[] = {
#include "theory/dense_starts.h"
};

bperc_status bperc_i_dense_locate(const bperc_i_dense_problem *problem,
                                  bperc_i_dense_place *at) {
  bool ising = problem->weights == BPERC_THEORY_ISING;
  bperc_i_typical capacity;
  bperc_i_ensemble e = {.weights = problem->weights, .mean = problem->mean};
  bperc_status status = bperc_i_typical_capacity(&e, 0, NULL, &capacity);
  if (status != BPERC_OK)
    return status;
  double load = problem->alpha / capacity.alpha;
  at->mean = ising ? 0 : bperc_i_logit(problem->mean);
  at->load = log(load) + BPERC_I_DENSE_CAPACITY * load;
  return isfinite(at->load) ? BPERC_OK : BPERC_E_NUMERIC;
}

double bperc_i_dense_load(double coordinate) {
  gsl_sf_result w;
  bperc_i_gsl_begin();
  int failed =
      gsl_sf_lambert_W0_e(BPERC_I_DENSE_CAPACITY * exp(coordinate), &w);
  bperc_i_gsl_end();
  return failed ? NAN : w.val / BPERC_I_DENSE_CAPACITY;
}

double bperc_i_dense_way(const bperc_i_dense_place *from,
                         const bperc_i_dense_place *to) {
  return fabs(to->mean - from->mean) + fabs(to->load - from->load);
}

bperc_i_dense_problem bperc_i_dense_known_at(const bperc_i_dense_known *start) {
  return (bperc_i_dense_problem){.weights = start->weights,
                                 .mean = start->mean,
                                 .alpha = start->alpha,
                                 .distance = start->distance};
}

bperc_status bperc_i_dense_nearest(bperc_theory_weights weights,
                                   const bperc_i_dense_place *to,
                                   const bperc_i_dense_known **best) {
  double shortest = INFINITY;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    bperc_i_dense_place from;
    if (known[k].weights != weights)
      continue;
    bperc_i_dense_problem problem = bperc_i_dense_known_at(&known[k]);
    bperc_status status = bperc_i_dense_locate(&problem, &from);
    if (status != BPERC_OK)
      return status;
    double way = bperc_i_dense_way(&from, to);
    if (way < shortest) {
      shortest = way;
      *best = &known[k];
    }
  }
  return BPERC_OK;
}
