/* retrieval: how often does a stored pattern still give its output when noise
 * is added to its sum, or when its inputs change [BZ fig. 1b, supplement 1]? */
#include "lab/measure/measurements.h"

#include "bperc/run.h"
#include "lab/base/memory.h"
#include "lab/measure/problem.h"

#include <math.h>
#include <string.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(CHOICE, solver, 0, 0, BPERC_I_BITS_CHOICES, "who solves")                  \
  X(CHOICE, kind, 0, 0, "sum|flip|redraw",                                     \
    "noise is added to the sum, inputs flip, or are drawn again")              \
  X(CHOICE, unit, 0, 0, "threshold|root",                                      \
    "of noise on the sum: the threshold, or sqrt(N)")                          \
  X(REAL, noise, 0.1, 0.1, 0, 1e9,                                             \
    "standard deviation on the sum, or probability of an input")               \
  X(INT, samples, 20, 20, 1, 1e6, "of changed inputs, for each pattern")
BPERC_I_MEASURE_OPTIONS(retrieval, ROWS);

enum { SUM, FLIP, REDRAW };
enum { THRESHOLD, ROOT };

/* ---- noise on the sum: no sampling */

static double right_sum(const bperc_instance *in, size_t mu, int64_t sum,
                        double deviation) {
  double margin = (in->labels[mu] ? 1 : -1) * ((double)sum - in->theta);
  if (deviation == 0)
    return margin > 0 || (margin == 0 && !in->labels[mu]);
  return erfc(-margin / deviation / sqrt(2)) / 2;
}

/* ---- changed inputs */

/* One pattern that is changed again and again. */
typedef struct {
  const retrieval_options *o;
  bperc_instance *one;
  uint64_t *where, *fresh;
} changing;

static void change(changing *c, bperc_stream *s, const uint64_t *row) {
  const bperc_instance *in = c->one;
  bperc_stream_bernoulli(s, c->o->noise, c->where, in->n);
  if (c->o->kind == REDRAW)
    bperc_stream_bernoulli(s, c->o->fin, c->fresh, in->n);
  for (size_t k = 0; k < in->words; k++)
    in->patterns[k] = c->o->kind == REDRAW ? (row[k] & ~c->where[k]) |
                                                 (c->fresh[k] & c->where[k])
                                           : row[k] ^ c->where[k];
}

static double right_inputs(changing *c, const bperc_instance *in, size_t mu,
                           const uint64_t *weights, uint64_t seed) {
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_RETRIEVAL, mu);
  int64_t right = 0;
  for (int64_t k = 0; k < c->o->samples; k++) {
    int64_t sum;
    change(c, &s, bperc_instance_pattern(in, mu));
    bperc_instance_sums(c->one, weights, &sum);
    right += ((double)sum > in->theta) == in->labels[mu];
  }
  return (double)right / (double)c->o->samples;
}

/* ---- one solution */

static bperc_status retrieve(bperc_i_probe *t) {
  const retrieval_options *o = t->in->own;
  const bperc_instance *in = t->problem;
  uint64_t seed = bperc_i_probe_seed(t, 2);
  bperc_model model = bperc_instance_model(in);
  changing c = {.o = o};
  double unit = o->unit == ROOT ? sqrt((double)in->n) : fabs(in->theta);
  double right[2] = {0, 0}; /* sums over patterns of each label */
  int64_t *sums = bperc_alloc(in->m, sizeof *sums);
  bperc_status status = bperc_instance_new(in->n, 1, &model, &c.one, t->error);
  c.where = bperc_alloc(2 * in->words, sizeof *c.where);
  if (status == BPERC_OK && !(sums && c.where))
    status = BPERC_E_MEMORY;
  if (status == BPERC_OK) {
    c.fresh = c.where + in->words;
    bperc_instance_sums(in, t->weights, sums);
    for (size_t mu = 0; mu < in->m; mu++)
      right[in->labels[mu]] +=
          o->kind == SUM ? right_sum(in, mu, sums[mu], o->noise * unit)
                         : right_inputs(&c, in, mu, t->weights, seed);
    bperc_i_put(t, "right", (right[0] + right[1]) / (double)in->m);
  }
  bperc_free(sums);
  bperc_free(c.where);
  bperc_instance_free(c.one);
  return status;
}

BPERC_I_WEIGHTS_RUN(retrieval, retrieve)

static bperc_status check_retrieval(const bperc_inputs *in,
                                    bperc_error *error) {
  const retrieval_options *o = in->own;
  if (o->kind != SUM && o->noise > 1)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "noise = %g is no probability", o->noise);
  if (o->kind == SUM && o->unit == THRESHOLD && o->inputs && o->threshold == 0)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "the threshold is 0 and no unit of noise: take "
                           "unit = root");
  return BPERC_OK;
}

const bperc_measurement bperc_i_measure_retrieval = {
    .name = "retrieval",
    .summary = "stored patterns with the right output under noise",
    .results = "solved  1 or 0; the rest is of solved runs\n"
               "right   probability of the right output, mean over patterns",
    .version = 1,
    BPERC_I_MEASURE_TABLE(retrieval),
    .groups = {BPERC_I_BITS_GROUPS},
    .seeded_by = BPERC_I_PROBLEM_SEEDED,
    .check = check_retrieval,
    .seconds = 0.02,
    .others = 0.2,
    .size = 480,
    .power = 2,
    .run = run_retrieval_task,
};
