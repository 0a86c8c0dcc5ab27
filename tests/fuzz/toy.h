/* An experiment with known tables, made once: for claims and conditions. */
#ifndef BPERC_TESTS_FUZZ_TOY_H
#define BPERC_TESTS_FUZZ_TOY_H

#include "bperc/lab/run.h"
#include "bperc/lab/verdict.h"

#include <assert.h>
#include <string.h>

static const char fuzz_toy_plan[] =
    "[block c]\nmeasurement = toy\nwork = 0\nx = 0:6:1\ntop = 3\n"
    "noise = 0.5 2\ninstances = 8\n"
    "[block d]\nmeasurement = toy\nwork = 0\nx = 1 2 4\ntop = 1\n"
    "noise = 0\ninstances = 2\n"
    "[table c]\ncolumn twice = 2*y + x\n"
    "column yes = (1 + y/abs(y))/2\n"
    "[derive top]\nfrom = c\nrule = argmax\nx = x\ny = y\n";

static inline bperc_experiment *fuzz_toy(void) {
  static bperc_experiment *x;
  bperc_error error;
  if (!x && bperc_experiment_parse("toy", fuzz_toy_plan, strlen(fuzz_toy_plan),
                                   &x, &error))
    assert(!"the plan of the target is wrong");
  return x;
}

/* Its tables, all of them measured. */
static inline bperc_tables *fuzz_toy_tables(void) {
  static bperc_tables *t;
  static bperc_store *store;
  const bperc_experiment *x = fuzz_toy();
  bperc_sweep_options how = {.seed = 3, .threads = 1};
  bperc_error error;
  if (!t && (bperc_store_open(":memory:", BPERC_STORE_WRITE, &store, &error) ||
             bperc_sweep_run(&x, 1, store, &how, NULL, &error) ||
             bperc_judge_tables(x, store, BPERC_SCALE_QUICK, 3, &t, &error)))
    assert(!"the tables of the target cannot be made");
  return t;
}

#endif
