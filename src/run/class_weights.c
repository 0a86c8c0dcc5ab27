/* Class weights as copies of patterns. */
#include "run/class_weights.h"

#include "model/bit_rows.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { MOST_COPIES = 12 };

void bperc_i_class_costs(const bperc_instance *in, const double given[2],
                         int balanced, double cost[2]) {
  size_t count[2] = {0, 0};
  for (size_t mu = 0; mu < in->m; mu++)
    count[in->labels[mu]]++;
  for (int v = 0; v < 2; v++) {
    cost[v] = given[v] > 0 ? given[v] : 1;
    if (balanced)
      cost[v] = count[v] ? (double)in->m / (2 * (double)count[v]) : 1;
  }
}

void bperc_i_class_copies(const double cost[2], size_t copies[2]) {
  double ratio = cost[1] / cost[0], best = INFINITY;
  for (size_t a = 1; a <= MOST_COPIES; a++)
    for (size_t b = 1; b <= MOST_COPIES; b++) {
      double off = fabs(log((double)b / (double)a / ratio));
      if (off < best - 0.02) { /* fewer copies unless it is clearly better */
        best = off;
        copies[0] = a;
        copies[1] = b;
      }
    }
}

void bperc_i_copy_pattern(const bperc_instance *from, size_t mu,
                          bperc_instance *to, size_t nu) {
  size_t bytes = from->words * sizeof(uint64_t);
  assert(from->words == to->words && !from->support == !to->support);
  memcpy(to->patterns + nu * to->words, from->patterns + mu * from->words,
         bytes);
  if (from->support)
    memcpy(to->support + nu * to->words, from->support + mu * from->words,
           bytes);
  to->labels[nu] = from->labels[mu];
}

bperc_status bperc_i_weighted_make(const bperc_instance *in,
                                   const size_t copies[2],
                                   bperc_i_weighted *out, bperc_error *error) {
  bperc_model model = bperc_instance_model(in);
  size_t nu = 0;
  bperc_status status;
  *out = (bperc_i_weighted){.in = NULL};
  for (size_t mu = 0; mu < in->m; mu++)
    out->count[in->labels[mu]]++;
  out->first[1] = copies[0] * out->count[0];
  status = bperc_instance_new(in->n, out->first[1] + copies[1] * out->count[1],
                              &model, &out->in, error);
  if (status != BPERC_OK)
    return status;
  for (int v = 0; v < 2; v++)
    for (size_t k = 0; k < copies[v]; k++)
      for (size_t mu = 0; mu < in->m; mu++)
        if (in->labels[mu] == v)
          bperc_i_copy_pattern(in, mu, out->in, nu++);
  assert(nu == out->in->m);
  bperc_instance_update_bounds(out->in);
  return BPERC_OK;
}

void bperc_i_weighted_errors(const bperc_i_weighted *w, const uint64_t *weights,
                             size_t errors[2]) {
  for (int v = 0; v < 2; v++) {
    bperc_instance part = *w->in; /* owns nothing */
    bperc_i_rows rows;
    part.m = w->count[v];
    part.patterns += w->first[v] * part.words;
    if (part.support)
      part.support += w->first[v] * part.words;
    part.labels += w->first[v];
    if (part.bound)
      part.bound += w->first[v];
    rows = bperc_i_instance_rows(&part);
    errors[v] = bperc_i_bit_kernels_get()->violated(&rows, weights);
  }
}

void bperc_i_weighted_clear(bperc_i_weighted *w) {
  bperc_instance_free(w->in);
  *w = (bperc_i_weighted){.in = NULL};
}
