/* Replica theory of weights 0, 1. */
#include "front.h"

#include <math.h>
#include <stdlib.h>

/* alpha_c: the alpha at which the typical entropy vanishes; NaN and a sentence
 * when it is not found. */
WEB double web_capacity(double a, double fin) {
  bperc_theory_model model = {.a = a, .fin = fin};
  bperc_theory_typical t;
  if (bperc_theory_capacity(&model, &t, &web_failure) != BPERC_OK)
    return NAN;
  return t.alpha;
}

/* Entropy, overlap q, distance of two typical solutions. */
WEB int web_entropy(double alpha, double a, double fin) {
  bperc_theory_model model = {.a = a, .fin = fin, .alpha = alpha};
  bperc_theory_typical t;
  double *out = web_reserve(3);
  if (!out)
    return web_out_of_memory();
  if (bperc_theory_entropy(&model, &t, &web_failure) != BPERC_OK)
    return web_failure.status;
  out[0] = t.entropy;
  out[1] = t.overlap;
  out[2] = t.distance;
  return 3;
}

/* Local entropy at `count` distances that lie in the room: each is replaced by
 * the entropy, and behind them come the bounds. NaN where the saddle point is
 * lost. dense 0: around a typical solution; 1: in the densest region. */
WEB int web_local(int dense, double alpha, double a, double fin, int count) {
  bperc_theory_model model = {.a = a, .fin = fin, .alpha = alpha};
  size_t n = (size_t)count;
  double *out = web_reserve(2 * n), ended;
  bperc_theory_local *points = calloc(n, sizeof *points);
  if (!out || !points) {
    free(points);
    return web_out_of_memory();
  }
  bperc_status status =
      (dense ? bperc_theory_large_deviation : bperc_theory_franz_parisi)(
          &model, out, n, points, &ended, &web_failure);
  bool some =
      status == BPERC_OK || (status == BPERC_E_NUMERIC && !isnan(ended));
  for (size_t k = 0; k < n && some; k++) {
    out[k] = points[k].entropy;
    out[n + k] = points[k].bound;
  }
  free(points);
  return some ? count : status;
}
