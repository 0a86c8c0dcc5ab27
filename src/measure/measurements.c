/* Finding measurements. */
#include "measure/measurements.h"

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
