/* Decimation and reinforced belief propagation: solutions, records, the
 * inflection rule. */
#include "check.h"

#include "base/alloc.h"
#include "bperc/bp.h"
#include "bperc/bpd.h"
#include "bperc/ensemble.h"
#include "bperc/rbp.h"
#include "solver/decimate.h"

#include <string.h>

static bperc_instance *draw(size_t n, double alpha, double fin, uint64_t seed) {
  bperc_instance *in;
  assert_int_equal(
      bperc_ensemble_draw(&(bperc_ensemble){.n = n,
                                            .m = (size_t)(alpha * (double)n),
                                            .fin = fin,
                                            .model = {.a = 24, .ties = 0}},
                          seed, &in, NULL),
      BPERC_OK);
  return in;
}

static bperc_progress finish(bperc_solver *s) {
  bperc_progress progress;
  while ((progress = bperc_solver_step(s)) == BPERC_RUNNING)
    ;
  return progress;
}

/* Every protocol decimates to a solution that the verifier accepts, and tells
 * about each step. */
static void bpd_solves(void **state) {
  bperc_instance *in = draw(144, 0.15, 0.3, 5);
  (void)state;
  for (int protocol = 0; protocol < 3; protocol++) {
    bperc_bpd_options opt;
    bperc_solver *s;
    bperc_view view;
    size_t count;
    const bperc_bpd_record *records;
    const bperc_order *order;
    bperc_options_default(bperc_bpd_class.options(), &opt);
    opt.protocol = protocol;
    opt.entropy = 1;
    opt.damping = protocol ? 0.06 : 0;
    assert_int_equal(
        bperc_solver_new(&bperc_bpd_class, in, &opt,
                         &(bperc_run_options){.seed = 3, .threads = 1}, &s,
                         NULL),
        BPERC_OK);
    assert_int_equal(finish(s), BPERC_SOLVED);
    bperc_solver_view(s, &view);
    assert_int_equal(view.step, in->n);
    assert_int_equal(bperc_verify(in, view.weights, NULL).errors, 0);
    records = bperc_bpd_records(bperc_bpd_of(s), &count);
    order = bperc_bpd_order(bperc_bpd_of(s));
    assert_int_equal(count, in->n);
    assert_int_equal(order->fixed, in->n);
    assert_int_equal(order->outcome, BPERC_SOLVED);
    for (size_t k = 0; k < count; k++) {
      assert_true(records[k].iterations > 0 ||
                  records[k].method == BPERC_BPD_SAME);
      assert_int_equal(order->value[k],
                       bperc_bit_get(view.weights, order->weight[k]));
      assert_int_equal(order->value[k], records[k].p >= 0.5);
    }
    /* the last weight has one value at least: log Z >= 0, near it */
    assert_true(order->log_count[count - 1] > -1e-3);
    assert_close(order->log_count[count], 0, 0);
    bperc_solver_free(s);
  }
  bperc_instance_free(in);
}

static void rbp_solves(void **state) {
  bperc_instance *in = draw(144, 0.15, 0.3, 5);
  (void)state;
  for (int rule = 0; rule < 3; rule++) {
    bperc_rbp_options opt;
    bperc_solver *s;
    bperc_view view;
    bperc_options_default(bperc_rbp_class.options(), &opt);
    opt.draw = rule;
    opt.gamma = 0.93;
    assert_int_equal(
        bperc_solver_new(&bperc_rbp_class, in, &opt,
                         &(bperc_run_options){.seed = 3, .threads = 1}, &s,
                         NULL),
        BPERC_OK);
    assert_int_equal(finish(s), BPERC_SOLVED);
    bperc_solver_view(s, &view);
    assert_int_equal(bperc_verify(in, view.weights, NULL).errors, 0);
    bperc_solver_free(s);
  }
  bperc_instance_free(in);
}

/* A contradiction ends the run with that outcome. */
static void contradiction(void **state) {
  bperc_instance *in;
  bperc_solutions *none;
  bperc_order order;
  bperc_solver *s;
  (void)state;
  bperc_instance_new(12, 2, &(bperc_model){.a = 6}, &in, NULL);
  in->patterns[0] = in->patterns[1] = 0x3f;
  in->labels[0] = 1;
  bperc_instance_update_bounds(in);
  assert_int_equal(
      bperc_solver_new(&bperc_bpd_class, in, NULL,
                       &(bperc_run_options){.seed = 1, .threads = 1}, &s, NULL),
      BPERC_OK);
  assert_int_equal(finish(s), BPERC_CONTRADICTION);
  assert_int_equal(bperc_bpd_order(bperc_bpd_of(s))->outcome,
                   BPERC_CONTRADICTION);
  assert_true(isnan(bperc_bpd_order(bperc_bpd_of(s))
                        ->log_count[bperc_bpd_order(bperc_bpd_of(s))->fixed]));
  bperc_solver_free(s);
  assert_int_equal(bperc_exact_list(in, NULL,
                                    &(bperc_space_options){.threads = 1}, &none,
                                    NULL),
                   BPERC_OK);
  assert_int_equal(bperc_decimate_exactly(in, none, NULL, &order, NULL),
                   BPERC_OK);
  assert_int_equal(order.fixed, 0);
  assert_int_equal(order.outcome, BPERC_CONTRADICTION);
  assert_true(isnan(order.log_count[0]));
  bperc_order_clear(&order);
  bperc_solutions_free(none);
  bperc_instance_free(in);
}

/* ---- the loop, on a source that says what it is told */

typedef struct {
  double field[6];
  size_t asked;
} told;

static bperc_status say(void *state, double *field, double *log_count,
                        bperc_progress *outcome) {
  told *t = state;
  t->asked++;
  memcpy(field, t->field, sizeof t->field);
  *log_count = 1.5;
  *outcome = BPERC_RUNNING;
  return BPERC_OK;
}

static bperc_status hear(void *state, size_t weight, int value,
                         bperc_progress *outcome) {
  told *t = state;
  assert_int_equal(value, t->field[weight] >= 0);
  *outcome = BPERC_RUNNING;
  return BPERC_OK;
}

/* Fields closer than `near` go by index, infinite ones first; the outcome
 * stands when nothing but NaN is left. */
static void loop_takes_the_most_polarised(void **state) {
  told t = {{-0.2, 3 - 1e-10, -3, INFINITY, -INFINITY, 0}, 0};
  const bperc_i_marginals source = {
      .state = &t, .near = 1e-9, .marginals = say, .fix = hear};
  const uint32_t order[] = {3, 4, 1, 2, 0, 5};
  const uint8_t values[] = {1, 0, 1, 0, 0, 1};
  const bperc_order *found;
  bperc_progress outcome = BPERC_RUNNING;
  bperc_i_decimation *d;
  bperc_instance *in;
  (void)state;
  bperc_instance_new(6, 1, &(bperc_model){.a = 2}, &in, NULL);
  in->patterns[0] = 0x2a; /* 1, 3, 5: at most 3 of them, always so */
  assert_int_equal(bperc_i_decimation_new(in, source, &d), BPERC_OK);
  while (outcome == BPERC_RUNNING)
    assert_int_equal(bperc_i_decimation_step(d, &outcome), BPERC_OK);
  assert_int_equal(outcome, BPERC_SOLVED);
  found = bperc_i_decimation_order(d);
  assert_int_equal(found->fixed, 6);
  assert_int_equal(found->outcome, BPERC_SOLVED);
  assert_int_equal(t.asked, 6);
  assert_memory_equal(found->weight, order, sizeof order);
  assert_memory_equal(found->value, values, sizeof values);
  assert_close(found->log_count[3], 1.5, 0);
  assert_close(found->log_count[6], 0, 0);
  bperc_i_decimation_free(d);
  for (int i = 0; i < 6; i++)
    t.field[i] = NAN;
  assert_int_equal(bperc_i_decimation_new(in, source, &d), BPERC_OK);
  assert_int_equal(bperc_i_decimation_step(d, &outcome), BPERC_OK);
  assert_int_equal(outcome, BPERC_DIVERGED);
  bperc_i_decimation_free(d);
  bperc_instance_free(in);
}

/* By the definition, on the list: the weight with the smallest min(n_1, n_0) is
 * fixed at its likelier value. Every allocation may fail. */
static void exact_decimation_to_its_end(void **state) {
  bperc_instance *in;
  bperc_solutions *all;
  bperc_order order = {0};
  uint64_t ones[14], left;
  bperc_status status = BPERC_E_MEMORY;
  (void)state;
  bperc_ensemble_draw(
      &(bperc_ensemble){.n = 14, .m = 4, .fin = 0.4, .model = {.a = 5.5}}, 2,
      &in, NULL);
  assert_int_equal(bperc_exact_list(in, NULL,
                                    &(bperc_space_options){.threads = 1}, &all,
                                    NULL),
                   BPERC_OK);
  for (long k = 0; k < 1000 && status != BPERC_OK; k++) {
    bperc_order_clear(&order);
    bperc_i_alloc_fail_after(k);
    status = bperc_decimate_exactly(in, all, NULL, &order, NULL);
    bperc_i_alloc_fail_after(-1);
    assert_true(status == BPERC_OK || status == BPERC_E_MEMORY);
  }
  assert_int_equal(status, BPERC_OK);
  assert_int_equal(order.fixed, 14);
  assert_int_equal(order.outcome, BPERC_SOLVED);
  for (size_t k = 0, fixed = 0; k < 14; k++) {
    size_t best = 14;
    uint64_t least = UINT64_MAX, one = 0;
    memset(ones, 0, sizeof ones);
    left = 0;
    for (size_t s = 0; s < all->count; s++) {
      uint64_t agrees = 1;
      for (size_t j = 0; j < k; j++)
        agrees &= (all->bits[s] >> order.weight[j] & 1) == order.value[j];
      left += agrees;
      for (size_t i = 0; i < 14; i++)
        ones[i] += agrees & all->bits[s] >> i;
    }
    assert_close(order.log_count[k], log((double)left), 0);
    for (size_t i = 0; i < 14; i++) {
      uint64_t fewer = ones[i] < left - ones[i] ? ones[i] : left - ones[i];
      if (!(fixed >> i & 1) && fewer < least) {
        least = fewer;
        best = i;
        one = 2 * ones[i] >= left;
      }
    }
    assert_int_equal(order.weight[k], best);
    assert_int_equal(order.value[k], one);
    fixed |= (size_t)1 << best;
  }
  bperc_order_clear(&order);
  bperc_solutions_free(all);
  bperc_instance_free(in);
}

/* ---- the inflection rule, on curves with a known answer */

static void inflection_is_found(void **state) {
  double f[60];
  size_t t0;
  (void)state;
  for (int t = 0; t < 60; t++) /* decreasing, slowest at t = 31 */
    f[t] = 0.4 - 1e-5 * pow(t - 31, 3) - 1e-4 * (t - 31);
  assert_int_equal(bperc_bp_inflection(f, 60, &t0), BPERC_BP_INFLECTION);
  assert_in_range(t0, 31, 33); /* differences look two steps back */
  for (int t = 0; t < 60; t++)
    f[t] += 5; /* not reasonable any more */
  assert_int_equal(bperc_bp_inflection(f, 60, &t0), BPERC_BP_FLATTEST);
  for (int t = 0; t < 60; t++) /* decreasing without inflection */
    f[t] = exp(-0.1 * t);
  assert_int_equal(bperc_bp_inflection(f, 60, &t0), BPERC_BP_FLATTEST);
  assert_int_equal(t0, 57);
  assert_int_equal(bperc_bp_inflection(f, 5, &t0), BPERC_BP_TOO_SHORT);
  assert_int_equal(t0, 4);
}

/* Of two inflections the one with the smaller change around it is taken, and a
 * zigzag of period two does not disturb. */
static void flattest_inflection_wins(void **state) {
  double f[120];
  size_t t0;
  (void)state;
  for (int t = 0; t < 120; t++) {
    double slope = 0.0011 + 0.001 * cos(t * M_PI / 30) + 1e-5 * t;
    f[t] = (t ? f[t - 1] : 0.6) - slope;
  }
  for (int t = 0; t < 120; t++)
    f[t] += t % 2 ? 1e-4 : 0;
  assert_int_equal(bperc_bp_inflection(f, 120, &t0), BPERC_BP_INFLECTION);
  assert_in_range(t0, 27, 34); /* cos is least at 30 and 90 */
}

static void no_memory(void **state) {
  bperc_instance *in = draw(60, 0.1, 0.3, 5);
  bperc_solver *s;
  (void)state;
  for (int which = 0; which < 2; which++) {
    const bperc_solver_class *class =
        which ? &bperc_bpd_class : &bperc_rbp_class;
    for (long k = 0;; k++) {
      bperc_i_alloc_fail_after(k);
      if (bperc_solver_new(class, in, NULL,
                           &(bperc_run_options){.seed = 1, .threads = 1}, &s,
                           NULL) == BPERC_OK)
        break;
      assert_null(s);
    }
    bperc_i_alloc_fail_after(-1);
    bperc_solver_free(s);
  }
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bpd_solves),
      cmocka_unit_test(rbp_solves),
      cmocka_unit_test(contradiction),
      cmocka_unit_test(loop_takes_the_most_polarised),
      cmocka_unit_test(exact_decimation_to_its_end),
      cmocka_unit_test(inflection_is_found),
      cmocka_unit_test(flattest_inflection_wins),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
