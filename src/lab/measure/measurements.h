/* The measurements there are. */
#ifndef BPERC_MEASURE_MEASUREMENTS_H
#define BPERC_MEASURE_MEASUREMENTS_H

#include "bperc/lab/measure.h"

/* One a line, so that lists merge. */
/* clang-format off */
#define BPERC_I_MEASUREMENTS(X) \
  X(bethe) \
  X(capacity) \
  X(clusters) \
  X(coupled) \
  X(dynamics) \
  X(edge) \
  X(generalisation) \
  X(geometry) \
  X(hidden) \
  X(late) \
  X(map) \
  X(polarisation) \
  X(protocols) \
  X(retrieval) \
  X(solving) \
  X(stability) \
  X(theory_alpha_u) \
  X(theory_concavity) \
  X(theory_capacity) \
  X(theory_local) \
  X(theory_optimum) \
  X(theory_typical) \
  X(toy) \
  X(walking) \
  X(xcorr) \
  X(unconverged) \
  X(uniform)
/* clang-format on */

#define BPERC_I_MEASUREMENT(name)                                              \
  extern const bperc_measurement bperc_i_measure_##name;
BPERC_I_MEASUREMENTS(BPERC_I_MEASUREMENT)

/* The struct NAME_options and the function NAME_table of these rows, and both
 * in the table of a measurement. */
#define BPERC_I_MEASURE_OPTIONS(name, rows)                                    \
  BPERC_OPTIONS_DECLARE(name##_options, rows);                                 \
  static BPERC_OPTIONS_DEFINE(name##_table, name##_options, rows)
#define BPERC_I_MEASURE_TABLE(name)                                            \
  .options = name##_table, .options_size = sizeof(name##_options)

/* Rough seconds of a task. */
double bperc_i_measure_cost(const bperc_measurement *m,
                            const bperc_inputs *inputs);

#endif
