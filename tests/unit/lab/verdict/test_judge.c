/* Judges against data whose answer is known, formulas, conditions. */
#include "check.h"

#include "base/alloc.h"
#include "bperc/lab/run.h"
#include "bperc/lab/verdict.h"
#include "lab/table/expression.h"
#include "lab/table/filter.h"
#include "lab/verdict/statistic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double formula(const char *text, double a) {
  bperc_i_expression e;
  assert_null(bperc_i_expression_parse(text, &e));
  return bperc_i_expression_value(&e, &a);
}

static void formulas(void **state) {
  bperc_i_expression e;
  double v[2] = {3, 0.5};
  (void)state;
  assert_null(bperc_i_expression_parse("a*(1 - b)^2/3 - -sqrt(4)", &e));
  assert_int_equal(e.name_count, 2);
  assert_close(bperc_i_expression_value(&e, v), 3 * 0.25 / 3 + 2, 1e-15);
  assert_null(bperc_i_expression_parse("2 - 3 - 4", &e));
  assert_close(bperc_i_expression_value(&e, v), -5, 0);
  assert_close(formula("-a^2", 12), -144, 0);
  assert_close(formula("2^3^2", 0), 512, 0);
  assert_close(formula("2^-a", 3), 0.125, 0);
  assert_close(formula("-2^-a", 2), -0.25, 0);
  assert_close(formula("--a^2*2", 3), 18, 0);
  assert_close(formula("(-a)^2 - -a^2/3", 3), 12, 1e-15);
  assert_close(formula("-sqrt(4)^2", 0), -4, 0);
  assert_non_null(bperc_i_expression_parse("a +", &e));
  assert_non_null(bperc_i_expression_parse("(a", &e));
  assert_non_null(bperc_i_expression_parse("a b", &e));
}

/* out: with what was measured, to be cleared. */
static bperc_claim_verdict judge_toy(const char *measure, const char *test,
                                     bperc_claims *out) {
  bperc_experiment *x;
  bperc_judge *j = NULL;
  bperc_store *store;
  bperc_tables *t;
  bperc_error error;
  bperc_sweep_options o = {.seed = 3, .threads = 2};
  char plan[600], claims[400];
  snprintf(plan, sizeof plan, "[block c]\nmeasurement = toy\nwork = 0\n%s",
           measure);
  snprintf(claims, sizeof claims,
           "[claim T]\ntext = t\nexpected = e\ntest = %s\n", test);
  if (bperc_experiment_parse("p", plan, strlen(plan), &x, &error) ||
      bperc_judge_parse(x, "c", claims, strlen(claims), &j, &error))
    fail_msg("%s", error.text);
  bperc_store_open(":memory:", BPERC_STORE_WRITE, &store, NULL);
  bperc_sweep_run((const bperc_experiment *const *)&x, 1, store, &o, NULL,
                  NULL);
  assert_int_equal(
      bperc_judge_tables(x, store, BPERC_SCALE_QUICK, 3, &t, &error), BPERC_OK);
  assert_int_equal(bperc_judge_claims(j, t, out, &error), BPERC_OK);
  bperc_tables_free(t);
  bperc_store_close(store);
  bperc_judge_free(j);
  bperc_experiment_free(x);
  return out->claims[0].verdict;
}

static bperc_claim_verdict verdict(const char *measure, const char *test) {
  bperc_claims c;
  bperc_claim_verdict v = judge_toy(measure, test, &c);
  if (getenv("SHOW"))
    print_message("%s: %s\n", test, bperc_claim_measured(&c.claims[0]));
  bperc_claims_clear(&c);
  return v;
}

#define CLEAR "x = 0:6:1\ntop = 3\nnoise = 0.5\ninstances = 20\n"
#define NOISY "x = 0:6:1\ntop = 3\nnoise = 500\ninstances = 20\n"
#define EDGE "x = 0:6:1\ntop = 6\nnoise = 0.1\ninstances = 20\n"

/* y = -(x - 3)^2 falls most between 5 and 6, by 5, and rises most at the
 * start. */
static void steepest_fall(void **state) {
#define DERIVE(way)                                                            \
  "x = 0:6:1\ntop = 3\nnoise = 0\ninstances = 24\n"                            \
  "[derive d]\nfrom = c\nrule = steepest\nx = x\ny = y\ndirection = " way "\n"
  (void)state;
  assert_int_equal(verdict(DERIVE("down"), "near table=d y=x value=5.5 "
                                           "tolerance=1e-9"),
                   BPERC_HOLDS);
  assert_int_equal(verdict(DERIVE("down"), "near table=d y=y value=-5 "
                                           "tolerance=1e-9"),
                   BPERC_HOLDS);
  assert_int_equal(verdict(DERIVE("up"), "near table=d y=x value=0.5 "
                                         "tolerance=1e-9"),
                   BPERC_HOLDS);
}

static void trends(void **state) {
  (void)state;
  assert_int_equal(verdict(CLEAR, "trend table=c y=line x=x direction=up"),
                   BPERC_HOLDS);
  assert_int_equal(verdict(CLEAR, "trend table=c y=line x=x direction=down"),
                   BPERC_FAILS);
  assert_int_equal(verdict(NOISY, "trend table=c y=line x=x direction=up"),
                   BPERC_UNDECIDED);
  /* along a vector, one series per x; x = 0 has no slope */
  assert_int_equal(
      verdict(CLEAR, "trend table=c.along y=ramp x=k direction=up where=x>=2"),
      BPERC_HOLDS);
  assert_int_equal(
      verdict(CLEAR, "trend table=c.along y=ramp x=k direction=up"),
      BPERC_UNDECIDED);
  assert_int_equal(verdict(CLEAR, "trend table=c.along y=ramp x=x by= "
                                  "direction=up where=k>=1"),
                   BPERC_HOLDS);
}

static void extrema(void **state) {
  (void)state;
  assert_int_equal(verdict(CLEAR, "maximum table=c y=y x=x"), BPERC_HOLDS);
  assert_int_equal(verdict(CLEAR, "minimum table=c y=y x=x"), BPERC_FAILS);
  assert_int_equal(verdict(EDGE, "maximum table=c y=y x=x"), BPERC_FAILS);
  assert_int_equal(verdict(NOISY, "maximum table=c y=y x=x"), BPERC_UNDECIDED);
}

static void values(void **state) {
  (void)state;
  assert_int_equal(verdict(CLEAR, "near table=c y=y value=0 tolerance=1 "
                                  "where=x=3"),
                   BPERC_HOLDS);
  assert_int_equal(verdict(CLEAR, "near table=c y=y value=4 tolerance=1 "
                                  "where=x=3"),
                   BPERC_FAILS);
  assert_int_equal(verdict(NOISY, "near table=c y=y value=0 tolerance=1 "
                                  "where=x=3"),
                   BPERC_UNDECIDED);
  assert_int_equal(verdict(CLEAR, "below table=c y=y value=-2 where=x<=1"),
                   BPERC_HOLDS);
  assert_int_equal(verdict(CLEAR, "above table=c y=y value=-2 where=x<=1"),
                   BPERC_FAILS);
}

static void pairs(void **state) {
  (void)state;
  assert_int_equal(verdict(NOISY, "order low=c:y high=c:line"),
                   BPERC_UNDECIDED);
  assert_int_equal(verdict(CLEAR, "order low=c:y high=c:line where=x>=1"),
                   BPERC_HOLDS);
  assert_int_equal(verdict(CLEAR, "order high=c:y low=c:line where=x>=1"),
                   BPERC_FAILS);
  assert_int_equal(verdict(CLEAR, "overlap a=c:y b=c:y a_where=x=2 b_where=x=4 "
                                  "tolerance=1"),
                   BPERC_HOLDS);
  assert_int_equal(verdict(CLEAR, "overlap a=c:y b=c:y a_where=x=3 b_where=x=6 "
                                  "tolerance=1"),
                   BPERC_FAILS);
}

/* y = -(x - 3)^2: at 2 and 4 it is the same; 0 at 3, -4 at 1. */
static void pairs_within_a_share(void **state) {
#define SAME "overlap a=c:y b=c:y a_where=x=2 b_where=x=4 "
#define RISE "low=c:y high=c:y low_where=x=1 high_where=x=3"
  bperc_claims c;
  (void)state;
  assert_int_equal(verdict(CLEAR, SAME "share=0.5 " RISE), BPERC_HOLDS);
  assert_int_equal(verdict(CLEAR, "overlap a=c:y b=c:y a_where=x=1 b_where=x=3 "
                                  "share=0.5 " RISE),
                   BPERC_FAILS);
  assert_int_equal(verdict(NOISY, SAME "share=0.5 " RISE), BPERC_UNDECIDED);
  /* conditions on line (x with noise) leave x as a key: of low and high
   * together no x is left */
  judge_toy(CLEAR,
            "overlap a=c:y b=c:line share=0.5 low=c:y high=c:y "
            "low_where=line<2.5 high_where=line>2.5",
            &c);
  assert_non_null(c.claims[0].tests[0].not_measured);
  bperc_claims_clear(&c);
}

/* Theory against theory: compared as they are, one number each. */
static void pairs_without_randomness(void **state) {
  const char *plan = "x = 0\n[block t]\nmeasurement = theory_capacity\n"
                     "fin = 0.5\na = 10 20\n";
  (void)state;
  assert_int_equal(verdict(plan, "order low=t:overlap high=t:capacity"),
                   BPERC_HOLDS);
  assert_int_equal(verdict(plan, "order low=t:capacity high=t:overlap"),
                   BPERC_FAILS);
  assert_int_equal(verdict(plan, "overlap a=t:capacity b=t:overlap "
                                 "tolerance=0.9"),
                   BPERC_HOLDS);
}

static double product(const void *context, const double *means) {
  (void)context;
  return means[0] * means[1];
}

static double less(const void *context, const double *means) {
  (void)context;
  return means[1] - means[0];
}

/* Pseudo-values of a difference are the differences of the instances; those of
 * a product have its value as mean and its derivative as error. An instance
 * that a row lacks has nothing to say there. */
static void pseudo_values(void **state) {
  double a[4] = {1, 2, 4, 5}, b[4] = {2, 5, 3, 8}, mean = 0, square = 0;
  uint32_t who[5] = {0, 2, 3, 7, 9};
  bperc_i_table_cell x = {.n = 4, .values = a, .instances = who};
  bperc_i_table_cell y = {.n = 4, .values = b, .instances = who}, out;
  const bperc_i_table_cell *cells[2] = {&x, &y};
  (void)state;
  bperc_i_cell_finish(&x, 0);
  bperc_i_cell_finish(&y, 0);
  assert_int_equal(bperc_i_jackknife_cell(cells, 2, less, NULL, who, 4, &out),
                   1);
  for (int i = 0; i < 4; i++)
    assert_close(out.values[i], b[i] - a[i], 1e-12);
  assert_close(out.sem, bperc_i_difference(&x, &y, 0).sem, 1e-12);
  bperc_i_cell_clear(&out);
  assert_int_equal(
      bperc_i_jackknife_cell(cells, 2, product, NULL, who, 5, &out), 1);
  assert_close(out.mean, 3 * 4.5, 1e-12);
  for (int i = 0; i < 5; i++)
    mean += out.values[i] / 5;
  for (int i = 0; i < 4; i++) /* linearised: d(xy) = x dy + y dx */
    square += pow(3 * (b[i] - 4.5) + 4.5 * (a[i] - 3), 2) / 12;
  assert_close(mean, 13.5, 1e-12);
  assert_close(out.sem / sqrt(square), 1, 0.1);
  assert_close(out.values[4], 13.5, 1.5);
  bperc_i_cell_clear(&out);
}

/* 9 of 10 values above: probability 11/1024 of as many by chance. */
static void sign_test(void **state) {
  double v[10] = {1, 2, 3, 4, 5, 6, 7, 8, 900, -1};
  uint32_t who[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  bperc_i_table_cell c = {.n = 10, .values = v, .instances = who};
  (void)state;
  assert_close(bperc_i_sign_test(&c, 0).above, 11.0 / 1024, 1e-9);
  assert_close(bperc_i_sign_test(&c, 8.5).below, 11.0 / 1024, 1e-9);
  assert_close(bperc_i_sign_test(&c, 4.5).above, 638.0 / 1024, 1e-9);
  assert_int_equal(verdict(NOISY, "above table=c y=y by= value=-1e4 of=median"),
                   BPERC_HOLDS);
  assert_int_equal(verdict(NOISY, "below table=c y=y by= value=-1e4 of=median"),
                   BPERC_FAILS);
}

enum { COPIES_MOST = 16 * 10 };

/* A cell with every value so many times. */
static bperc_i_table_cell copied(const double *from, size_t n, size_t times,
                                 double *values, uint32_t *who) {
  bperc_i_table_cell c = {.n = n * times, .values = values, .instances = who};
  for (size_t k = 0; k < c.n; k++) {
    values[k] = from[k % n];
    who[k] = (uint32_t)k;
  }
  bperc_i_cell_finish(&c, 0);
  return c;
}

/* What more instances would tell against what copies of the instances do. */
static void more_instances(void **state) {
  const double v[10] = {1, -2, 3, -4, 5, 6, -7, 8, 2, -3};
  const double yes[10] = {1, 1, 0, 1, 1, 1, 0, 1, 1, 0};
  double room[2][COPIES_MOST];
  uint32_t who[2][COPIES_MOST];
  (void)state;
  for (size_t times = 2; times <= 16; times *= 2) {
    bperc_i_table_cell one = copied(v, 10, 1, room[0], who[0]);
    bperc_i_table_cell many = copied(v, 10, times, room[1], who[1]);
    bperc_i_estimate a =
        bperc_i_with_more(bperc_i_level(&one, 0, 1), (double)times);
    bperc_i_estimate b = bperc_i_level(&many, 0, 1);
    assert_int_equal(a.n, b.n);
    assert_close(a.dof, b.dof, 0);
    assert_close(a.value, b.value, 1e-12);
    /* n - 1 against n times - 1 in the variance */
    assert_close(a.sem / b.sem,
                 sqrt((10. * (double)times - 1) / 9. / (double)times), 1e-9);
    a = bperc_i_with_more(bperc_i_sign_test(&one, 0), (double)times);
    b = bperc_i_sign_test(&many, 0);
    assert_true(b.above <= a.above && a.above < 0.38);
    one = copied(yes, 10, 1, room[0], who[0]);
    many = copied(yes, 10, times, room[1], who[1]);
    a = bperc_i_with_more(bperc_i_level(&one, 1, 1), (double)times);
    b = bperc_i_level(&many, 1, 1);
    for (double bound = 0.3; bound < 0.7; bound += 0.01)
      assert_int_equal(bperc_i_is_above(&a, bound, 0.01),
                       bperc_i_is_above(&b, bound, 0.01));
  }
}

/* The toy's line is x plus noise: its slope at noise 500 is known to about 50
 * with 20 instances. */
static double times(const char *measure) {
  bperc_claims c;
  double times;
  judge_toy(measure, "trend table=c y=line x=x direction=up", &c);
  times = c.claims[0].tests[0].times;
  bperc_claims_clear(&c);
  return times;
}

static void what_would_decide(void **state) {
  double more = times(NOISY);
  (void)state;
  assert_true(more > 1 && (more == INFINITY || more <= 1024));
  assert_true(isnan(times("x = 0:6:1\nnoise = 5\ninstances = 1\n")));
  assert_true(times(CLEAR) == 0);
}

/* Whether a number is clear follows from the numbers themselves. */
static void check_number(const bperc_claim_number *n, int sign) {
  int clear = isfinite(n->critical) ? sign * (n->estimate - n->critical) >= 0
                                    : n->chance <= n->rate;
  assert_int_equal(n->side > 0, clear);
  assert_true(n->rate > 0 && n->rate <= 0.01);
}

static void check_numbers(const char *measure, const char *test, int sign,
                          size_t count, bperc_number_method method) {
  bperc_claims c;
  const bperc_claim_test *t;
  judge_toy(measure, test, &c);
  t = &c.claims[0].tests[0];
  assert_int_equal(t->number_count, count);
  assert_int_equal(t->clear + t->against <= t->compared, 1);
  for (size_t k = 0; k < count; k++) {
    assert_int_equal(t->numbers[k].method, method);
    check_number(&t->numbers[k], sign);
  }
  bperc_claims_clear(&c);
}

static void numbers_say_what_decided(void **state) {
#define STEPS "x = 0:6:1\ntop = 0 3\nnoise = 2\ninstances = 20\n"
  (void)state;
  check_numbers(STEPS, "trend table=c y=line x=x direction=up", 1, 2,
                BPERC_METHOD_STUDENT);
  check_numbers(STEPS, "trend table=c y=line x=x direction=down", -1, 2,
                BPERC_METHOD_STUDENT);
  check_numbers(STEPS, "above table=c y=line value=2.9", 1, 14,
                BPERC_METHOD_STUDENT);
  check_numbers(STEPS, "below table=c y=line value=3.1", -1, 14,
                BPERC_METHOD_STUDENT);
  check_numbers(STEPS, "above table=c y=line value=2.9 of=median", 1, 14,
                BPERC_METHOD_CHANCES);
  check_numbers(STEPS, "order high=c:line low=c:y", 1, 1, BPERC_METHOD_STUDENT);
}

/* Clopper and Pearson: 0 of n is below p when (1 - p)^n is small. Five times no
 * say little. */
static void shares(void **state) {
  double no[20] = {0}, yes[20];
  uint32_t who[20];
  bperc_i_table_cell none = {.n = 5, .values = no, .instances = who};
  bperc_i_table_cell all = {.n = 5, .values = yes, .instances = who};
  bperc_i_estimate e;
  (void)state;
  for (uint32_t i = 0; i < 20; i++) {
    who[i] = i;
    yes[i] = 1;
  }
  bperc_i_cell_finish(&none, 0);
  bperc_i_cell_finish(&all, 0);
  e = bperc_i_level(&none, 1, 1);
  assert_true(bperc_i_is_below(&e, 1 - pow(0.01, 0.2) + 1e-6, 0.01));
  assert_false(bperc_i_is_below(&e, 1 - pow(0.01, 0.2) - 1e-6, 0.01));
  e = bperc_i_difference(&none, &all, 1); /* five of five: 1/32 */
  assert_close(e.above, 1.0 / 32, 1e-12);
  assert_false(bperc_i_is_above(&e, 0, 0.01));
  none.n = all.n = 20;
  e = bperc_i_difference(&none, &all, 1);
  assert_true(bperc_i_is_above(&e, 0, 0.01));
  assert_true(bperc_i_is_above(&e, 0.5, 0.01)); /* each bound is 0.767 */
  assert_false(bperc_i_is_above(&e, 0.6, 0.01));
}

/* Fisher: 5 of 5 against 0 of 5, no instance in common: 1/252. */
static void shares_without_common_instances(void **state) {
  double no[5] = {0}, yes[5] = {1, 1, 1, 1, 1};
  uint32_t one[5] = {0, 1, 2, 3, 4}, two[5] = {5, 6, 7, 8, 9};
  bperc_i_table_cell a = {.n = 5, .values = no, .instances = one};
  bperc_i_table_cell b = {.n = 5, .values = yes, .instances = two};
  (void)state;
  bperc_i_cell_finish(&a, 0);
  bperc_i_cell_finish(&b, 0);
  assert_close(bperc_i_difference(&a, &b, 1).above, 1.0 / 252, 1e-12);
  assert_close(bperc_i_difference(&a, &b, 1).below, 1, 1e-12);
}

/* Yes and no against x: 3 instances, each yes at the last of 4 points only:
 * 1/64 of all exchanges. */
static void exchanges(void **state) {
  double v[4][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}};
  double x[4] = {1, 2, 3, 4};
  uint32_t who[3] = {0, 1, 2};
  bperc_i_table_cell c[4];
  const bperc_i_table_cell *cells[4];
  bperc_i_estimate e;
  (void)state;
  for (int k = 0; k < 4; k++) {
    c[k] = (bperc_i_table_cell){.n = 3, .values = v[k], .instances = who};
    bperc_i_cell_finish(&c[k], 0);
    cells[k] = &c[k];
  }
  e = bperc_i_exchange_test(x, cells, 1, 4);
  assert_close(e.above, 1.0 / 64, 0.005);
  assert_close(e.below, 1, 1e-12);
  assert_close(e.value, 0.3, 1e-12);
}

/* Four numbers of one sign: the bound tends to 2^-4 and is never below. */
static void flips(void **state) {
  const double v[4] = {1, 1, 1, 1}, mixed[4] = {1, -1, 2, -2};
  (void)state;
  assert_close(bperc_i_flip_test(v, 4).above, 1.0 / 16, 1e-6);
  assert_true(bperc_i_flip_test(v, 4).above >= 1.0 / 16 - 1e-12);
  assert_close(bperc_i_flip_test(v, 4).below, 1, 0);
  assert_close(bperc_i_flip_test(mixed, 4).above, 1, 0);
}

/* Cells that share no instance: the slope and its error are those of two
 * independent means. */
static void slopes_without_common_instances(void **state) {
  double a[4] = {1, 2, 4, 5}, b[4] = {2, 5, 3, 8}, x[2] = {1, 3};
  uint32_t one[4] = {0, 1, 2, 3}, two[4] = {4, 5, 6, 7};
  bperc_i_table_cell low = {.n = 4, .values = a, .instances = one};
  bperc_i_table_cell high = {.n = 4, .values = b, .instances = two};
  const bperc_i_table_cell *cells[2] = {&low, &high};
  bperc_i_estimate e;
  (void)state;
  bperc_i_cell_finish(&low, 0);
  bperc_i_cell_finish(&high, 0);
  e = bperc_i_slope(x, cells, 2);
  assert_close(e.value, (4.5 - 3) / 2, 1e-12);
  assert_close(e.sem, hypot(low.sem, high.sem) / 2, 1e-12);
  assert_close(e.dof, 3, 0);
  high.instances = one; /* now they are pairs */
  e = bperc_i_slope(x, cells, 2);
  assert_close(e.sem, bperc_i_difference(&low, &high, 0).sem / 2, 1e-12);
}

/* 0.1 + 0.2 is not 0.3 in binary: no trend. */
static void rounding_is_no_trend(void **state) {
  double a[9], b[9], x[2] = {1, 2};
  uint32_t who[9];
  bperc_i_table_cell low = {.n = 9, .values = a, .instances = who};
  bperc_i_table_cell high = {.n = 9, .values = b, .instances = who};
  const bperc_i_table_cell *cells[2] = {&low, &high};
  bperc_i_estimate e;
  (void)state;
  for (uint32_t i = 0; i < 9; i++) {
    a[i] = 0.1 + 0.2;
    b[i] = 0.3;
    who[i] = i;
  }
  bperc_i_cell_finish(&low, 0);
  bperc_i_cell_finish(&high, 0);
  e = bperc_i_slope(x, cells, 2);
  assert_false(bperc_i_is_below(&e, 0, 0.01));
  assert_false(bperc_i_is_above(&e, 0, 0.01));
}

/* The place of a maximum has a value per batch of instances: batch b has the
 * instances b, b + 3, ... of six. */
static double first_larger(const void *context, const double *means) {
  (void)context;
  return means[0] > means[1];
}

static void batches(void **state) {
  double a[6] = {1, 5, 1, 1, 5, 9}, b[6] = {3, 3, 3, 3, 3, 3};
  uint32_t who[6] = {0, 1, 2, 3, 4, 5};
  bperc_i_table_cell x = {.n = 6, .values = a, .instances = who};
  bperc_i_table_cell y = {.n = 6, .values = b, .instances = who}, out;
  const bperc_i_table_cell *cells[2] = {&x, &y};
  bperc_i_estimate e, more;
  (void)state;
  bperc_i_cell_finish(&x, 0);
  bperc_i_cell_finish(&y, 0);
  assert_int_equal(bperc_i_batch_cell(cells, 2, first_larger, NULL, &out), 1);
  assert_int_equal(out.n, 3);
  assert_close(out.mean, 1, 0);
  assert_close(out.values[0], 0, 0);
  assert_close(out.values[1], 1, 0);
  assert_close(out.values[2], 1, 0);
  e = bperc_i_level(&out, 0, 1);
  more = bperc_i_with_more(e, 2);
  assert_int_equal(more.n, 6);
  more = bperc_i_with_more(e, 16); /* larger batches, no more of them */
  assert_int_equal(more.n, 10);
  assert_close(more.dof, 9, 0);
  assert_close(more.sem, e.sem / 4, 1e-15);
  bperc_i_cell_clear(&out);
}

static void tests_that_cannot_be_applied(void **state) {
  static const char *const empty[] = {
      "trend table=c y=y x=x direction=up where=x>9",
      "maximum table=c y=y x=x where=x>9",
      "near table=c y=y value=0 tolerance=1 where=x>9",
      "below table=c y=y value=0 need=pooled where=x>9"};
  bperc_claims c;
  (void)state;
  for (size_t k = 0; k < sizeof empty / sizeof *empty; k++) {
    assert_int_equal(judge_toy(CLEAR, empty[k], &c), BPERC_UNDECIDED);
    assert_non_null(c.claims[0].tests[0].not_measured);
    assert_int_equal(c.claims[0].tests[0].number_count, 0);
    bperc_claims_clear(&c);
  }
  assert_int_equal(judge_toy("x = 0:6:1\ninstances = 1\n",
                             "trend table=c y=line x=x direction=up", &c),
                   BPERC_UNDECIDED);
  assert_int_equal(c.claims[0].tests[0].numbers[0].kind,
                   BPERC_KIND_SINGLE_VALUE);
  bperc_claims_clear(&c);
  assert_int_equal(verdict(CLEAR, "trend table=c.d y=y x=x direction=up"),
                   BPERC_UNDECIDED);
  assert_int_equal(verdict(CLEAR, "trend table=c y=q x=x direction=up"),
                   BPERC_UNDECIDED);
}

#define CLAIM "[claim A]\ntext = t\nexpected = e\n"
#define TREND "test = trend table=c y=y x=x "
#define NEAR "test = near table=c y=y "

/* What a file of claims says is checked when it is read, and the message has
 * file, line and the nearest right word. */
static void claims_are_checked(void **state) {
  static const struct {
    const char *text, *says;
  } bad[] = {
      {CLAIM "test = trendy table=c\n", "c:4: there is no rule 'trendy': did "
                                        "you mean 'trend'?"},
      {CLAIM "test = horizon table=c\n", "only trend, maximum"},
      {CLAIM "test = trend table=c\n", "c:4: rule 'trend' needs the argument "
                                       "'y'"},
      {CLAIM TREND "direction=dwon\n", "c:4: direction is down or up, not "
                                       "'dwon': did you mean 'down'?"},
      {CLAIM TREND "direction=up tolerance=1\n",
       "c:4: rule 'trend' has no argument 'tolerance', only table, y, x"},
      {CLAIM TREND "direction=up direction=down\n", "given twice"},
      {CLAIM TREND "direction=up need=some\n", "need is all or pooled"},
      {CLAIM TREND "direction\n", "'direction' is not key=value"},
      {CLAIM TREND "direction=\n", "direction has no value"},
      {CLAIM TREND "direction=up where=k\n", "where: a condition is"},
      {CLAIM NEAR "value=five tolerance=1\n", "c:4: value: 'five' is not a "
                                              "number"},
      {CLAIM NEAR "value=5x tolerance=1\n", "'5x' is not a number"},
      {CLAIM NEAR "value=nan tolerance=1\n", "'nan' is not a number"},
      {CLAIM NEAR "value=5 tolerance=-1\n", "tolerance is at least 0"},
      {CLAIM NEAR "value=5 tolerence=1\n", "did you mean 'tolerance'?"},
      {CLAIM NEAR "value=5\n", "needs the argument 'tolerance'"},
      {CLAIM NEAR "value=1 tolerance=1 colour=red\n", "no argument 'colour'"},
      {CLAIM "test = order low=c high=c:y\n", "low is table:column, not 'c'"},
      {CLAIM "test = order low=c:y high=d.along:y\n", "makes no table "
                                                      "'d.along'"},
      {CLAIM "test = overlap a=c:y b=c:y tolerance=1 fraction=2\n",
       "fraction is above 0 and at most 1"},
      {CLAIM "test = overlap a=c:y b=c:y\n", "needs a tolerance or a share"},
      {CLAIM "test = overlap a=c:y b=c:y share=0.5\n", "belong together"},
      {CLAIM "test = below table=c y=y value=1 of=median need=pooled\n",
       "need=pooled takes means"},
      {CLAIM, "c:1: a claim needs text, expected and a test"},
      {CLAIM "rate = 2\n", "c:4: rate: '2' is not a number from"},
      {CLAIM "source = pape\n", "c:4: source is paper or ours, not 'pape'"},
      {CLAIM "source = paper\n" TREND "direction=up\n",
       "needs quote and place"},
      {CLAIM "qoute = x\n", "c:4: a claim has no 'qoute': did you mean "
                            "'quote'?"},
      {"text = t\n", "starts with [claim ID]"},
      {"[block A]\ntext = t\n", "sections [claim ID]"},
  };
  const char *plan = "[block c]\nmeasurement = toy\n";
  bperc_experiment *x;
  bperc_judge *j;
  bperc_error error;
  (void)state;
  assert_int_equal(bperc_experiment_parse("p", plan, strlen(plan), &x, &error),
                   BPERC_OK);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_int_equal(
        bperc_judge_parse(x, "c", bad[k].text, strlen(bad[k].text), &j, &error),
        BPERC_E_FORMAT);
    if (!strstr(error.text, bad[k].says))
      fail_msg("'%s' does not say '%s'", error.text, bad[k].says);
  }
  bperc_experiment_free(x);
}

/* Words of the paper travel with the verdict. */
static void claims_are_quoted(void **state) {
  const char *plan = "[block c]\nmeasurement = toy\n";
  const char *text = CLAIM "source = paper\nquote = y rises, \"always\"\n"
                           "place = section 2\nwhy = it does not\n" TREND
                           "direction=up\n" NEAR "value=5 tolerance=1\n";
  bperc_experiment *x;
  bperc_judge *j;
  bperc_tables *t;
  bperc_store *store;
  bperc_claims c;
  (void)state;
  bperc_experiment_parse("p", plan, strlen(plan), &x, NULL);
  assert_int_equal(bperc_judge_parse(x, "c", text, strlen(text), &j, NULL),
                   BPERC_OK);
  bperc_store_open(":memory:", BPERC_STORE_WRITE, &store, NULL);
  assert_int_equal(bperc_judge_tables(x, store, BPERC_SCALE_QUICK, 1, &t, NULL),
                   BPERC_OK);
  assert_int_equal(bperc_judge_claims(j, t, &c, NULL), BPERC_OK);
  assert_string_equal(c.claims[0].quote, "y rises, \"always\"");
  assert_string_equal(c.claims[0].place, "section 2");
  assert_string_equal(c.claims[0].why, "it does not");
  assert_int_equal(bperc_claims_tally(&c, BPERC_PAPER, c.claims[0].verdict), 1);
  assert_int_equal(bperc_claims_tally(&c, BPERC_OURS, c.claims[0].verdict), 0);
  assert_int_equal(c.claims[0].test_count, 2);
  assert_int_equal(c.claims[0].tests[1].verdict, BPERC_UNDECIDED);
  bperc_claims_clear(&c);
  bperc_tables_free(t);
  bperc_store_close(store);
  bperc_judge_free(j);
  bperc_experiment_free(x);
}

/* Student's t: with 3 degrees of freedom 1 % is at 4.541; skewness moves it. */
static void student(void **state) {
  bperc_i_estimate e = {BPERC_I_STUDENT, .value = 4.55, .sem = 1, .n = 4,
                        .dof = 3};
  (void)state;
  assert_true(bperc_i_is_above(&e, 0, 0.01));
  assert_false(bperc_i_is_above(&e, 0.02, 0.01));
  e.skewness = 1;
  assert_false(bperc_i_is_above(&e, 0, 0.01));
  e.sem = 0; /* four alike: 1/16 */
  assert_false(bperc_i_is_above(&e, 0, 0.01));
  e.n = 7;
  assert_true(bperc_i_is_above(&e, 0, 0.01));
}

/* Every allocation of reading and judging fails once: the answer is the right
 * one, word for word, or there is none. */
static void lack_of_memory_is_survived(void **state) {
  const char *plan = "[block c]\nmeasurement = toy\nwork = 0\n" CLEAR
                     "[table c]\ncolumn z = 2 * y\n[derive d]\nfrom = c\n"
                     "rule = argmax\nx = x\ny = y\n";
  const char *claims = CLAIM TREND
      "direction=up need=pooled by=\n" NEAR "value=0 tolerance=9 where=x=3\n"
      "test = maximum table=c y=z x=x\n"
      "test = order low=c:y high=c:line need=pooled\n"
      "test = near table=d y=x value=3 "
      "tolerance=2\n";
  bperc_sweep_options o = {.seed = 3, .threads = 1};
  bperc_experiment *x;
  bperc_store *store;
  char *truth = NULL;
  (void)state;
  assert_int_equal(bperc_experiment_parse("p", plan, strlen(plan), &x, NULL),
                   BPERC_OK);
  bperc_store_open(":memory:", BPERC_STORE_WRITE, &store, NULL);
  bperc_sweep_run((const bperc_experiment *const *)&x, 1, store, &o, NULL,
                  NULL);
  for (long k = -1; k < 20000; k += k < 400 ? 1 : 37) {
    bperc_judge *j = NULL;
    bperc_tables *t = NULL;
    bperc_claims c = {0};
    bperc_status status;
    bperc_i_alloc_fail_after(k);
    status = bperc_judge_parse(x, "c", claims, strlen(claims), &j, NULL);
    if (status == BPERC_OK)
      status = bperc_judge_tables(x, store, BPERC_SCALE_QUICK, 3, &t, NULL);
    if (status == BPERC_OK)
      status = bperc_judge_claims(j, t, &c, NULL);
    bperc_i_alloc_fail_after(-1);
    if (k < 0)
      truth = bperc_claim_measured(&c.claims[0]);
    if (k >= 0 && status == BPERC_OK) {
      char *again = bperc_claim_measured(&c.claims[0]);
      assert_string_equal(again, truth);
      bperc_free(again);
    } else if (k >= 0)
      assert_int_equal(status, BPERC_E_MEMORY);
    bperc_claims_clear(&c);
    bperc_tables_free(t);
    bperc_judge_free(j);
  }
  bperc_free(truth);
  bperc_store_close(store);
  bperc_experiment_free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formulas),
      cmocka_unit_test(steepest_fall),
      cmocka_unit_test(trends),
      cmocka_unit_test(extrema),
      cmocka_unit_test(values),
      cmocka_unit_test(pairs),
      cmocka_unit_test(pairs_within_a_share),
      cmocka_unit_test(pairs_without_randomness),
      cmocka_unit_test(pseudo_values),
      cmocka_unit_test(sign_test),
      cmocka_unit_test(shares),
      cmocka_unit_test(shares_without_common_instances),
      cmocka_unit_test(exchanges),
      cmocka_unit_test(flips),
      cmocka_unit_test(batches),
      cmocka_unit_test(rounding_is_no_trend),
      cmocka_unit_test(slopes_without_common_instances),
      cmocka_unit_test(tests_that_cannot_be_applied),
      cmocka_unit_test(claims_are_checked),
      cmocka_unit_test(more_instances),
      cmocka_unit_test(what_would_decide),
      cmocka_unit_test(numbers_say_what_decided),
      cmocka_unit_test(claims_are_quoted),
      cmocka_unit_test(student),
      cmocka_unit_test(lack_of_memory_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
