/* The rules of judges keep their error rates: verdicts on made-up results of a
 * known truth are counted. `null_rates` of tests/tools prints the same with
 * more draws.
 */
#include "check.h"

#include "../../../tools/null_rates.h"

#include <gsl/gsl_cdf.h>
#include <string.h>

enum { DRAWS = 40 };

typedef struct {
  null_rate sum;
  size_t rows;
} totals;

/* A count that one and a half times the rate gives once in a million. */
static void check(const char *what, const null_rate *r, size_t count) {
  if (count && gsl_cdf_binomial_Q((unsigned)count - 1, 1.5 * r->rate,
                                  (unsigned)r->draws) < 1e-6)
    fail_msg("%s, %s data: %zu of %zu %s", r->rule, r->data, count, r->draws,
             what);
}

static void finish(const totals *t) {
  check("hold", &t->sum, t->sum.holds);
  check("fail", &t->sum, t->sum.fails);
}

static void add(void *context, const null_rate *row) {
  totals *t = context;
  check("hold", row, row->holds);
  check("fail", row, row->fails);
  if (!t->rows || strcmp(t->sum.rule, row->rule) ||
      strcmp(t->sum.data, row->data)) {
    if (t->rows)
      finish(t);
    t->sum = *row;
  } else {
    t->sum.draws += row->draws;
    t->sum.holds += row->holds;
    t->sum.fails += row->fails;
  }
  t->rows++;
}

static void count_wrong(const null_options *o, size_t rows) {
  totals t = {0};
  bperc_error error;
  if (count_null_rates(o, add, &t, &error))
    fail_msg("%s", error.text);
  finish(&t);
  assert_true(t.rows > rows);
}

static void rates_are_kept(void **state) {
  (void)state;
  count_wrong(&(null_options){.draws = DRAWS, .seed = 7}, 500);
}

/* The same when one stops at the first of three looks that is clear. */
static void rates_are_kept_by_repeated_looks(void **state) {
  (void)state;
  count_wrong(&(null_options){.draws = 4, .seed = 8, .looks = 3}, 150);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_are_kept),
      cmocka_unit_test(rates_are_kept_by_repeated_looks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
