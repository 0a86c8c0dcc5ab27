/* Known saddle points of the densest region. */
#include "theory/dense_map.h"

#include "numeric/gauss.h"
#include "numeric/gsl_guard.h"
#include "theory/typical.h"

#include <gsl/gsl_sf_lambert.h>
#include <math.h>

#define NEAR BPERC_I_DENSE_CAPACITY

static const bperc_i_dense_known known[] = {
    {{BPERC_THEORY_01, 0.05, 0.2, 0.02},
     {-6.354, -5.273, -2.233, 0.878, 2.058, -1.741}},
    {{BPERC_THEORY_01, 0.01, 0.05, 0.0045},
     {-9.038, -6.914, -1.418, 1.643, 1.890, -1.700}},
    {{BPERC_THEORY_01, 0.25, 0.03, 0.175},
     {-3.485, -2.947, -4.385, 1.486, 7.667, -3.116}},
    {{BPERC_THEORY_01, 0.25, 0.15, 0.107},
     {-4.438, -3.638, -3.269, 1.741, 4.804, -1.831}},
    {{BPERC_THEORY_01, 0.25, 0.45, 0.0692},
     {-4.688, -4.153, -3.677, 0.804, 2.898, -1.730}},
    {{BPERC_THEORY_01, 0.25, 0.55, 0.0585},
     {-4.591, -4.147, -3.848, 0.392, 2.234, -1.576}},
    {{BPERC_THEORY_01, 0.5, 0.1, 0.165},
     {-3.601, -3.191, -4.404, 1.520, 6.448, -0.199}},
    {{BPERC_THEORY_01, 0.5, 0.4, 0.0826},
     {-4.520, -4.141, -4.589, 0.936, 3.321, -0.358}},
    {{BPERC_THEORY_01, 0.5, 0.49, 0.0628},
     {-4.571, -4.258, -4.990, 0.490, 2.763, -0.484}},
    {{BPERC_THEORY_01, 0.8, 0.05, 0.0857},
     {-4.903, -4.286, -5.483, 2.165, 6.056, 2.530}},
    {{BPERC_THEORY_01, 0.8, 0.15, 0.0438},
     {-5.432, -5.024, -5.920, 1.206, 3.579, 2.608}},
    {{BPERC_THEORY_ISING, 1, 0.4, 0.1}, {-3.12, -2.26, -2.54, 1.446, 3.59}},
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
  at->load = log(load) + NEAR * load;
  return isfinite(at->load) ? BPERC_OK : BPERC_E_NUMERIC;
}

double bperc_i_dense_load(double coordinate) {
  gsl_sf_result w;
  bperc_i_gsl_begin();
  int failed = gsl_sf_lambert_W0_e(NEAR * exp(coordinate), &w);
  bperc_i_gsl_end();
  return failed ? NAN : w.val / NEAR;
}

double bperc_i_dense_way(const bperc_i_dense_place *from,
                         const bperc_i_dense_place *to) {
  return fabs(to->mean - from->mean) + fabs(to->load - from->load);
}

bperc_status bperc_i_dense_nearest(bperc_theory_weights weights,
                                   const bperc_i_dense_place *to,
                                   const bperc_i_dense_known **best) {
  double shortest = INFINITY;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    bperc_i_dense_place from;
    if (known[k].problem.weights != weights)
      continue;
    bperc_status status = bperc_i_dense_locate(&known[k].problem, &from);
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
