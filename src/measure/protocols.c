/* protocols: one problem decimated by belief propagation as printed for N =
 * 480, once more with other random starts, as printed for large N, and by the
 * fast protocol. Do the orders and the values agree [BZ appendix B]? */
#include "measure/measurements.h"

#include "base/alloc.h"
#include "measure/decimated.h"
#include "measure/problem.h"

#include <math.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(REAL, early, 0.5, 0.5, 0, 1, "share of the order that counts as early")
BPERC_I_MEASURE_OPTIONS(protocols, ROWS);

/* Place in the order of every weight, 0 .. n - 1; n when it is not
 * fixed. */
static void places(const bperc_order *o, uint32_t *place, uint8_t *value) {
  for (size_t i = 0; i < o->n; i++)
    place[i] = (uint32_t)o->n;
  for (size_t k = 0; k < o->fixed; k++) {
    place[o->weight[k]] = (uint32_t)k;
    value[o->weight[k]] = o->value[k];
  }
}

typedef struct {
  double rank;   /* correlation of the places */
  double differ; /* share of the weights with other values */
  double early;  /* the same of weights that the first one fixes early */
} likeness;

/* Over the weights that both have fixed. */
static likeness compare(const bperc_order *a, const bperc_order *b,
                        double early, uint32_t *place, uint8_t *value) {
  double count = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  double differ = 0, first = 0, first_differ = 0;
  places(b, place, value);
  for (size_t k = 0; k < a->fixed; k++) {
    size_t i = a->weight[k];
    double u = (double)k, v = (double)place[i];
    int other = value[i] != a->value[k], is_early = u < early * (double)a->n;
    if (place[i] == a->n)
      continue;
    count++;
    x += u, y += v, xx += u * u, yy += v * v, xy += u * v;
    differ += other;
    first += is_early;
    first_differ += is_early && other;
  }
  return (likeness){(count * xy - x * y) /
                        sqrt((count * xx - x * x) * (count * yy - y * y)),
                    differ / count, first > 0 ? first_differ / first : NAN};
}

enum { PRINTED, REPEATED, LARGE, FAST, KINDS };

static bperc_status decimate(const bperc_inputs *in,
                             const bperc_instance *problem, int kind,
                             bperc_order *out, bperc_error *error) {
  static const int64_t protocol[] = {BPERC_BPD_PAPER, BPERC_BPD_PAPER,
                                     BPERC_BPD_LARGE, BPERC_BPD_FAST};
  bperc_bpd_options options = *(const bperc_bpd_options *)in->groups[0];
  options.protocol = protocol[kind];
  return bperc_i_order_bpd(problem, &options,
                           bperc_i_problem_seed(in, 1 + (kind == REPEATED)),
                           NULL, out, error);
}

static void record(const likeness *x, const bperc_order *order,
                   const char *const names[5], bperc_record *out) {
  bperc_record_scalar(out, names[0], x->rank);
  bperc_record_scalar(out, names[1], x->differ);
  bperc_record_scalar(out, names[2], x->early);
  bperc_record_scalar(out, names[3], order->outcome == BPERC_SOLVED);
  bperc_record_scalar(out, names[4], (double)order->unconverged);
}

static bperc_status measure(const bperc_inputs *in,
                            const bperc_instance *problem, bperc_record *out,
                            bperc_error *error) {
  static const char *const names[KINDS][5] = {
      {"", "", "", "printed_solved", "printed_unconverged"},
      {"repeated_rank", "repeated_differ", "repeated_early", "repeated_solved",
       "repeated_unconverged"},
      {"large_rank", "large_differ", "large_early", "large_solved",
       "large_unconverged"},
      {"fast_rank", "fast_differ", "fast_early", "fast_solved",
       "fast_unconverged"}};
  const protocols_options *o = in->own;
  bperc_order order[KINDS] = {{0}};
  uint32_t *place = bperc_i_calloc(problem->n, sizeof *place);
  uint8_t *value = bperc_i_calloc(problem->n, sizeof *value);
  bperc_status status = BPERC_OK;
  if (!place || !value)
    status = bperc_error_set(error, BPERC_E_MEMORY, "no memory for orders");
  for (int k = 0; k < KINDS && status == BPERC_OK; k++) {
    status = decimate(in, problem, k, &order[k], error);
    if (status == BPERC_OK && k != PRINTED) {
      likeness x = compare(&order[PRINTED], &order[k], o->early, place, value);
      record(&x, &order[k], names[k], out);
    } else if (status == BPERC_OK) {
      bperc_record_scalar(out, names[k][3], order[k].outcome == BPERC_SOLVED);
      bperc_record_scalar(out, names[k][4], (double)order[k].unconverged);
    }
  }
  for (int k = 0; k < KINDS; k++)
    bperc_order_clear(&order[k]);
  bperc_i_free(place);
  bperc_i_free(value);
  return status;
}

BPERC_I_PROBLEM_RUN(protocols_options, measure)

static double cost(const bperc_inputs *in) {
  const protocols_options *o = in->own;
  double n = (double)o->n / 480;
  return 20 * o->fin * n * n * n;
}

const bperc_measurement bperc_i_measure_protocols = {
    .name = "protocols",
    .summary = "orders and values of BPD by its protocols",
    .results =
        "printed_solved       BPD as printed for N = 480 ended at a solution\n"
        "printed_unconverged  steps of it without convergence\n"
        "repeated_*           the same with other random starts, against it\n"
        "large_*              as printed for large N, against it\n"
        "fast_*               protocol fast, against it\n"
        "*_rank               rank correlation of the two orders\n"
        "*_differ             share of the weights with another value\n"
        "*_early              the same of weights that come early in the\n"
        "                     printed order\n"
        "*_solved, *_unconverged  as above",
    .version = 1,
    BPERC_I_MEASURE_TABLE(protocols),
    .groups = {{"bpd", NULL, 0, NULL}},
    BPERC_I_PROBLEM_NAMED,
    .cost = cost,
    .run = run,
};
