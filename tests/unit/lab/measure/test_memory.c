/* A lack of memory is never taken for a result: whichever allocation of a task
 * fails, the outcome is "out of memory" or what it would have been anyway. */
#include "check.h"

#include "base/alloc.h"
#include "bperc/lab/plan.h"
#include "lab/run/work.h"

#include <string.h>

#define SMALL "n = 16\na = 12\nalpha = 0.3\nfin = 0.5\n"

static const char *const plans[] = {
    "capacity\nn = 30\n",
    "clusters\n" SMALL,
    "dynamics\nn = 40\nbins = 3\n",
    "geometry\norder = exact\n" SMALL,
    "hidden\nn = 40\nsteps = 5\n",
    "map\ncandidates = 2\n" SMALL,
    "polarisation\nn = 40\nbins = 3\n",
    "solving\nn = 40\n",
    "stability\nn = 40\n",
    "theory_capacity\n",
    "toy\n",
    "xcorr\nn = 20\n",
};

static bperc_i_outcome run_with(const bperc_i_run_work *work, long k) {
  bperc_i_outcome o;
  bperc_i_alloc_fail_after(k);
  bperc_i_job_run(work, 0, &o);
  bperc_i_alloc_fail_after(-1);
  return o;
}

static void try_plan(const char *keys) {
  char text[400];
  bperc_experiment *x = NULL;
  bperc_i_run_work work;
  bperc_error error = {BPERC_OK, ""};
  snprintf(text, sizeof text, "[block b]\nmeasurement = %s", keys);
  if (bperc_experiment_parse("p", text, strlen(text), &x, &error) ||
      bperc_i_work_gather((const bperc_experiment *const *)&x, 1,
                          BPERC_SCALE_QUICK, 1, &work, &error))
    fail_msg("%s: %s", text, error.text);
  bperc_i_outcome whole = run_with(&work, 1000000000);
  long count = bperc_i_alloc_count();
  for (long k = 0; k < count; k += 1 + k / 40) {
    bperc_i_outcome o = run_with(&work, k);
    int same = o.status == whole.status && o.size == whole.size &&
               (!o.size || !memcmp(o.bytes, whole.bytes, o.size));
    if (o.status != BPERC_E_MEMORY && !same)
      fail_msg("%sallocation %ld of %ld fails: %s, %s", keys, k, count,
               bperc_status_name(o.status), o.message);
    bperc_i_outcome_clear(&o);
  }
  bperc_i_outcome_clear(&whole);
  bperc_i_work_clear(&work);
  bperc_experiment_free(x);
}

static void no_memory_is_no_result(void **state) {
  (void)state;
  for (size_t p = 0; p < sizeof plans / sizeof *plans; p++)
    try_plan(plans[p]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_memory_is_no_result),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
