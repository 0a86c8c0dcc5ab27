/* theory: what replica theory predicts; exact, one task per point
 * [BZ figs. 2, 4a,b, 8a, A1, S2b]. */
#include "lab/measure/measurements.h"

#include "bperc/theory.h"

#include <math.h>

#define ROWS(X)                                                                \
  X(REAL, a, 40, 40, 1e-6, 1e9, "threshold parameter A")                       \
  X(REAL, fin, 0.5, 0.5, 1e-6, 1, "probability of an input to be 1 [f_in]")    \
  X(CHOICE, weights, 0, 0, "01|integer|ising", "values of a weight")           \
  X(INT, n, 0, 0, 0, 1e9,                                                      \
    "0: N to infinity; else the threshold lies between the integers as at "    \
    "this N: floor(N/A) + 1/2")                                                \
  X(REAL, fout, 0.5, 0.5, 1e-6, 1, "probability of label 1 [f_out]")           \
  X(REAL, kappa, 0, 0, 0, 1e3,                                                 \
    "margin in units of sqrt(N times the variance of an input)")
BPERC_I_MEASURE_OPTIONS(theory, ROWS);

/* Sums are whole numbers, a tie counts as output 0: A seen by N weights.
 */
static double seen_by(double n, double a) {
  return n > 0 ? n / (floor(n / a * (1 + 1e-9)) + 0.5) : a;
}

static bperc_status run_theory_task(const bperc_inputs *in, bperc_record *out,
                                    bperc_error *error) {
  const theory_options *o = in->own;
  bperc_theory_model model = {.weights = (bperc_theory_weights)o->weights,
                              .a = seen_by((double)o->n, o->a),
                              .fin = o->fin,
                              .fout = o->fout,
                              .kappa = o->kappa};
  bperc_theory_typical typical;
  bperc_status status = bperc_theory_capacity(&model, &typical, error);
  if (status != BPERC_OK)
    return status;
  bperc_record_scalar(out, "capacity", typical.alpha);
  bperc_record_scalar(out, "overlap", typical.overlap);
  return BPERC_OK;
}

const bperc_measurement bperc_i_measure_theory_capacity = {
    .name = "theory_capacity",
    .summary = "capacity by replica theory: where the entropy vanishes",
    .results = "capacity  alpha_c\n"
               "overlap   of typical solutions there",
    .version = 1,
    BPERC_I_MEASURE_TABLE(theory),
    .seconds = 0.002,
    .run = run_theory_task,
};

/* ---- the A of largest capacity */

#define OPTIMUM_ROWS(X)                                                        \
  X(REAL, fin, 0.5, 0.5, 1e-6, 1, "probability of an input to be 1 [f_in]")
BPERC_I_MEASURE_OPTIONS(optimum, OPTIMUM_ROWS);

static bperc_status run_optimum(const bperc_inputs *in, bperc_record *out,
                                bperc_error *error) {
  const optimum_options *o = in->own;
  bperc_theory_typical typical;
  double a;
  bperc_theory_model model = {.fin = o->fin};
  bperc_status status = bperc_theory_optimum(&model, &a, &typical, error);
  if (status != BPERC_OK)
    return status;
  bperc_record_scalar(out, "a", a);
  bperc_record_scalar(out, "capacity", typical.alpha);
  return BPERC_OK;
}

const bperc_measurement bperc_i_measure_theory_optimum = {
    .name = "theory_optimum",
    .summary = "the A of largest capacity by replica theory",
    .results = "a         A_opt\n"
               "capacity  alpha_c there",
    .version = 1,
    BPERC_I_MEASURE_TABLE(optimum),
    .seconds = 0.002,
    .run = run_optimum,
};
