/* protocols: one problem decimated by belief propagation as printed for N =
 * 480, once more with other random starts, as printed for large N, and by the
 * fast protocol. Do the orders and the values agree [BZ appendix B]? */
#include "lab/measure/measurements.h"

#include "lab/base/memory.h"
#include "lab/measure/decimated.h"
#include "lab/measure/problem.h"

#include <math.h>
#include <stdio.h>

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
static likeness compare_orders(const bperc_order *a, const bperc_order *b,
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

static bperc_status decimate_by_protocol(bperc_i_probe *t, int kind,
                                         bperc_order *out) {
  static const int64_t protocol[] = {BPERC_BPD_PAPER, BPERC_BPD_PAPER,
                                     BPERC_BPD_LARGE, BPERC_BPD_FAST};
  bperc_bpd_options options = *(const bperc_bpd_options *)t->in->groups[0];
  options.protocol = protocol[kind];
  return bperc_i_order_bpd(t->problem, &options,
                           bperc_i_probe_seed(t, 1 + (kind == REPEATED)), NULL,
                           out, t->error);
}

static void put_protocol_value(bperc_i_probe *t, int kind, const char *what,
                               double value) {
  static const char *const names[] = {"printed", "repeated", "large", "fast"};
  char name[40];
  snprintf(name, sizeof name, "%s_%s", names[kind], what);
  bperc_i_put(t, name, value);
}

static bperc_status compare_all(bperc_i_probe *t, bperc_order order[KINDS],
                                uint32_t *place, uint8_t *value) {
  const protocols_options *o = t->in->own;
  bperc_status status = BPERC_OK;
  for (int k = 0; k < KINDS && status == BPERC_OK; k++) {
    status = decimate_by_protocol(t, k, &order[k]);
    if (status == BPERC_OK && k != PRINTED) {
      likeness x =
          compare_orders(&order[PRINTED], &order[k], o->early, place, value);
      put_protocol_value(t, k, "rank", x.rank);
      put_protocol_value(t, k, "differ", x.differ);
      put_protocol_value(t, k, "early", x.early);
    }
    put_protocol_value(t, k, "solved", order[k].outcome == BPERC_SOLVED);
    put_protocol_value(t, k, "unconverged", (double)order[k].unconverged);
  }
  return status;
}

static bperc_status measure_protocols(bperc_i_probe *t) {
  bperc_order order[KINDS] = {{0}};
  uint32_t *place = bperc_calloc(t->problem->n, sizeof *place);
  uint8_t *value = bperc_calloc(t->problem->n, sizeof *value);
  bperc_status status =
      place && value
          ? compare_all(t, order, place, value)
          : bperc_error_set(t->error, BPERC_E_MEMORY, "no memory for orders");
  for (int k = 0; k < KINDS; k++)
    bperc_order_clear(&order[k]);
  bperc_free(place);
  bperc_free(value);
  return status;
}

BPERC_I_PROBLEM_RUN(protocols, measure_protocols)

static double cost_protocols(const bperc_inputs *in) {
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
    .cost = cost_protocols,
    .run = run_protocols_task,
};
