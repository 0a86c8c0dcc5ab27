/* The sentence over a verdict. Only this test, and that of the page's words,
 * knows how it is worded. */
#include "check.h"

#include "bperc/lab/verdict.h"

#include <math.h>
#include <string.h>

static char c_table[] = "c", y[] = "y", z[] = "z", x[] = "x", n30[] = "n=30",
            none[] = "", fin[] = "fin", three[] = "0.3", five[] = "0.5";
static bperc_number_key at_three = {fin, three, NULL, 0};
static bperc_number_key at_five = {fin, five, NULL, 0};

#define SIDE(column)                                                           \
  { c_table, column, none }

static bperc_claim_number number(bperc_number_role role, bperc_number_kind kind,
                                 double estimate, double error) {
  return (bperc_claim_number){role, kind, .estimate = estimate, .error = error,
                              .at = 3};
}

static void says(bperc_claim_test t, bperc_claim_number *numbers, size_t count,
                 const char *wanted) {
  bperc_claim c = {.tests = &t, .test_count = 1};
  char *said;
  t.numbers = numbers;
  t.number_count = count;
  said = bperc_claim_measured(&c);
  assert_string_equal(said, wanted);
  bperc_free(said);
}

static void series(void **state) {
  bperc_claim_test t = {BPERC_RULE_TREND, .direction = -1, .sides = {SIDE(y)},
                        .x = x, .share = NAN};
  bperc_claim_number n[] = {
      number(BPERC_ROLE_SERIES, BPERC_KIND_SLOPE, -0.12345678, 0.0123),
      number(BPERC_ROLE_SERIES, BPERC_KIND_FEW_POINTS, NAN, NAN),
      number(BPERC_ROLE_TOGETHER, BPERC_KIND_SLOPE, -2, 0)};
  (void)state;
  n[0].keys = &at_three;
  n[1].keys = &at_five;
  n[0].key_count = n[1].key_count = 1;
  says(t, n, 3,
       "slope of c:y against x: fin=0.3: -0.1235 +- 0.012, fin=0.5: too few "
       "points, together: -2 (to be down)");
  t.verdict = BPERC_UNDECIDED;
  t.times = 4;
  says(t, n, 1,
       "slope of c:y against x: fin=0.3: -0.1235 +- 0.012 (to be down) (about "
       "4 times the instances would decide it) [undecided]");
  t.times = INFINITY;
  says(t, n, 1,
       "slope of c:y against x: fin=0.3: -0.1235 +- 0.012 (to be down) (1024 "
       "times the instances would not decide it) [undecided]");
  t.times = NAN;
  says(t, n, 1,
       "slope of c:y against x: fin=0.3: -0.1235 +- 0.012 (to be down) (too "
       "few instances for an estimate) [undecided]");
}

static void levels(void **state) {
  bperc_claim_test t = {BPERC_RULE_ABOVE, .sides = {SIDE(y)}, .value = 0.75};
  bperc_claim_number n[] = {
      number(BPERC_ROLE_SERIES, BPERC_KIND_SHARE, 0.8, 0.1),
      number(BPERC_ROLE_SERIES, BPERC_KIND_MEDIAN, 0.5, NAN)};
  (void)state;
  n[0].hits = 8;
  n[0].instances = n[1].instances = 10;
  says(t, n, 2, "c:y: 0.8 (8 of 10), median 0.5 of 10 (to be above 0.75)");
  t.rule = BPERC_RULE_NEAR;
  t.tolerance = 0.02;
  t.verdict = BPERC_FAILS;
  says(t, n, 1, "c:y: 0.8 (8 of 10) (to be 0.75 within 0.02) [fails]");
}

static void extremum(void **state) {
  bperc_claim_test t = {BPERC_RULE_MAXIMUM, .sides = {SIDE(y)}};
  bperc_claim_number n[] = {number(BPERC_ROLE_TOP, BPERC_KIND_MEAN, 7, 0.5),
                            number(BPERC_ROLE_FIRST, BPERC_KIND_MEAN, 1, 0.25),
                            number(BPERC_ROLE_LAST, BPERC_KIND_MEAN, 2, NAN)};
  (void)state;
  says(t, n, 3, "maximum of c:y: 7 +- 0.5 at 3 (ends 1 +- 0.25 and 2)");
}

static void pairs(void **state) {
  bperc_claim_test t = {BPERC_RULE_ORDER, .sides = {SIDE(y), {c_table, z, n30}},
                        .compared = 5, .clear = 4};
  bperc_claim_number n[] = {
      number(BPERC_ROLE_LEAST, BPERC_KIND_DIFFERENCE, 0.5, 0.25),
      number(BPERC_ROLE_TOGETHER, BPERC_KIND_DIFFERENCE, 1, 0.25)};
  (void)state;
  says(t, n, 2,
       "c:z (n=30) above c:y at 4 of 5 points, least 0.5 +- 0.25 at the one "
       "point, together: 1 +- 0.25");
  n[0].keys = &at_three;
  n[0].key_count = 1;
  n[0].role = BPERC_ROLE_LARGEST;
  t.rule = BPERC_RULE_OVERLAP;
  t.tolerance = 0.1;
  t.share = NAN;
  t.against = 1;
  says(t, n, 1,
       "c:y and c:z (n=30) within 0.1 at 4, apart at 1 of 5 points, largest "
       "difference 0.5 +- 0.25 at fin=0.3");
  t.share = 0.5;
  t.sides[2] = (bperc_claim_side){c_table, y, none};
  t.sides[3] = (bperc_claim_side){c_table, z, none};
  says(t, n, 1,
       "c:y and c:z (n=30) within 0.5 of c:z less c:y at 4, apart at 1 of 5 "
       "points, largest difference 0.5 +- 0.25 at fin=0.3");
}

static void nothing_measured(void **state) {
  char why[] = "no rows";
  bperc_claim_test t = {BPERC_RULE_TREND, BPERC_UNDECIDED, .sides = {SIDE(y)},
                        .x = x, .not_measured = why};
  bperc_claim old = {.said = why};
  char *said = bperc_claim_measured(&old);
  (void)state;
  says(t, NULL, 0, "not measured: no rows [undecided]");
  assert_string_equal(said, "no rows");
  bperc_free(said);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(series),           cmocka_unit_test(levels),
      cmocka_unit_test(extremum),         cmocka_unit_test(pairs),
      cmocka_unit_test(nothing_measured),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
