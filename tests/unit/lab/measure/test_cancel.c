/* Every measurement is left soon after a cancel, at whatever poll it comes.
 *
 * Polls are the clock: a task is cancelled at its k-th poll and has a few more
 * at most before it returns. The plans are tasks of minutes or hours, so that
 * one that does not poll, or does not listen, is noticed on any machine. */
#include "check.h"

#include "base/cancel.h"
#include "bperc/lab/plan.h"
#include "lab/run/work.h"

#include <string.h>

enum { FEW = 12 }; /* loops within loops, each of which looks again */

static const struct {
  const char *measurement, *keys;
} plans[] = {
    {"capacity", "n = 1000\n"},
    {"bethe", "n = 300\nfin = 0.5\nbp.tolerance = 1e-300\nbp.max_iterations = "
              "1000000000\n"},
    {"capacity", "n = 1000\nsolver = rbp\n"},
    {"clusters", "n = 27\nalpha = 0.04\nfin = 0.5\na = 2\nmost = 100000000\n"},
    {"coupled", "n = 30\nfin = 0.3\n"},
    {"dynamics", "n = 3000\nalpha = 0.25\nfin = 0.5\nbpd.damping = 0.002\n"},
    {"edge", "n = 2000\nlow = 0.9\nhigh = 1.1\n"},
    {"generalisation", "n = 2000\nalpha = 1\n"},
    {"geometry", "n = 27\nalpha = 0.04\nfin = 0.5\na = 2\norder = exact\n"
                 "most = 100000000\n"},
    {"hidden", "n = 2000\n"},
    {"late", "n = 2000\n"},
    {"map", "candidates = 100000\nn = 25\na = 12\nalpha = 0.3\n"},
    {"polarisation", "n = 3000\nalpha = 0.25\nfin = 0.5\n"},
    {"protocols", "n = 1000\n"},
    {"retrieval", "n = 2000\nalpha = 1\n"},
    {"solving", "n = 2000\nalpha = 1\n"},
    {"solving", "n = 2000\nalpha = 1\nsolver = bpd\n"},
    {"stability", "n = 2000\nalpha = 1\n"},
    {"theory_concavity", "tolerance = 1e-6\nfin = 0.5\n"},
    {"theory_alpha_u", "tolerance = 1e-6\nfin = 0.5\n"},
    {"theory_local", "around = dense\npoints = 1000\nlow = 0.001\n"
                     "high = 0.03\n"},
    {"theory_local", "around = typical\npoints = 1000\nlow = 0.001\n"
                     "high = 0.03\n"},
    {"toy", "work = 1000000000000\n"},
    {"toy", "hold = yes\n"},
    {"unconverged", "n = 200\ntries = 100000\nbpd.protocol = paper\n"},
    {"uniform", "n = 27\nalpha = 0.04\nfin = 0.5\na = 2\n"
                "most = 100000000\n"},
    {"walking", "sweeps = 1000000000\n"},
    {"xcorr", "n = 400\nevery = 1\n"},
};
enum { PLANS = sizeof plans / sizeof *plans };

/* The only task of a plan with one block. */
static bperc_experiment *gather(const char *measurement, const char *keys,
                                bperc_i_run_work *work) {
  char text[1000];
  bperc_experiment *x = NULL;
  bperc_error error = {BPERC_OK, ""};
  snprintf(text, sizeof text, "[block b]\nmeasurement = %s\n%s", measurement,
           keys);
  if (bperc_experiment_parse("p", text, strlen(text), &x, &error) ||
      bperc_i_work_gather((const bperc_experiment *const *)&x, 1,
                          BPERC_SCALE_QUICK, 1, work, &error))
    fail_msg("%s: %s", text, error.text);
  assert_int_equal(work->count, 1);
  return x;
}

static void cancel_at(const bperc_i_run_work *work, const char *name, long k) {
  bperc_i_outcome o;
  bperc_i_cancel_after(k);
  bperc_i_job_run(work, 0, &o);
  long polls = bperc_i_cancel_polls();
  bperc_i_cancel_after(-1);
  bperc_i_cancel_reset();
  if (o.status != BPERC_E_INTERRUPTED || o.bytes)
    fail_msg("%s cancelled at poll %ld: %s after %ld polls", name, k,
             bperc_status_name(o.status), polls);
  if (polls > k + 1 + FEW)
    fail_msg("%s cancelled at poll %ld looked %ld times more", name, k,
             polls - k - 1);
  bperc_i_outcome_clear(&o);
}

static void long_tasks_are_left_at_once(void **state) {
  const long moments[] = {0, 2, 9, 24};
  (void)state;
  for (size_t p = 0; p < PLANS; p++) {
    bperc_i_run_work work;
    bperc_experiment *x = gather(plans[p].measurement, plans[p].keys, &work);
    for (size_t m = 0; m < sizeof moments / sizeof *moments; m++)
      cancel_at(&work, plans[p].measurement, moments[m]);
    bperc_i_work_clear(&work);
    bperc_experiment_free(x);
  }
}

/* Those that take milliseconds whatever they are asked. */
static int is_short(const char *name) {
  return !strcmp(name, "theory_capacity") || !strcmp(name, "theory_optimum") ||
         !strcmp(name, "theory_typical");
}

static void no_measurement_is_forgotten(void **state) {
  (void)state;
  for (size_t k = 0; bperc_measurements()[k]; k++) {
    const char *name = bperc_measurements()[k]->name;
    size_t p = 0;
    while (p < PLANS && strcmp(plans[p].measurement, name))
      p++;
    if (p == PLANS && !is_short(name))
      fail_msg("%s has no plan here", name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(long_tasks_are_left_at_once),
      cmocka_unit_test(no_measurement_is_forgotten),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
