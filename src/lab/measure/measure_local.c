/* theory_local, theory_typical: local entropies and typical solutions by
 * replica theory; exact, one task per curve [BZ figs. 4a,b, A1]. */
#include "lab/measure/measurements.h"

#include "bperc/theory.h"
#include "lab/base/memory.h"

#include <math.h>

#define TYPICAL_ROWS(X)                                                        \
  X(REAL, a, 40, 40, 1e-6, 1e9, "threshold parameter A")                       \
  X(REAL, fin, 0.5, 0.5, 1e-6, 1, "probability of an input to be 1 [f_in]")    \
  X(REAL, alpha, 0.2, 0.2, 1e-6, 1e4, "patterns per weight")

#define ROWS(X)                                                                \
  X(CHOICE, around, 0, 0, "typical|dense",                                     \
    "a typical solution, or the densest region")                               \
  TYPICAL_ROWS(X)                                                              \
  X(REAL, low, 0.001, 0.001, 1e-9, 1, "smallest distance / N")                 \
  X(REAL, high, 0.04, 0.04, 1e-9, 1, "largest distance / N")                   \
  X(INT, points, 9, 9, 2, 1000, "distances, evenly spaced in their logarithm") \
  X(REAL, y, 0, 0, 0, 1e5,                                                     \
    "dense: copies per reference; 0 stands for infinity")                      \
  X(CHOICE, references, 0, 0, "1rsb|rs", "dense: how references are arranged")
BPERC_I_MEASURE_OPTIONS(local, ROWS);

/* Vectors of the group "local", taken out of the points one by one. */
static void record_local_points(const bperc_theory_local *points, size_t n,
                                double *scratch, bperc_record *out) {
  static const char *const names[] = {"local/distance", "local/entropy",
                                      "local/bound",    "local/share",
                                      "local/slope",    "local/external"};
  for (size_t v = 0; v < sizeof names / sizeof *names; v++) {
    for (size_t k = 0; k < n; k++) {
      const bperc_theory_local *p = &points[k];
      const double values[] = {p->distance,           p->entropy, p->bound,
                               p->entropy / p->bound, p->slope,   p->external};
      scratch[k] = isfinite(p->entropy) || v == 0 || v == 2 ? values[v] : NAN;
    }
    bperc_record_vector(out, names[v], scratch, n);
  }
}

/* A saddle point that ends before the smallest distance leaves NAN there. */
static bperc_status run_local_task(const bperc_inputs *in, bperc_record *out,
                                   bperc_error *error) {
  const local_options *o = in->own;
  bperc_theory_model model = {.a = o->a,
                              .fin = o->fin,
                              .alpha = o->alpha,
                              .y = o->around ? o->y : 0,
                              .references =
                                  (bperc_theory_references)o->references};
  size_t n = (size_t)o->points;
  double *distances = bperc_alloc(n, sizeof *distances), ended = NAN;
  bperc_theory_local *points = bperc_calloc(n, sizeof *points);
  bperc_status status = BPERC_E_MEMORY;
  if (distances && points) {
    for (size_t k = 0; k < n; k++)
      distances[k] =
          o->low * pow(o->high / o->low, (double)k / (double)(n - 1));
    status =
        (o->around ? bperc_theory_large_deviation : bperc_theory_franz_parisi)(
            &model, distances, n, points, &ended, error);
    if (status == BPERC_E_NUMERIC && isfinite(ended))
      status = BPERC_OK;
  }
  if (status == BPERC_OK) {
    bperc_record_scalar(out, "ended", ended);
    record_local_points(points, n, distances, out);
  }
  bperc_free(distances);
  bperc_free(points);
  return status;
}

static bperc_status check_local(const bperc_inputs *in, bperc_error *error) {
  const local_options *o = in->own;
  if (o->low < o->high)
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_ARGUMENT, "low is not below high");
}

static double cost_local(const bperc_inputs *in) {
  return ((const local_options *)in->own)->around ? 0.7 : 0.5;
}

const bperc_measurement bperc_i_measure_theory_local = {
    .name = "theory_local",
    .summary = "local entropy by replica theory, against the distance",
    .results = "ended           distance at which the saddle point was lost\n"
               "local/distance  Hamming distance / N\n"
               "local/entropy   of the solutions at this distance, per weight\n"
               "local/bound     of all configurations there\n"
               "local/share     entropy / bound\n"
               "local/slope     derivative of the entropy\n"
               "local/external  dense, finite y: entropy of the references",
    .version = 2,
    BPERC_I_MEASURE_TABLE(local),
    .check = check_local,
    .cost = cost_local,
    .run = run_local_task,
};

/* ---- the typical solution */

BPERC_I_MEASURE_OPTIONS(typical, TYPICAL_ROWS);

static bperc_status run_typical(const bperc_inputs *in, bperc_record *out,
                                bperc_error *error) {
  const typical_options *o = in->own;
  bperc_theory_model model = {.a = o->a, .fin = o->fin, .alpha = o->alpha};
  bperc_theory_typical typical;
  bperc_status status = bperc_theory_entropy(&model, &typical, error);
  if (status != BPERC_OK)
    return status;
  bperc_record_scalar(out, "entropy", typical.entropy);
  bperc_record_scalar(out, "overlap", typical.overlap);
  bperc_record_scalar(out, "mean", typical.mean);
  return BPERC_OK;
}

const bperc_measurement bperc_i_measure_theory_typical = {
    .name = "theory_typical",
    .summary = "typical solutions by replica theory",
    .results = "entropy  per weight\n"
               "overlap  q, of two typical solutions\n"
               "mean     Q, mean weight",
    .version = 1,
    BPERC_I_MEASURE_TABLE(typical),
    .seconds = 0.02,
    .run = run_typical,
};
