/* Trends: averages and errors against plain sums, verdicts on curves whose
 * trend is known, and the instances behind a load against a literal loop. */
#include "check.h"

#include "../../../cli/trends.h"
#include "bperc/stream.h"

#include <math.h>
#include <string.h>

/* The command line's own sentences are tested there. */
bperc_status cli_measured(bperc_status status, bperc_error *error);
bperc_status cli_measured(bperc_status status, bperc_error *error) {
  (void)error;
  return status;
}

enum { N = 25, ROWS = 40 };

/* ---- statistics */

/* Everything undefined but x*. */
static void fill(bperc_exact_step *steps, double x0, double slope) {
  for (size_t f = 0; f <= N; f++)
    steps[f] = (bperc_exact_step){.xcorr_mean_square = NAN,
                                  .parisi_x = x0 + slope * (double)f / N,
                                  .q_same = NAN,
                                  .q_diff = NAN,
                                  .k_index = NAN,
                                  .largest = 1};
}

static void shares_are_averaged(void **state) {
  bperc_exact_step steps[N + 1];
  trend_kind k = {.n = N};
  (void)state;
  assert_true(trend_init(&k, 2));
  fill(steps, 0.2, 0);
  trend_add(&k, steps);
  fill(steps, 0.6, 0);
  steps[3].parisi_x = NAN;
  trend_add(&k, steps);
  trend_end(&k);
  fill(steps, 77, 0);
  trend_add(&k, steps);
  trend_drop(&k);
  fill(steps, 0.8, 0);
  trend_add(&k, steps);
  trend_end(&k);
  assert_int_equal(k.used, 2);
  assert_close(trend_average(&k, SIZE_MAX, 0, TREND_PARISI), 0.6, 1e-15);
  assert_close(trend_average(&k, SIZE_MAX, 3, TREND_PARISI), 0.5, 1e-15);
  assert_close(trend_average(&k, 0, 0, TREND_PARISI), 0.8, 1e-15);
  assert_true(isnan(trend_average(&k, SIZE_MAX, 0, TREND_SAME)));
  trend_clear(&k);
}

/* The jackknife of a mean is its standard error. */
static void error_of_a_mean(void **state) {
  bperc_exact_step steps[N + 1];
  trend_kind k = {.n = N};
  double sum = 0, squares = 0;
  (void)state;
  assert_true(trend_init(&k, ROWS));
  for (size_t t = 0; t < ROWS; t++) {
    double x = fmod(0.377 * (double)(t * t), 1);
    fill(steps, x, 0);
    trend_add(&k, steps);
    trend_end(&k);
    sum += x;
    squares += x * x;
  }
  double variance = (squares - sum * sum / ROWS) / (ROWS - 1);
  assert_close(trend_error(&k, 5, TREND_PARISI), sqrt(variance / ROWS), 1e-12);
  trend_clear(&k);
}

/* x* = 0.5 + rise alpha + fall N_fix/N + noise of the instance. */
static void draw_curves(trend_figure *figure, double rise, double fall,
                        double noise) {
  bperc_exact_step steps[N + 1];
  bperc_stream stream = bperc_stream_make(5, BPERC_FOR_TRIAL, 0);
  for (size_t a = 0; a < TREND_KINDS; a++) {
    trend_kind *k = &figure->kind[a];
    *k = (trend_kind){.n = N, .alpha = 0.36 + 0.04 * (double)a, .fin = 0.5};
    assert_true(trend_init(k, ROWS));
  }
  for (size_t t = 0; t < ROWS; t++)
    for (size_t a = 0; a < TREND_KINDS; a++) {
      double e = noise * (bperc_stream_double(&stream) - 0.5);
      fill(steps, 0.5 + rise * figure->kind[a].alpha + e, fall + e);
      trend_add(&figure->kind[a], steps);
      trend_end(&figure->kind[a]);
    }
}

/* Verdict on F9.2 and how many of its four statistics point as claimed. */
static void judged(double rise, double fall, double noise, const char *verdict,
                   size_t as_claimed) {
  trend_figure figures[TREND_FIGURES] = {{.number = 7}, {.number = 9}};
  trend_claim claims[TREND_CLAIMS];
  draw_curves(&figures[0], 0, 0, 0);
  draw_curves(&figures[1], rise, fall, noise);
  trend_judge(figures, claims);
  assert_string_equal(claims[5].id, "F9.2");
  assert_string_equal(claims[5].verdict, verdict);
  if (as_claimed <= 4)
    assert_int_equal(claims[5].as_claimed, as_claimed);
  assert_close(claims[5].test[1].value[0], rise, noise == 0 ? 1e-12 : 2);
  trend_close(figures);
}

static void verdicts(void **state) {
  (void)state;
  judged(1, -0.3, 0, "holds", 4);
  judged(1, -0.3, 0.1, "holds", 4);
  judged(-1, -0.3, 0.1, "fails", 3);
  judged(1, 0.3, 0.1, "fails", 1);
  judged(0.02, -0.3, 0.8, "undecided", 5);
}

/* ---- instances */

/* x* of the patterns of `all` but those from `first` on. */
static double literal_x(const bperc_instance *all, size_t first, size_t left) {
  bperc_instance *in;
  bperc_solutions *s;
  bperc_clusters *c;
  size_t kept = 0;
  assert_int_equal(
      bperc_instance_new(all->n, all->m - left, all->a, all->ties, &in, NULL),
      BPERC_OK);
  for (size_t mu = 0; mu < all->m; mu++)
    if (mu < first || mu >= first + left) {
      in->labels[kept] = all->labels[mu];
      memcpy(in->patterns + kept++ * in->words, all->patterns + mu * all->words,
             in->words * sizeof(uint64_t));
    }
  bperc_instance_settle(in);
  assert_int_equal(bperc_exact_list(in, NULL, NULL, 1, NULL, &s, NULL),
                   BPERC_OK);
  double x = NAN;
  if (s->count > 0) {
    assert_int_equal(bperc_clusters_new(s, &c), BPERC_OK);
    x = c->parisi_x;
    bperc_clusters_free(c);
  }
  bperc_solutions_free(s);
  bperc_instance_free(in);
  return x;
}

/* The first instance of figure 9 is the first draw with solutions at the
 * largest load; at smaller loads it is the mean over the patterns left out. */
static void loads_leave_out_every_block(void **state) {
  const trend_draws how = {.n = N,
                           .instances = 1,
                           .threshold_a = 12,
                           .seed = 3,
                           .most = 1000000,
                           .threads = 1};
  trend_figure figures[TREND_FIGURES];
  bperc_instance *all;
  bool more;
  (void)state;
  assert_int_equal(trend_open(&how, figures, NULL), BPERC_OK);
  trend_figure *nine = &figures[1];
  assert_int_equal(trend_grow(&how, nine, &more, NULL), BPERC_OK);
  assert_false(more);
  assert_int_equal(nine->kind[0].used, 1);
  uint64_t seed = bperc_stream_seed(3, BPERC_FOR_TRIAL,
                                    (uint64_t)N << 32 | (nine->draws - 1));
  bperc_instance_generate(N, 12, 0.5, 12, BPERC_TIES_ZERO, seed, &all, NULL);
  static const size_t left[TREND_KINDS] = {3, 2, 0}; /* 9, 10, 12 patterns */
  for (size_t a = 0; a < TREND_KINDS; a++) {
    size_t blocks = left[a] ? 12 / left[a] : 1;
    double sum = 0;
    for (size_t b = 0; b < blocks; b++)
      sum += literal_x(all, b * left[a], left[a]);
    assert_close(trend_average(&nine->kind[a], SIZE_MAX, 0, TREND_PARISI),
                 sum / (double)blocks, 1e-12);
  }
  bperc_instance_free(all);
  trend_close(figures);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shares_are_averaged),
      cmocka_unit_test(error_of_a_mean),
      cmocka_unit_test(verdicts),
      cmocka_unit_test(loads_leave_out_every_block),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
