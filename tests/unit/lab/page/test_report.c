/* A report that is disturbed: memory fails or the call is cancelled at any
 * place, and it is written as if nothing had been, or it is refused. Nothing is
 * left behind (address sanitizer). */
#include "check.h"

#include "base/alloc.h"
#include "base/cancel.h"
#include "bperc/lab/report.h"
#include "bperc/lab/run.h"
#include "bperc/lab/verdict.h"
#include "lab/base/text.h"
#include "lab/plan/plan.h"

#include <stdlib.h>
#include <string.h>

static const char plan[] =
    "[block c]\nmeasurement = toy\nwork = 0\nx = 0:4:1\ntop = 2\n"
    "noise = 0.5 1\ninstances = 3\n";
static const char claims[] = "[claim T]\ntext = t\nexpected = e\n"
                             "test = trend table=c y=line x=x direction=up\n";

static char folder[] = "/tmp/bperc-report-XXXXXX";

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  char command[100];
  (void)state;
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

typedef struct {
  bperc_experiment *x;
  bperc_judge *judge;
  bperc_store *store;
} lab;

static void open_lab(lab *l) {
  bperc_sweep_options o = {.seed = 3, .threads = 1};
  bperc_error error;
  if (bperc_experiment_parse("p", plan, strlen(plan), &l->x, &error) ||
      bperc_judge_parse(l->x, "c", claims, strlen(claims), &l->judge, &error) ||
      bperc_store_open(":memory:", BPERC_STORE_WRITE, &l->store, &error) ||
      bperc_sweep_run((const bperc_experiment *const *)&l->x, 1, l->store, &o,
                      NULL, &error))
    fail_msg("%s", error.text);
  l->x->is_part = 1; /* no picture */
}

static void close_lab(lab *l) {
  bperc_store_close(l->store);
  bperc_judge_free(l->judge);
  bperc_experiment_free(l->x);
}

static bperc_status write_report(const lab *l) {
  bperc_report *r;
  bperc_status status = bperc_report_new(folder, "origin", &r, NULL);
  if (status == BPERC_OK)
    status = bperc_report_add(r, l->x, l->judge, l->store, BPERC_SCALE_QUICK, 3,
                              NULL);
  if (status == BPERC_OK)
    status = bperc_report_finish(r, NULL);
  bperc_report_free(r);
  return status;
}

/* The page and the series of its table, one behind the other. */
static char *read_files(void) {
  static const char *const names[] = {"index.html", "p/series.gp"};
  bperc_i_text all = {0};
  for (size_t k = 0; k < 2; k++) {
    char *text;
    size_t size;
    assert_int_equal(bperc_i_folder_read(folder, names[k], &text, &size, NULL),
                     BPERC_OK);
    assert_non_null(text);
    bperc_i_text_add(&all, text);
    bperc_i_free(text);
  }
  return bperc_i_text_take(&all);
}

static void memory_fails(void **state) {
  lab l;
  char *good;
  long k = 0, asked;
  (void)state;
  open_lab(&l);
  assert_int_equal(write_report(&l), BPERC_OK);
  good = read_files();
  do {
    bperc_i_alloc_fail_after(k);
    bperc_status status = write_report(&l);
    asked = bperc_i_alloc_count();
    bperc_i_alloc_fail_after(-1);
    if (status == BPERC_OK) {
      char *files = read_files();
      assert_string_equal(files, good);
      bperc_i_free(files);
    } else
      assert_int_equal(status, BPERC_E_MEMORY);
  } while (asked > k++); /* until none is left to fail */
  assert_true(k > 100);
  bperc_i_free(good);
  close_lab(&l);
}

static void calls_are_cancelled(void **state) {
  lab l;
  bperc_status status = BPERC_E_INTERRUPTED;
  long k = 0;
  (void)state;
  open_lab(&l);
  for (; status != BPERC_OK; k++) {
    bperc_i_cancel_after(k);
    status = write_report(&l);
    bperc_i_cancel_after(-1);
    bperc_i_cancel_reset();
    assert_true(status == BPERC_OK || status == BPERC_E_INTERRUPTED);
  }
  assert_true(k > 2);
  close_lab(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_fails),
      cmocka_unit_test(calls_are_cancelled),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
