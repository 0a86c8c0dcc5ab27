/* What belief propagation says of contradictions: no entropy of a problem that
 * unit propagation refutes, exact ones on trees, possible ones elsewhere. */
#include "check.h"

#include "bperc/bp.h"
#include "bperc/ensemble.h"
#include "bperc/exact.h"
#include "bperc/localentropy.h"
#include "bperc/xcorr.h"

enum { TREE_WEIGHTS = 10, TREES = 400, LOOPY = 200, CENTRED = 500 };

/* A pattern takes at most one weight that is in use, the others are new. Inputs
 * -1 where signs say so. */
static void plant(bperc_instance *in, bool signs, bperc_stream *s) {
  size_t used = 0;
  for (size_t mu = 0; mu < in->m; mu++) {
    size_t fresh = bperc_stream_below(s, 4);
    uint64_t bits = 0;
    if (used)
      bits |= (uint64_t)1 << bperc_stream_below(s, used);
    for (; fresh > 0 && used < in->n; fresh--)
      bits |= (uint64_t)1 << used++;
    in->patterns[mu] = bits;
    if (signs) {
      in->support[mu] = bits;
      in->patterns[mu] &= bperc_stream_below(s, 1u << TREE_WEIGHTS);
    }
    in->labels[mu] = (uint8_t)bperc_stream_below(s, 2);
  }
  bperc_instance_update_bounds(in);
}

static bperc_instance *draw_tree(bperc_stream *s, bool signs) {
  size_t n = 2 + bperc_stream_below(s, TREE_WEIGHTS - 1);
  size_t m = 1 + bperc_stream_below(s, 6);
  bperc_model model = {.a = 0.3 * (double)n + 4 * bperc_stream_double(s),
                       .inputs = signs ? BPERC_INPUTS_SIGNED : BPERC_INPUTS_01};
  bperc_instance *in;
  assert_int_equal(bperc_instance_new(n, m, &model, &in, NULL), BPERC_OK);
  plant(in, signs, s);
  return in;
}

static size_t count_all(const bperc_instance *in) {
  size_t count = 0;
  for (uint64_t w = 0; w < (uint64_t)1 << in->n; w++)
    count += bperc_verify(in, &w, NULL).errors == 0;
  return count;
}

static bperc_bp_judgement judge_instance(const bperc_instance *in,
                                         const bperc_bp_options *opt,
                                         bperc_bp_report *report) {
  bperc_bp *bp;
  assert_int_equal(bperc_bp_new(in, opt, 7, 1, &bp, NULL), BPERC_OK);
  bperc_bp_converge(bp, report);
  bperc_bp_judgement j = bperc_bp_judge(bp, report);
  bperc_bp_free(bp);
  return j;
}

static void check_tree(const bperc_instance *in, size_t count) {
  bperc_bp_options opt;
  bperc_bp_report report;
  bperc_options_default(bperc_bp_option_table(), &opt);
  for (int fast = 0; fast < 2; fast++) {
    opt.kernel = fast ? BPERC_BP_KERNEL_FAST : BPERC_BP_KERNEL_PLAIN;
    bperc_bp_judgement j = judge_instance(in, &opt, &report);
    if (count == 0) {
      assert_int_equal(j.outcome, BPERC_BP_CONTRADICTION);
      assert_true(j.violated < in->m && isnan(j.entropy));
      continue;
    }
    assert_int_equal(j.outcome, BPERC_BP_CONVERGED);
    assert_int_equal(j.violated, in->m);
    assert_close(j.entropy, log((double)count) / (double)in->n,
                 fast ? 2e-4 : 1e-9);
    assert_close(j.error, 0, 0);
  }
}

static void trees_with_and_without_solutions(void **state) {
  bperc_stream s = bperc_stream_make(11, BPERC_FOR_TEST, 0);
  size_t with = 0, without = 0;
  (void)state;
  for (int k = 0; with < TREES || without < TREES; k++) {
    bperc_instance *in = draw_tree(&s, k % 2);
    size_t count = count_all(in);
    if ((count ? with : without) < TREES) {
      check_tree(in, count);
      ++*(count ? &with : &without);
    }
    bperc_instance_free(in);
  }
}

/* Measures of a contradiction: no correlations, no local entropy. */
static void check_measures(const bperc_instance *in) {
  bperc_local_point points[3];
  bperc_xcorr x;
  bperc_bp *bp;
  uint64_t w = 1;
  double one_flip;
  assert_int_equal(bperc_bp_new(in, NULL, 7, 1, &bp, NULL), BPERC_OK);
  assert_int_equal(
      bperc_xcorr_measure(bp, NULL, &(bperc_xcorr_run){.seed = 1, .threads = 1},
                          &x, NULL),
      BPERC_OK);
  assert_true(x.contradiction && !x.converged && isnan(x.mean));
  bperc_bp_free(bp);
  assert_int_equal(
      bperc_local_entropy(
          in, &w, &(bperc_local_options){-3, 0, 3},
          &(bperc_local_run){.seed = 1, .threads = 1, .one_flip = &one_flip},
          points, NULL),
      BPERC_OK);
  assert_true(isnan(one_flip));
  for (int k = 0; k < 3; k++)
    assert_true(points[k].contradiction && !points[k].converged &&
                isnan(points[k].entropy));
}

static void measures_of_contradictions(void **state) {
  bperc_stream s = bperc_stream_make(13, BPERC_FOR_TEST, 0);
  size_t seen = 0;
  (void)state;
  while (seen < 40) {
    bperc_instance *in = draw_tree(&s, false);
    if (count_all(in) == 0) {
      check_measures(in);
      seen++;
    }
    bperc_instance_free(in);
  }
}

static double exact_entropy(const bperc_instance *in) {
  bperc_exact_answer answer;
  assert_int_equal(bperc_exact_count(in, NULL,
                                     &(bperc_space_options){.threads = 1},
                                     &answer, NULL),
                   BPERC_OK);
  return bperc_count_log(answer.count) / (double)in->n;
}

/* Loops: an entropy is one that a number of solutions can have, and none is
 * given where propagation finds a contradiction. */
static void loopy_entropies_are_possible(void **state) {
  bperc_stream s = bperc_stream_make(17, BPERC_FOR_TEST, 0);
  size_t told = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= LOOPY; seed++) {
    size_t n = 10 + bperc_stream_below(&s, 21);
    double f = 0.1 + 0.7 * bperc_stream_double(&s);
    double a = 2 + 10 * bperc_stream_double(&s);
    bperc_bp_report report;
    bperc_instance *in;
    bperc_ensemble_draw(&(bperc_ensemble){.n = n,
                                          .m = 1 + n * (seed % 10) / 10,
                                          .fin = f,
                                          .model = {.a = a, .ties = 0}},
                        seed, &in, NULL);
    bperc_bp_judgement j = judge_instance(in, NULL, &report);
    if (j.violated < in->m)
      assert_true(isinf(exact_entropy(in)));
    assert_true(isnan(j.entropy) ||
                (j.entropy > -1e-9 && j.entropy < M_LN2 + 1e-9));
    assert_true(j.outcome != BPERC_BP_CONTRADICTION || isnan(j.entropy));
    told += j.outcome == BPERC_BP_CONVERGED;
    bperc_instance_free(in);
  }
  assert_true(told > LOOPY / 3);
}

/* Seeds of notes: a field that ran away, and six inputs 0 a pattern, whose sum
 * hardly varies. */
static void centred_seeds(void **state) {
  static const struct {
    size_t n, m;
    double f, a;
    uint64_t seed;
  } cases[] = {
      {25, 8, 0.5, 12, 51}, {30, 8, 0.8, 3, 5}, {36, 10, 0.5, 5, 487138}};
  bperc_bp_options opt;
  bperc_bp_report report;
  (void)state;
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.centred = 1;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    bperc_instance *in;
    bperc_ensemble_draw(
        &(bperc_ensemble){.n = cases[k].n,
                          .m = cases[k].m,
                          .fin = cases[k].f,
                          .model = {.a = cases[k].a, .ties = 0}},
        cases[k].seed, &in, NULL);
    bperc_bp_judgement j = judge_instance(in, &opt, &report);
    assert_true(j.outcome != BPERC_BP_CONVERGED && isnan(j.entropy));
    bperc_instance_free(in);
  }
}

static void centred_entropies_are_possible(void **state) {
  static const double density[] = {0.1, 0.2, 0.3, 0.5, 0.8};
  bperc_stream s = bperc_stream_make(19, BPERC_FOR_TEST, 0);
  bperc_bp_options opt;
  size_t told = 0;
  (void)state;
  bperc_options_default(bperc_bp_option_table(), &opt);
  opt.centred = 1;
  opt.max_iterations = 400;
  for (uint64_t seed = 1; seed <= CENTRED; seed++) {
    size_t n = 10 + bperc_stream_below(&s, 21);
    double a = 2 + 10 * bperc_stream_double(&s), exact;
    bperc_bp_report report;
    bperc_instance *in;
    bperc_ensemble_draw(&(bperc_ensemble){.n = n,
                                          .m = 1 + n * (seed % 6) / 10,
                                          .fin = density[seed % 5],
                                          .model = {.a = a, .ties = 0}},
                        seed, &in, NULL);
    bperc_bp_judgement j = judge_instance(in, &opt, &report);
    if (j.outcome == BPERC_BP_CONVERGED) {
      exact = exact_entropy(in);
      assert_true(isfinite(exact));
      assert_close(j.entropy, exact, j.error);
      assert_true(j.entropy > -j.error && j.entropy < M_LN2 + j.error);
      told++;
    }
    bperc_instance_free(in);
  }
  assert_true(told > CENTRED / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trees_with_and_without_solutions),
      cmocka_unit_test(measures_of_contradictions),
      cmocka_unit_test(loopy_entropies_are_possible),
      cmocka_unit_test(centred_seeds),
      cmocka_unit_test(centred_entropies_are_possible),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
