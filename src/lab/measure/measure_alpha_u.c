/* theory_alpha_u: the load at which the densest region breaks; exact
 * [BZ fig. 8a]. */
#include "lab/measure/measurements.h"

#include "bperc/theory.h"

#define ROWS(X)                                                                \
  X(CHOICE, weights, 0, 0, "01|integer|ising",                                 \
    "values of a weight: 01 or ising")                                         \
  X(REAL, a, 40, 40, 1e-6, 1e9, "threshold parameter A")                       \
  X(REAL, fin, 0.5, 0.5, 1e-6, 1, "probability of an input to be 1 [f_in]")    \
  X(REAL, tolerance, 1e-4, 1e-4, BPERC_ALPHA_U_FINEST, BPERC_ALPHA_U_COARSEST, \
    "half width of the bracket")                                               \
  X(REAL, smallest, 3e-4, 3e-4, BPERC_ALPHA_U_NEAREST, BPERC_ALPHA_U_FARTHEST, \
    "follow the densest region to this distance")
BPERC_I_MEASURE_OPTIONS(alpha_u, ROWS);

static bperc_status run_alpha_u_task(const bperc_inputs *in, bperc_record *out,
                                     bperc_error *error) {
  const alpha_u_options *o = in->own;
  bperc_theory_model model = {
      .weights = (bperc_theory_weights)o->weights, .a = o->a, .fin = o->fin};
  bperc_theory_threshold t;
  bperc_status status =
      bperc_theory_alpha_u(&model, o->tolerance, o->smallest, &t, error);
  if (status != BPERC_OK)
    return status;
  bperc_record_scalar(out, "alpha_u", t.alpha_u);
  bperc_record_scalar(out, "low", t.low);
  bperc_record_scalar(out, "high", t.high);
  bperc_record_scalar(out, "distance", t.distance);
  bperc_record_scalar(out, "alpha_c", t.alpha_c);
  return BPERC_OK;
}

const bperc_measurement bperc_i_measure_theory_alpha_u = {
    .name = "theory_alpha_u",
    .summary = "the load at which the densest region breaks",
    .results =
        "alpha_u     least load at which dF/dD = 0 somewhere\n"
        "low         largest load at which the region was followed to the end\n"
        "high        least load at which it was lost\n"
        "distance    where dF/dD vanishes first\n"
        "alpha_c     capacity",
    .version = 1,
    BPERC_I_MEASURE_TABLE(alpha_u),
    .seconds = 1,
    .run = run_alpha_u_task,
};

/* ---- loss of concavity */

#define FOLD_ROWS(X)                                                           \
  X(CHOICE, weights, 0, 0, "01|integer|ising",                                 \
    "values of a weight: 01 or ising")                                         \
  X(REAL, a, 40, 40, 1e-6, 1e9, "threshold parameter A")                       \
  X(REAL, fin, 0.5, 0.5, 1e-6, 1, "probability of an input to be 1 [f_in]")    \
  X(REAL, y, 0, 0, 0, 1e5, "copies per reference; 0 stands for infinity")      \
  X(CHOICE, references, 0, 0, "1rsb|rs", "how references are arranged")        \
  X(REAL, tolerance, 5e-4, 5e-4, 1e-6, 0.05, "half width of the bracket")      \
  X(REAL, smallest, 3e-4, 3e-4, 1e-6, 0.1,                                     \
    "follow the densest region to this distance")
BPERC_I_MEASURE_OPTIONS(fold, FOLD_ROWS);

static bperc_status run_fold(const bperc_inputs *in, bperc_record *out,
                             bperc_error *error) {
  const fold_options *o = in->own;
  bperc_theory_model model = {.weights = (bperc_theory_weights)o->weights,
                              .a = o->a,
                              .fin = o->fin,
                              .y = o->y,
                              .references =
                                  (bperc_theory_references)o->references};
  bperc_theory_fold fold;
  bperc_status status =
      bperc_theory_concavity(&model, o->tolerance, o->smallest, &fold, error);
  if (status != BPERC_OK)
    return status;
  bperc_record_scalar(out, "alpha", fold.alpha);
  bperc_record_scalar(out, "from", fold.from);
  bperc_record_scalar(out, "to", fold.to);
  bperc_record_scalar(out, "alpha_c", fold.alpha_c);
  return BPERC_OK;
}

static double fold_cost(const bperc_inputs *in) {
  const fold_options *o = in->own;
  return o->y > 0 && o->references == 0 ? 100 : 4;
}

const bperc_measurement bperc_i_measure_theory_concavity = {
    .name = "theory_concavity",
    .summary = "the load above which the local entropy of the densest region "
               "is not concave",
    .results = "alpha    least load at which dF/dD rises with D\n"
               "from, to distances that a solver stepping in dF/dD cannot "
               "reach there\n"
               "alpha_c  capacity",
    .version = 1,
    BPERC_I_MEASURE_TABLE(fold),
    .cost = fold_cost,
    .run = run_fold,
};
