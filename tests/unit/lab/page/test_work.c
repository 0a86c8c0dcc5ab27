/* Work grows with the rows of tables as n log n at most, from the store to the
 * page. Work is the number of basic blocks that run in the files of this
 * library that the test is built with (-fsanitize-coverage=trace-pc): it does
 * not depend on the machine, nor on what else runs there. */
#include "check.h"

#include "bperc/lab/run.h"
#include "bperc/lab/verdict.h"
#include "lab/page/html.h"
#include "lab/table/derive.h"

#include <string.h>

/* Between n and 4 n rows n log n grows by 4.9 at n = 400, n^2 by 16. */
enum { ROWS = 400, TIMES = 4 };
static const double most = 6;

static uint64_t blocks;
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) { blocks++; }

/* ---- an experiment with so many rows */

typedef struct {
  bperc_experiment *x;
  bperc_judge *judge;
  bperc_store *store;
  bperc_tables *tables;
  bperc_i_figure figure;
} lab;

/* Rows differ in x, or in x and in four values of top. */
static void open_lab(lab *l, size_t rows, int single, const char *sections,
                     const char *test) {
  char plan[900], claims[500];
  bperc_sweep_options o = {.seed = 3, .threads = 1};
  bperc_error error;
  *l = (lab){0};
  snprintf(plan, sizeof plan,
           "[block c]\nmeasurement = toy\nwork = 0\nlength = 1\n"
           "instances = 3\ntop = %s\nx = 1:%zu:1\n%s",
           single ? "0" : "0 1 2 3", single ? rows : rows / 4, sections);
  snprintf(claims, sizeof claims,
           "[claim T]\ntext = t\nexpected = e\ntest = %s\n", test);
  if (bperc_experiment_parse("p", plan, strlen(plan), &l->x, &error) ||
      bperc_judge_parse(l->x, "c", claims, strlen(claims), &l->judge, &error) ||
      bperc_store_open(":memory:", BPERC_STORE_WRITE, &l->store, &error) ||
      bperc_sweep_run((const bperc_experiment *const *)&l->x, 1, l->store, &o,
                      NULL, &error))
    fail_msg("%s", error.text);
}

static void close_lab(lab *l) {
  bperc_i_figure_clear(&l->figure);
  bperc_tables_free(l->tables);
  bperc_store_close(l->store);
  bperc_judge_free(l->judge);
  bperc_experiment_free(l->x);
}

/* ---- steps from the store to the page; each returns its work */

static uint64_t collecting(lab *l) {
  uint64_t before = blocks;
  assert_int_equal(bperc_tables_collect(l->x, l->store, 0, 3, &l->tables, NULL),
                   BPERC_OK);
  return blocks - before;
}

static uint64_t deriving(lab *l) {
  uint64_t before = blocks;
  assert_int_equal(bperc_i_tables_derive(l->tables, NULL), BPERC_OK);
  return blocks - before;
}

static uint64_t judging(lab *l) {
  uint64_t before = blocks;
  bperc_claims c;
  assert_int_equal(bperc_judge_claims(l->judge, l->tables, &c, NULL), BPERC_OK);
  assert_null(c.claims[0].tests[0].not_measured);
  l->figure.x = l->x;
  l->figure.claims = c;
  return blocks - before;
}

static uint64_t showing(lab *l) {
  uint64_t before = blocks;
  bperc_i_text t = {0};
  bperc_i_claim_card(&t, &l->figure, &l->figure.claims.claims[0]);
  bperc_i_text_clear(&t);
  return blocks - before;
}

static uint64_t printing(lab *l) {
  uint64_t before = blocks;
  char *text = bperc_table_text(l->tables, 0);
  assert_true(bperc_i_figure_sheet(&l->figure, "c", text));
  return blocks - before;
}

static uint64_t printing_variables(lab *l) {
  uint64_t before = blocks;
  l->figure.variables = bperc_tables_gnuplot(l->tables);
  return blocks - before;
}

static uint64_t plotting(lab *l) {
  uint64_t before = blocks;
  bperc_i_text t = {0};
  assert_true(bperc_i_default_plot(&t, &l->figure) > 0);
  bperc_i_text_clear(&t);
  return blocks - before;
}

typedef uint64_t step(lab *l);
static const struct {
  const char *name;
  step *run;
} steps[] = {
    {"collecting", collecting}, {"deriving", deriving},
    {"judging", judging},       {"showing claims", showing},
    {"printing", printing},     {"printing variables", printing_variables},
    {"plotting", plotting}};
enum { STEPS = sizeof steps / sizeof *steps };

static void compare(int single, const char *sections, const char *test) {
  uint64_t work[STEPS][2];
  for (int large = 0; large < 2; large++) {
    lab l;
    open_lab(&l, large ? TIMES * ROWS : ROWS, single, sections, test);
    for (int k = 0; k < STEPS; k++)
      work[k][large] = steps[k].run(&l);
    close_lab(&l);
  }
  for (int k = 0; k < STEPS; k++)
    if ((double)work[k][1] > most * (double)work[k][0] + 1000)
      fail_msg("%s, %s: %llu steps for %d rows, %llu for %d", test,
               steps[k].name, (unsigned long long)work[k][0], ROWS,
               (unsigned long long)work[k][1], TIMES * ROWS);
}

/* ---- many series of four points, and four series of many points */

static void rows_in_many_series(void **state) {
  static const char *const tests[] = {
      "trend table=c y=y x=top direction=up",
      "trend table=c y=y x=top direction=up need=pooled",
      "maximum table=c y=y x=top",
      "near table=c y=y value=0 tolerance=1 by=x",
      "below table=c y=y value=0 by=x need=pooled",
      "order low=c:y high=c:line",
      "order low=c:y high=c:line need=pooled",
      "overlap a=c:y b=c:line tolerance=1",
      "overlap a=c:y b=c:line share=0.5 low=c:y high=c:line"};
  (void)state;
  for (size_t k = 0; k < sizeof tests / sizeof *tests; k++)
    compare(0, "", tests[k]);
}

static void rows_in_few_series(void **state) {
  static const char *const tests[] = {
      "trend table=c y=y x=x direction=up",
      "trend table=c y=y x=x direction=up need=pooled",
      "trend table=c y=y x=top by= direction=up",
      "below table=c y=y value=0 by=top need=pooled",
      "above table=c y=y value=0 of=median"};
  (void)state;
  for (size_t k = 0; k < sizeof tests / sizeof *tests; k++)
    compare(0, "", tests[k]);
}

static void rows_that_differ_in_x_alone(void **state) {
  (void)state;
  compare(1, "", "trend table=c y=y x=x direction=up");
}

static void derived_tables(void **state) {
  static const char *const rules[] = {"argmax", "best", "steepest"};
  (void)state;
  for (size_t k = 0; k < 3; k++) {
    char sections[300];
    snprintf(sections, sizeof sections,
             "[table c]\ncolumn d = y - line\n"
             "[derive many]\nfrom = c\nrule = %s\nx = top\ny = y\n"
             "[derive few]\nfrom = c\nrule = %s\nx = x\ny = y\n",
             rules[k], rules[k]);
    compare(0, sections, "trend table=many y=y x=x direction=up");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_in_many_series),
      cmocka_unit_test(rows_in_few_series),
      cmocka_unit_test(rows_that_differ_in_x_alone),
      cmocka_unit_test(derived_tables)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
