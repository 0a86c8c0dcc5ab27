/* Functions of means with errors over instances: smooth ones by the jackknife,
 * ones that jump by batches of instances. */
#include "lab/table/table.h"

#include "lab/base/memory.h"
#include "numeric/sample.h"

#include <math.h>

enum { FEWEST_BATCHES = 3, MOST_BATCHES = 10 };

/* The function of the means, without an error as yet; n instances behind it.
 * means: room for as many, NULL when memory lacked. Whether there is more to
 * do: a number that is random. */
static int of_means(const bperc_i_table_cell *const *cells, size_t count,
                    bperc_i_function *f, const void *context, size_t n,
                    double *means, bperc_i_table_cell *out) {
  *out = (bperc_i_table_cell){.mean = NAN, .sem = NAN, .median = NAN};
  if (!means)
    return 0;
  out->exact = 1;
  for (size_t k = 0; k < count; k++) {
    means[k] = cells[k]->mean;
    out->exact &= cells[k]->exact;
  }
  out->mean = out->median = f(context, means);
  out->sem = out->exact ? 0 : NAN;
  out->n = isfinite(out->mean) ? n : 0;
  return out->n > 0 && !out->exact;
}

/* ---- jackknife */

static void means_without(const bperc_i_table_cell *const *cells, size_t count,
                          uint32_t instance, double *means) {
  double y;
  for (size_t k = 0; k < count; k++) {
    double n = (double)cells[k]->n;
    means[k] = cells[k]->mean;
    if (n > 1 && bperc_i_cell_value(cells[k], instance, &y))
      means[k] = (n * means[k] - y) / (n - 1);
  }
}

/* Pseudo-values of every instance; 0 when one of them does not exist. */
static int pseudo_values(const bperc_i_table_cell *const *cells, size_t count,
                         bperc_i_function *f, const void *context,
                         const uint32_t *who, size_t n, double *means,
                         bperc_i_table_cell *out) {
  double mean = 0;
  for (size_t i = 0; i < n; i++) {
    means_without(cells, count, who[i], means);
    out->instances[i] = who[i];
    out->values[i] = f(context, means);
    mean += out->values[i] / (double)n;
  }
  for (size_t i = 0; i < n; i++)
    out->values[i] = out->mean + (double)(n - 1) * (mean - out->values[i]);
  out->n = n;
  bperc_i_mean(out->values, n, &mean, &out->sem);
  return isfinite(mean);
}

int bperc_i_jackknife_cell(const bperc_i_table_cell *const *cells, size_t count,
                           bperc_i_function *f, const void *context,
                           const uint32_t *who, size_t n,
                           bperc_i_table_cell *out) {
  double *means = bperc_alloc(count, sizeof *means);
  int good = means != NULL;
  if (of_means(cells, count, f, context, n, means, out) && n > 1) {
    good = bperc_i_cell_room(out, n);
    if (good && !pseudo_values(cells, count, f, context, who, n, means, out)) {
      out->sem = NAN;
      bperc_i_cell_clear(out);
    }
  }
  bperc_free(means);
  return good;
}

/* ---- batches */

/* Means over the instances of batch b of so many; NAN where there are none. */
static void means_of_batch(const bperc_i_table_cell *const *cells, size_t count,
                           size_t b, size_t batches, double *means) {
  for (size_t k = 0; k < count; k++) {
    const bperc_i_table_cell *c = cells[k];
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; c->values && i < c->n; i++)
      if (c->instances[i] % batches == b) {
        sum += c->values[i];
        n++;
      }
    means[k] = c->exact ? c->mean : n ? sum / (double)n : NAN;
  }
}

int bperc_i_batch_cell(const bperc_i_table_cell *const *cells, size_t count,
                       bperc_i_function *f, const void *context,
                       bperc_i_table_cell *out) {
  size_t batches = bperc_i_most_instances(cells, count) / 2;
  double *means = bperc_alloc(count, sizeof *means), mean;
  int good = means != NULL;
  batches = batches < FEWEST_BATCHES ? FEWEST_BATCHES
            : batches > MOST_BATCHES ? MOST_BATCHES
                                     : batches;
  if (of_means(cells, count, f, context, 1, means, out))
    good = bperc_i_cell_room(out, batches);
  if (good && out->values) {
    out->n = 0;
    out->most = MOST_BATCHES;
    for (size_t b = 0; b < batches; b++) {
      means_of_batch(cells, count, b, batches, means);
      out->values[out->n] = f(context, means);
      out->instances[out->n] = (uint32_t)b;
      out->n += isfinite(out->values[out->n]) != 0;
    }
    bperc_i_mean(out->values, out->n, &mean, &out->sem);
    if (out->n < FEWEST_BATCHES)
      bperc_i_cell_clear(out);
    out->sem = out->values ? out->sem : NAN;
  }
  bperc_free(means);
  return good;
}
