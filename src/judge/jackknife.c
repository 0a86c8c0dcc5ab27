/* Functions of means with errors by the jackknife over instances. */
#include "judge/statistic.h"

#include "base/alloc.h"

#include <math.h>

static void means_without(const bperc_i_cell *const *cells, size_t count,
                          uint32_t instance, double *means) {
  double y;
  for (size_t k = 0; k < count; k++) {
    double n = (double)cells[k]->n;
    means[k] = cells[k]->mean;
    if (n > 1 && cells[k]->values && bperc_i_cell_value(cells[k], instance, &y))
      means[k] = (n * means[k] - y) / (n - 1);
  }
}

/* f without each of the instances in turn; 0 when one of them does not exist.
 */
static int leave_out(const bperc_i_cell *const *cells, size_t count,
                     bperc_i_function *f, const void *context,
                     const uint32_t *who, size_t n, double *left) {
  double *means = bperc_i_alloc(count, sizeof *means);
  size_t good = 0;
  for (size_t i = 0; means && i < n; i++) {
    means_without(cells, count, who[i], means);
    left[i] = f(context, means);
    good += isfinite(left[i]) != 0;
  }
  bperc_i_free(means);
  return good == n;
}

int bperc_i_jackknife_cell(const bperc_i_cell *const *cells, size_t count,
                           bperc_i_function *f, const void *context,
                           const uint32_t *who, size_t n, bperc_i_cell *out) {
  bperc_i_estimate e = bperc_i_jackknife(cells, count, f, context), spread;
  *out = (bperc_i_cell){.mean = e.value, .median = e.value, .sem = e.sem};
  out->n = isfinite(e.value) ? n : 0;
  if (n < 2 || !(e.sem >= 0))
    return 1;
  out->values = bperc_i_alloc(n, sizeof *out->values);
  out->instances = bperc_i_alloc(n, sizeof *out->instances);
  if (!out->values || !out->instances) {
    bperc_i_cell_clear(out);
    return 0;
  }
  if (!leave_out(cells, count, f, context, who, n, out->values)) {
    bperc_i_cell_clear(out);
    return 1;
  }
  spread = bperc_i_estimate_of(out->values, n);
  out->sem = spread.sem * (double)(n - 1);
  for (size_t i = 0; i < n; i++) {
    out->values[i] =
        e.value + (double)(n - 1) * (spread.value - out->values[i]);
    out->instances[i] = who[i];
  }
  return 1;
}

bperc_i_estimate bperc_i_jackknife(const bperc_i_cell *const *cells,
                                   size_t count, bperc_i_function *f,
                                   const void *context) {
  uint32_t most = bperc_i_most_instances(cells, count);
  double *means = bperc_i_alloc(count, sizeof *means);
  double *left = bperc_i_alloc(most, sizeof *left);
  bperc_i_estimate e = {NAN, 0, most > 1 ? (double)most - 1 : INFINITY}, spread;
  int known = 1;
  for (size_t k = 0; k < count; k++)
    known &= cells[k]->sem >= 0;
  if (means && left) {
    means_without(cells, count, UINT32_MAX, means);
    e.value = f(context, means);
    for (uint32_t i = 0; i < most; i++) {
      means_without(cells, count, i, means);
      left[i] = f(context, means);
    }
    spread = bperc_i_estimate_of(left, most);
    if (most > 1)
      e.sem = spread.sem * (double)(most - 1);
  }
  if (!known || !isfinite(e.value))
    e.sem = NAN;
  bperc_i_free(means);
  bperc_i_free(left);
  return e;
}
