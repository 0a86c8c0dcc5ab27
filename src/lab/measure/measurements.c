/* Finding measurements, and what a task of one costs. */
#include "lab/measure/measurements.h"

#include "bperc/sbpi.h"
#include "lab/measure/problem.h"

#include <string.h>

#define LISTED(name) &bperc_i_measure_##name,
static const bperc_measurement *const list[] = {BPERC_I_MEASUREMENTS(LISTED)
                                                    NULL};

const bperc_measurement *const *bperc_measurements(void) { return list; }

const bperc_measurement *bperc_measurement_find(const char *name) {
  for (size_t k = 0; list[k]; k++)
    if (strcmp(list[k]->name, name) == 0)
      return list[k];
  return NULL;
}

double bperc_i_measure_cost(const bperc_measurement *m,
                            const bperc_inputs *in) {
  const bperc_option *n = bperc_options_find(m->options(), "n");
  double seconds = m->seconds;
  if (m->cost)
    return m->cost(in);
  if (m->others > 0 && bperc_i_problem_choice(m, in) != &bperc_sbpi_class)
    seconds = m->others;
  for (int k = 0; k < m->power; k++)
    seconds *= (double)*(const int64_t *)((const char *)in->own + n->offset) /
               (double)m->size;
  return seconds;
}
