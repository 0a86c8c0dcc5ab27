/* NULL in place of options means the defaults, in every public function that
 * takes some: each is called twice, with NULL and with a struct that has the
 * defaults (all zero where there is no table), and has to answer the same.
 * tests/tools/test_headers.py sees to it that none is missing here. */
#include "check.h"

#include "base/cancel.h"
#include "bperc/bperc.h"
#include "bperc/lab/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 21, M = 8 };

static const bperc_ensemble kind = {
    .n = N, .m = M, .fin = 0.5, .model = {.a = 4}};

static bperc_instance *problem(void) {
  bperc_instance *in;
  assert_int_equal(bperc_ensemble_draw(&kind, 3, &in, NULL), BPERC_OK);
  return in;
}

/* The defaults of a solver. */
static const void *usual(const bperc_solver_class *solver) {
  static _Alignas(16) char options[BPERC_SOLVER_OPTIONS_MOST];
  bperc_options_default(solver->options(), options);
  return options;
}

/* A file with this text; remove it. */
static const char *file_with(const char *text) {
  static char path[64];
  FILE *out;
  strcpy(path, "defaults.XXXXXX");
  out = fdopen(mkstemp(path), "w");
  assert_non_null(out);
  fputs(text, out);
  assert_int_equal(fclose(out), 0);
  return path;
}

static void same_instance(bperc_instance *a, bperc_instance *b) {
  assert_int_equal(a->n, b->n);
  assert_int_equal(a->m, b->m);
  assert_close(a->theta, b->theta, 0);
  assert_memory_equal(a->patterns, b->patterns, a->m * a->words * 8);
  assert_memory_equal(a->labels, b->labels, a->m);
  bperc_instance_free(a);
  bperc_instance_free(b);
}

static void files(void **state) {
  const char *path = file_with("3 2 2\n1 110\n0 001\n");
  bperc_read_options read = {0};
  bperc_data_options data = {0};
  bperc_instance *a, *b;
  (void)state;
  assert_int_equal(bperc_instance_read(path, NULL, &a, NULL), BPERC_OK);
  assert_int_equal(bperc_instance_read(path, &read, &b, NULL), BPERC_OK);
  same_instance(a, b);
  assert_int_equal(bperc_data_read(path, NULL, NULL, NULL, &a, NULL), BPERC_OK);
  assert_int_equal(bperc_data_read(path, &data, &read, NULL, &b, NULL),
                   BPERC_OK);
  same_instance(a, b);
  for (int k = 0; k < 2; k++) {
    bperc_data_facts facts;
    assert_int_equal(bperc_data_read_facts(path, k ? &data : NULL,
                                           k ? &read : NULL, k ? &b : &a,
                                           &facts, NULL),
                     BPERC_OK);
    bperc_data_facts_clear(&facts);
  }
  same_instance(a, b);
  unlink(path);
}

static void exact(void **state) {
  bperc_instance *in = problem();
  bperc_exact_options options;
  bperc_space_options how = {0};
  bperc_least_options wanted = {0};
  bperc_exact_answer count[2], drawn[2];
  bperc_least_errors least[2];
  bperc_solutions *s[2];
  uint64_t weights[2][5];
  (void)state;
  bperc_options_default(bperc_exact_option_table(), &options);
  for (int k = 0; k < 2; k++) {
    const bperc_exact_options *o = k ? &options : NULL;
    const bperc_space_options *h = k ? &how : NULL;
    assert_int_equal(bperc_exact_count(in, o, h, &count[k], NULL), BPERC_OK);
    assert_int_equal(bperc_exact_list(in, o, h, &s[k], NULL), BPERC_OK);
    assert_int_equal(bperc_exact_sample(in, h, 5, weights[k], &drawn[k], NULL),
                     BPERC_OK);
    assert_int_equal(
        bperc_exact_least_errors(in, k ? &wanted : NULL, NULL, &least[k], NULL),
        BPERC_OK);
    assert_true(s[k]->count > 1);
    assert_int_equal(s[k]->count, count[0].count.word[0]);
    assert_true(least[k].proven && least[k].cost == 0);
  }
  assert_memory_equal(&count[0].count, &count[1].count, sizeof count->count);
  assert_memory_equal(&drawn[0].count, &count[1].count, sizeof count->count);
  assert_memory_equal(weights[0], weights[1], sizeof weights[0]);
  assert_memory_equal(s[0]->bits, s[1]->bits, s[0]->count * 8);
  bperc_solutions_free(s[0]);
  bperc_solutions_free(s[1]);
  bperc_instance_free(in);
}

static void maps(void **state) {
  bperc_instance *in = problem();
  bperc_embed_options options;
  bperc_solutions *s;
  bperc_embedding *e[2];
  (void)state;
  bperc_options_default(bperc_embed_option_table(), &options);
  assert_int_equal(
      bperc_exact_list(
          in, NULL,
          &(bperc_space_options){
              .fixed = (const int8_t[N]){1, 0, 1, 0, 1, 0, 1, 0, 1, 0},
              .threads = 1},
          &s, NULL),
      BPERC_OK);
  for (int k = 0; k < 2; k++) {
    bperc_space_options how = {0};
    assert_int_equal(
        bperc_embed(s, k ? &options : NULL, k ? &how : NULL, &e[k], NULL),
        BPERC_OK);
    assert_int_equal(e[k]->count, e[0]->count);
    assert_memory_equal(e[k]->x, e[0]->x, e[0]->count * sizeof(double));
  }
  for (int k = 0; k < 2; k++)
    bperc_embedding_free(e[k]);
  bperc_solutions_free(s);
  bperc_instance_free(in);
}

static void belief_propagation(void **state) {
  bperc_instance *in = problem();
  bperc_bp_options options, many[2], used[2];
  bperc_xcorr_options correlations;
  bperc_xcorr_run how = {0};
  bperc_xcorr x[2];
  double p[2][N];
  (void)state;
  bperc_options_default(bperc_bp_option_table(), &options);
  bperc_options_default(bperc_xcorr_option_table(), &correlations);
  for (int k = 0; k < 2; k++) {
    bperc_bp *bp;
    assert_int_equal(bperc_bp_new(in, k ? &options : NULL, 1, 1, &bp, NULL),
                     BPERC_OK);
    used[k] = bperc_bp_options_used(bp);
    assert_int_equal(bperc_bp_converge(bp, NULL), BPERC_OK);
    bperc_bp_marginals(bp, p[k]);
    assert_int_equal(bperc_xcorr_measure(bp, k ? &correlations : NULL,
                                         k ? &how : NULL, &x[k], NULL),
                     BPERC_OK);
    bperc_bp_free(bp);
    many[k] = bperc_bp_options_for_many(k ? &options : NULL, in);
  }
  assert_memory_equal(p[0], p[1], sizeof p[0]);
  assert_memory_equal(&used[0], &used[1], sizeof used[0]);
  assert_memory_equal(&many[0], &many[1], sizeof many[0]);
  assert_close(used[0].damping, 0.4, 0);
  assert_true(used[0].tolerance > 0);
  assert_int_equal(used[0].kernel, BPERC_BP_KERNEL_PLAIN);
  assert_close(x[0].mean_square, x[1].mean_square, 0);
  bperc_instance_free(in);
}

/* A solution of the problem. */
static void solution(const bperc_instance *in, uint64_t *weights) {
  bperc_run_result run;
  assert_int_equal(bperc_run(&bperc_exact_class, in, NULL,
                             &(bperc_run_options){.seed = 1, .threads = 1},
                             &run, NULL),
                   BPERC_OK);
  assert_int_equal(run.outcome, BPERC_SOLVED);
  memcpy(weights, run.weights, in->words * sizeof *weights);
  bperc_run_clear(&run);
}

static void around_weights(void **state) {
  bperc_instance *in = problem();
  bperc_local_options ladder;
  bperc_bp_options bp;
  bperc_walk_options options;
  bperc_local_point point[2][37];
  uint64_t weights[3];
  (void)state;
  bperc_options_default(bperc_local_option_table(), &ladder);
  bperc_options_default(bperc_bp_option_table(), &bp);
  bperc_options_default(bperc_walk_option_table(), &options);
  solution(in, &weights[2]);
  for (int k = 0; k < 2; k++) {
    const bperc_walk_options *o = k ? &options : NULL;
    bperc_walk *w;
    bperc_local_run how = {.bp = &bp};
    assert_int_equal(bperc_local_entropy(in, &weights[2], k ? &ladder : NULL,
                                         k ? &how : NULL, point[k], NULL),
                     BPERC_OK);
    weights[k] = weights[2];
    assert_int_equal(
        bperc_walk_sweeps(in, o, &(bperc_walk_run){.sweeps = 10, .seed = 1},
                          &weights[k], NULL, NULL),
        BPERC_OK);
    assert_int_equal(bperc_walk_new(in, o, &weights[2], 1, &w, NULL), BPERC_OK);
    for (int t = 0; t < 10; t++)
      bperc_walk_sweep(w);
    assert_int_equal(bperc_walk_weights(w)[0], weights[k]);
    bperc_walk_free(w);
  }
  assert_int_equal(weights[0], weights[1]);
  for (int k = 0; k < 37; k++)
    assert_close(point[0][k].distance, point[1][k].distance, 0);
  bperc_instance_free(in);
}

/* Every solver: itself, runs, trials of both kinds. */
static void runs_of(const bperc_solver_class *solver,
                    const bperc_instance *in) {
  _Alignas(16) char used[2][BPERC_SOLVER_OPTIONS_MOST];
  bperc_run_options how = {0};
  bperc_search_options many = {0};
  bperc_view view[2];
  bperc_run_result run[2];
  bperc_search_result found[2];
  bperc_solver *made[2];
  for (int k = 0; k < 2; k++) {
    const void *o = k ? usual(solver) : NULL;
    const bperc_run_options *h = k ? &how : NULL;
    assert_int_equal(bperc_solver_options(solver, in, o, used[k], NULL),
                     BPERC_OK);
    assert_int_equal(bperc_solver_new(solver, in, o, h, &made[k], NULL),
                     BPERC_OK);
    bperc_solver_step(made[k]);
    bperc_solver_view(made[k], &view[k]);
    assert_int_equal(bperc_run(solver, in, o, h, &run[k], NULL), BPERC_OK);
    assert_int_equal(
        bperc_search(solver, in, o, k ? &many : NULL, &found[k], NULL),
        BPERC_OK);
    assert_int_equal(found[k].run.steps, run[k].steps);
  }
  assert_memory_equal(used[0], used[1], solver->options_size);
  assert_int_equal(view[0].errors, view[1].errors);
  assert_int_equal(run[0].steps, run[1].steps);
  for (int k = 0; k < 2; k++) {
    bperc_solver_free(made[k]);
    bperc_run_clear(&run[k]);
    bperc_search_clear(&found[k]);
  }
}

static void trials_of(const bperc_solver_class *solver) {
  bperc_solving_one one[2], many[2];
  bperc_capacity_one pairs[2], all[2];
  for (int k = 0; k < 2; k++) {
    const void *o = k ? usual(solver) : NULL;
    assert_int_equal(
        bperc_solving_trial(solver, o,
                            &(bperc_trials){.ensemble = &kind, .seed = 2}, 0,
                            &one[k], NULL),
        BPERC_OK);
    assert_int_equal(bperc_solving_trials(solver, o,
                                          &(bperc_trials){.ensemble = &kind,
                                                          .trials = 1,
                                                          .seed = 2,
                                                          .threads = 1},
                                          &many[k], NULL),
                     BPERC_OK);
    assert_int_equal(
        bperc_capacity_trial(solver, o,
                             &(bperc_trials){.ensemble = &kind, .seed = 2}, 0,
                             &pairs[k], NULL),
        BPERC_OK);
    assert_int_equal(bperc_capacity_trials(solver, o,
                                           &(bperc_trials){.ensemble = &kind,
                                                           .trials = 1,
                                                           .seed = 2,
                                                           .threads = 1},
                                           &all[k], NULL),
                     BPERC_OK);
    assert_int_equal(one[k].steps, one[0].steps);
    assert_int_equal(many[k].steps, one[0].steps);
    assert_int_equal(pairs[k].patterns, pairs[0].patterns);
    assert_int_equal(all[k].patterns, pairs[0].patterns);
  }
}

static void solvers(void **state) {
  bperc_instance *in = problem();
  (void)state;
  for (size_t k = 0; bperc_solvers()[k]; k++) {
    runs_of(bperc_solvers()[k], in);
    trials_of(bperc_solvers()[k]);
  }
  bperc_instance_free(in);
}

static void traces(void **state) {
  bperc_instance *in = problem();
  bperc_trace_options options = {.solver_options = usual(&bperc_sbpi_class)};
  (void)state;
  for (int k = 0; k < 2; k++) {
    bperc_trace *t;
    bperc_run_result run;
    const char *path = file_with("");
    bperc_status status = bperc_trace_open(path, &bperc_sbpi_class, in,
                                           k ? &options : NULL, &t, NULL);
    if (status == BPERC_E_IO) /* the build has no HDF5 */
      break;
    assert_int_equal(status, BPERC_OK);
    assert_int_equal(bperc_run(&bperc_sbpi_class, in, NULL,
                               &(bperc_run_options){.seed = 1,
                                                    .threads = 1,
                                                    .watch = bperc_trace_watch,
                                                    .context = t},
                               &run, NULL),
                     BPERC_OK);
    assert_int_equal(bperc_trace_close(t, &run, NULL), BPERC_OK);
    bperc_run_clear(&run);
    unlink(path);
  }
  unlink(file_with("")); /* of a build without HDF5 nothing is left */
  bperc_instance_free(in);
}

static void fits(void **state) {
  bperc_instance *in = problem();
  bperc_fit_options options = {0};
  bperc_fit_result r[2];
  (void)state;
  for (int k = 0; k < 2; k++)
    assert_int_equal(bperc_fit(in, k ? &options : NULL, &r[k], NULL), BPERC_OK);
  assert_int_equal(r[0].weights[0], r[1].weights[0]);
  assert_int_equal(r[0].tried_count, r[1].tried_count);
  bperc_fit_clear(&r[0]);
  bperc_fit_clear(&r[1]);
  for (int k = 0; k < 2; k++) { /* classes are no default */
    bperc_classes_result c;
    assert_int_equal(bperc_fit_classes(in, k ? &options : NULL, &c, NULL),
                     BPERC_E_ARGUMENT);
    bperc_classes_clear(&c);
  }
  bperc_instance_free(in);
}

static void sweeps(void **state) {
  static const char plan[] = "title = t\n[block x]\nmeasurement = toy\n"
                             "instances = 2\n";
  bperc_sweep_options options = {0};
  (void)state;
  for (int k = 0; k < 2; k++) {
    bperc_experiment *x;
    bperc_store *store;
    bperc_sweep_state told;
    bperc_error error;
    bperc_status status =
        bperc_store_open(":memory:", BPERC_STORE_WRITE, &store, &error);
    if (status != BPERC_OK) /* the build has no SQLite */
      break;
    if (bperc_experiment_parse("p", plan, sizeof plan - 1, &x, &error))
      fail_msg("%s", error.text);
    assert_int_equal(bperc_sweep_run((const bperc_experiment *const *)&x, 1,
                                     store, k ? &options : NULL, &told, &error),
                     BPERC_OK);
    assert_int_equal(told.done, 2);
    bperc_store_close(store);
    bperc_experiment_free(x);
  }
  assert_int_equal(bperc_ranks_work(NULL, 0, NULL, NULL), BPERC_E_ARGUMENT);
}

/* The same as a list of one experiment, with its claims. */
static void experiments(void **state) {
  static const char plan[] = "title = t\n[block x]\nmeasurement = toy\n"
                             "instances = 2\n";
  static const char claims[] = "[claim C]\ntext = t\nexpected = e\n"
                               "test = below table=x y=y value=9\n";
  bperc_sweep_options options = {0};
  bperc_lab_report_options nowhere = {0};
  (void)state;
  for (int k = 0; k < 2; k++) {
    const bperc_sweep_options *o = k ? &options : NULL;
    bperc_lab *lab;
    bperc_experiment *x;
    bperc_judge *judge;
    bperc_store *store;
    bperc_sweep_state told;
    bperc_claims c;
    bperc_report *report;
    assert_int_equal(bperc_lab_new(&lab, NULL), BPERC_OK);
    bperc_experiment_parse("p", plan, sizeof plan - 1, &x, NULL);
    bperc_judge_parse(x, "c", claims, sizeof claims - 1, &judge, NULL);
    assert_int_equal(bperc_lab_add(lab, x, judge, NULL), BPERC_OK);
    bperc_store_open(":memory:", BPERC_STORE_WRITE, &store, NULL);
    assert_int_equal(bperc_lab_verdicts(lab, 0, store, o, &c, NULL), BPERC_OK);
    assert_int_equal(c.count, 0); /* nothing is measured */
    assert_int_equal(bperc_lab_run(lab, store, o, &told, NULL), BPERC_OK);
    assert_int_equal(told.done, 2);
    assert_int_equal(bperc_lab_work(lab, o, NULL), BPERC_E_ARGUMENT);
    assert_int_equal(bperc_lab_verdicts(lab, 0, store, o, &c, NULL), BPERC_OK);
    assert_int_equal(c.count, 1);
    assert_string_equal(c.claims[0].id, "C");
    assert_int_equal(bperc_lab_find(lab, "c"), 0);
    assert_int_equal(bperc_lab_find(lab, "D"), 1);
    bperc_claims_clear(&c);
    assert_int_equal(bperc_lab_report(lab, k ? &nowhere : NULL, &report, NULL),
                     BPERC_E_ARGUMENT);
    bperc_store_close(store);
    bperc_lab_free(lab);
  }
}

static void infer_without_options(void **state) {
  bperc_instance *in;
  bperc_inference_options options;
  double p[2][21];
  (void)state;
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = 21, .m = 4, .fin = 0.5, .model = {.a = 4}}, 1,
          &in, NULL),
      BPERC_OK);
  bperc_options_default(bperc_inference_option_table(), &options);
  for (int k = 0; k < 2; k++) {
    bperc_inference *s;
    assert_int_equal(bperc_inference_new(in, k ? &options : NULL, 1, &s, NULL),
                     BPERC_OK);
    assert_int_equal(bperc_inference_step(s).iterations, 1);
    bperc_inference_marginals(s, p[k]);
    bperc_inference_free(s);
  }
  assert_memory_equal(p[0], p[1], sizeof p[0]);
  bperc_instance_free(in);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files),
      cmocka_unit_test(exact),
      cmocka_unit_test(maps),
      cmocka_unit_test(belief_propagation),
      cmocka_unit_test(around_weights),
      cmocka_unit_test(solvers),
      cmocka_unit_test(traces),
      cmocka_unit_test(fits),
      cmocka_unit_test(sweeps),
      cmocka_unit_test(experiments),
      cmocka_unit_test(infer_without_options),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
