/* The list of measurements: a new one is a file and a line here. */
#include "measure/measurements.h"

#include <string.h>

/* clang-format off: one a line, so that lists merge */
static const bperc_measurement *const list[] = {
    &bperc_i_measure_bethe,
    &bperc_i_measure_capacity,
    &bperc_i_measure_clusters,
    &bperc_i_measure_coupled,
    &bperc_i_measure_dynamics,
    &bperc_i_measure_edge,
    &bperc_i_measure_generalisation,
    &bperc_i_measure_geometry,
    &bperc_i_measure_hidden,
    &bperc_i_measure_late,
    &bperc_i_measure_map,
    &bperc_i_measure_polarisation,
    &bperc_i_measure_protocols,
    &bperc_i_measure_retrieval,
    &bperc_i_measure_solving,
    &bperc_i_measure_stability,
    &bperc_i_measure_theory_alpha_u,
    &bperc_i_measure_theory_concavity,
    &bperc_i_measure_theory_capacity,
    &bperc_i_measure_theory_local,
    &bperc_i_measure_theory_optimum,
    &bperc_i_measure_theory_typical,
    &bperc_i_measure_toy,
    &bperc_i_measure_walking,
    &bperc_i_measure_xcorr,
    &bperc_i_measure_unconverged,
    &bperc_i_measure_uniform,
    NULL,
};
/* clang-format on */

const bperc_measurement *const *bperc_measurements(void) { return list; }

const bperc_measurement *bperc_measurement_find(const char *name) {
  for (size_t k = 0; list[k]; k++)
    if (strcmp(list[k]->name, name) == 0)
      return list[k];
  return NULL;
}
