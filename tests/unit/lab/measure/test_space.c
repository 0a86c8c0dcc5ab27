/* Measurements of solution spaces against literal enumeration: clusters, late,
 * map; coupled against the space listed again. */
#include "measured.h"

#include "../../../oracle/literal.h"
#include "bperc/ensemble.h"
#include "bperc/exact.h"
#include "bperc/stream.h"

#include <math.h>
#include <stdlib.h>

/* How many clusters, and the size of the largest. */
static size_t clusters_of(const uint32_t *of, size_t count, size_t *largest) {
  size_t clusters = 0;
  *largest = 0;
  for (size_t k = 0; k < count; k++) {
    size_t size = 0;
    for (size_t l = 0; l < count; l++)
      size += of[l] == k;
    clusters += size > 0;
    *largest = size > *largest ? size : *largest;
  }
  return clusters;
}

/* ---- clusters */

/* Overlaps of pairs of different solutions of one cluster, pair by pair, and
 * sizes by class. */
static void check_averages(const measured *t, const uint32_t *list,
                           const uint32_t *of, size_t count, size_t n) {
  double same = 0, pairs = 0, all_same = 0, all_diff = 0, share = 0;
  for (size_t k = 0; k < count; k++)
    for (size_t l = 0; l < count; l++) {
      double q = (double)__builtin_popcount(list[k] & list[l]) / (double)n;
      if (of[k] != of[l])
        all_diff += q;
      else
        all_same += q;
      if (of[k] == of[l] && k != l) {
        same += q;
        pairs++;
      }
    }
  if (pairs > 0)
    assert_close(number(t, "q_distinct", 0), same / pairs, 1e-12);
  else
    assert_true(isnan(number(t, "q_distinct", 0)));
  assert_close(number(t, "same", 0), all_same / (double)(count * count), 1e-12);
  assert_close(number(t, "diff", 0), all_diff / (double)(count * count), 1e-12);
  for (size_t k = 0; k < count; k++) {
    size_t size = 0;
    for (size_t l = 0; l < count; l++)
      size += of[l] == of[k];
    share += size >= 4 && size < 8;
  }
  assert_close(number(t, "sizes/share", 2), share / (double)count, 1e-12);
  assert_close(number(t, "sizes/size", 2), 4, 0);
}

static void check_clusters(const measured *t, const uint32_t *list,
                           size_t count, size_t n) {
  uint32_t *of = malloc((count + 1) * sizeof *of);
  size_t largest, clusters;
  literal_geometry g;
  literal_clusters(list, count, of);
  clusters = clusters_of(of, count, &largest);
  g = literal_measure(list, of, count, n, (1u << n) - 1);
  assert_close(number(t, "clusters", 0), (double)clusters, 0);
  assert_close(number(t, "log_count", 0), log((double)count), 1e-12);
  assert_close(number(t, "entropy", 0), log((double)count) / (double)n, 1e-12);
  assert_close(number(t, "largest", 0), (double)largest / (double)count, 1e-12);
  assert_close(number(t, "parisi_x", 0), g.parisi_x, 1e-12);
  assert_close(number(t, "q_same", 0), g.q_same, 1e-12);
  assert_close(number(t, "xcorr_mean", 0), g.xcorr, 1e-12);
  assert_close(number(t, "xcorr_mean_square", 0), g.xcorr_square, 1e-12);
  if (clusters > 1) {
    double gap = g.q_same - g.q_diff;
    assert_close(number(t, "q_diff", 0), g.q_diff, 1e-12);
    assert_close(number(t, "gap", 0), gap, 1e-12);
    assert_close(number(t, "predicted", 0),
                 g.parisi_x * (1 - g.parisi_x) * gap * gap / 3, 1e-12);
  } else
    assert_true(isnan(number(t, "gap", 0)));
  check_averages(t, list, of, count, n);
  free(of);
}

static void clusters_of_small_spaces(void **state) {
  size_t several = 0, unsolvable = 0;
  (void)state;
  for (uint32_t k = 0; k < 12; k++) {
    measured t = measured_run("clusters\nn = 13\na = 5.3\nalpha = 0.62\n"
                              "fin = 0.43\n",
                              k);
    bperc_instance *p = measured_problem(&t, 13, 8, 0.43, 5.3);
    uint32_t *list;
    size_t count = literal_solutions(p, NULL, &list), none;
    assert_close(number(&t, "solvable", 0), count > 0, 0);
    if (count) {
      assert_close(number(&t, "listed", 0), 1, 0);
      check_clusters(&t, list, count, 13);
      several += number(&t, "clusters", 0) > 1;
    } else
      assert_null(numbers(&t, "parisi_x", &none));
    unsolvable += count == 0;
    free(list);
    bperc_instance_free(p);
    measured_clear(&t);
  }
  assert_true(several > 0 && unsolvable < 12); /* both branches were seen */
}

static void large_spaces_are_left_out_and_counted(void **state) {
  measured t =
      measured_run("clusters\nn = 13\na = 5.3\nalpha = 0\nmost = 99\n", 0);
  size_t none;
  (void)state;
  assert_close(number(&t, "solvable", 0), 1, 0);
  assert_close(number(&t, "listed", 0), 0, 0);
  assert_null(numbers(&t, "log_count", &none));
  measured_clear(&t);
}

/* ---- uniform */

/* Exact uniform decimation draws every solution with the same probability. */
static void uniform_decimation_is_uniform(void **state) {
  bperc_ensemble e = {.n = 9, .m = 4, .fin = 0.5, .model = {.a = 5}};
  bperc_instance *p;
  bperc_solutions *all;
  enum { DRAWS = 4000 };
  double *hits, chi2 = 0, expected;
  (void)state;
  assert_int_equal(bperc_ensemble_draw(&e, 1, &p, NULL), BPERC_OK);
  assert_int_equal(bperc_i_order_list(p, NULL, 0, 1000, &all, NULL), BPERC_OK);
  assert_true(all->count > 10 && all->count < 200);
  hits = calloc(all->count, sizeof *hits);
  expected = DRAWS / (double)all->count;
  for (uint64_t k = 0; k < DRAWS; k++) {
    uint64_t weights = 0;
    bperc_order o;
    assert_int_equal(bperc_decimate_exactly(p, all, &k, &o, NULL), BPERC_OK);
    assert_true(o.outcome == BPERC_SOLVED);
    for (size_t j = 0; j < o.fixed; j++)
      weights |= (uint64_t)o.value[j] << o.weight[j];
    hits[bperc_solutions_find(all, &weights)]++;
    bperc_order_clear(&o);
  }
  for (size_t k = 0; k < all->count; k++)
    chi2 += (hits[k] - expected) * (hits[k] - expected) / expected;
  /* Five standard deviations of chi-square; seeds are fixed. */
  assert_true(chi2 < (double)all->count + 5 * sqrt(2 * (double)all->count));
  free(hits);
  bperc_solutions_free(all);
  bperc_instance_free(p);
}

/* Solutions that agree with the first `at` weights of an order, listed anew. */
static size_t agreeing(const bperc_instance *p, const bperc_order *o,
                       size_t at) {
  bperc_solutions *list;
  size_t count;
  assert_int_equal(bperc_i_order_list(p, o, at, 1000000, &list, NULL),
                   BPERC_OK);
  count = list->count;
  bperc_solutions_free(list);
  return count;
}

static void uniform_is_lost_where_no_solution_agrees(void **state) {
  size_t lost = 0, solved = 0, none;
  (void)state;
  for (uint32_t k = 0; k < 16; k++) {
    measured t = measured_run("uniform\nn = 25\na = 12\nalpha = 0.48\n"
                              "fin = 0.5\n",
                              k);
    bperc_instance *p = measured_problem(&t, 25, 12, 0.5, 12);
    uint64_t seed = bperc_i_problem_seed(&t.in, 2);
    bperc_order o;
    assert_int_equal(bperc_i_order_bpd(p, t.in.groups[0],
                                       bperc_i_problem_seed(&t.in, 1), &seed,
                                       &o, NULL),
                     BPERC_OK);
    if (number(&t, "satisfiable", 0) == 0)
      assert_null(numbers(&t, "lost", &none));
    else if (o.outcome == BPERC_SOLVED) {
      assert_true(isnan(number(&t, "lost", 0)));
      assert_int_equal(agreeing(p, &o, 25), 1);
      solved++;
    } else {
      size_t at = (size_t)nearbyint(number(&t, "lost", 0) * 25);
      assert_true(agreeing(p, &o, at - 1) > 0);
      assert_int_equal(agreeing(p, &o, at), 0);
      lost++;
    }
    if (number(&t, "satisfiable", 0) > 0) {
      assert_close(number(&t, "exact", 0), 1, 0);
      assert_close(number(&t, "step/parisi_x", 25), 0, 0);
    }
    bperc_order_clear(&o);
    bperc_instance_free(p);
    measured_clear(&t);
  }
  assert_true(lost > 0 && solved > 0); /* both were seen */
}

/* ---- late */

/* One stage: all solutions that agree with the first weights of the order. */
static void check_stage(const measured *t, const bperc_instance *p,
                        const bperc_order *order, size_t at, size_t stage) {
  int8_t fixed[32];
  uint32_t *list, *of, unfixed = (1u << p->n) - 1;
  size_t count, largest, clusters;
  literal_geometry g;
  memset(fixed, -1, sizeof fixed);
  for (size_t k = 0; k < at; k++) {
    fixed[order->weight[k]] = (int8_t)order->value[k];
    unfixed &= ~(1u << order->weight[k]);
  }
  count = literal_solutions(p, fixed, &list);
  of = malloc((count + 1) * sizeof *of);
  literal_clusters(list, count, of);
  clusters = clusters_of(of, count, &largest);
  g = literal_measure(list, of, count, p->n, unfixed);
  assert_close(number(t, "stage/listed", stage), 1, 0);
  assert_close(number(t, "stage/log_count", stage), log((double)count), 1e-12);
  assert_close(number(t, "stage/xcorr", stage), g.xcorr, 1e-12);
  assert_close(number(t, "stage/xcorr2", stage), g.xcorr_square, 1e-12);
  assert_close(number(t, "stage/parisi_x", stage), g.parisi_x, 1e-12);
  assert_close(number(t, "stage/q_same", stage), g.q_same, 1e-12);
  if (clusters > 1)
    assert_close(number(t, "stage/gap", stage), g.q_same - g.q_diff, 1e-12);
  else
    assert_true(isnan(number(t, "stage/gap", stage)));
  free(list);
  free(of);
}

static void late_stages_are_the_unfixed_weights(void **state) {
  size_t seen = 0;
  (void)state;
  for (uint32_t k = 0; k < 6; k++) {
    /* 17 weights, stages after 5, 8, 11, 14 of them; 10 unfixed at most. */
    measured t = measured_run("late\nn = 17\na = 5.3\nalpha = 0.35\n"
                              "fin = 0.43\nfrom = 0.3\nstages = 4\nleft = 10\n",
                              k);
    bperc_instance *p = measured_problem(&t, 17, 6, 0.43, 5.3);
    bperc_order order = measured_decimate(&t, p, 0, 1);
    assert_close(number(&t, "decimated", 0), order.outcome == BPERC_SOLVED, 0);
    if (order.outcome == BPERC_SOLVED) {
      check_stage(&t, p, &order, 14, 3);
      check_stage(&t, p, &order, 11, 2);
      check_stage(&t, p, &order, 8, 1);
      assert_close(number(&t, "stage/share", 1), 0.3 + 0.7 / 4, 1e-12);
      assert_close(number(&t, "stage/listed", 0), 0, 0);
      assert_true(isnan(number(&t, "stage/log_count", 0)));
      seen++;
    }
    bperc_order_clear(&order);
    bperc_instance_free(p);
    measured_clear(&t);
  }
  assert_true(seen > 2);
}

/* ---- map */

/* Fixes the most polarised weight of the list, again and again, as the
 * interface defines it; how many solutions are left after `steps` of them. */
static size_t decimate(uint32_t *list, size_t count, size_t n, size_t steps) {
  uint32_t done = 0;
  while (steps-- > 0) {
    size_t best = 0, least = SIZE_MAX, ones = 0, kept = 0;
    for (size_t i = 0; i < n; i++) {
      size_t one = 0;
      for (size_t k = 0; k < count; k++)
        one += list[k] >> i & 1;
      if (!(done >> i & 1) && (one < count - one ? one : count - one) < least) {
        least = one < count - one ? one : count - one;
        ones = one;
        best = i;
      }
    }
    for (size_t k = 0; k < count; k++)
      if ((list[k] >> best & 1) == (2 * ones >= count))
        list[kept++] = list[k];
    count = kept;
    done |= 1u << best;
  }
  return count;
}

static int ascending(const void *a, const void *b) {
  return (*(const size_t *)a > *(const size_t *)b) -
         (*(const size_t *)a < *(const size_t *)b);
}

/* The median number of solutions of `many` candidates. */
static size_t median_count(const measured *t, size_t many) {
  size_t counts[16];
  for (size_t k = 0; k < many; k++) {
    bperc_instance *p;
    uint32_t *list;
    uint64_t seed =
        bperc_stream_seed(bperc_i_problem_seed(&t->in, 0), BPERC_FOR_TRIAL, k);
    assert_int_equal(bperc_ensemble_draw(
                         &(bperc_ensemble){
                             .n = 13, .m = 6, .fin = 0.43, .model = {.a = 5.3}},
                         seed, &p, NULL),
                     BPERC_OK);
    counts[k] = literal_solutions(p, NULL, &list);
    free(list);
    bperc_instance_free(p);
  }
  qsort(counts, many, sizeof *counts, ascending);
  return counts[many / 2];
}

/* (b - a) / max(a, b) averaged over points, from the recorded points alone. */
static double literal_silhouette(const double *x, const double *y,
                                 const double *cluster, size_t count,
                                 size_t clusters) {
  double total = 0;
  for (size_t p = 0; p < count; p++) {
    double inside = NAN, outside = INFINITY;
    for (size_t g = 0; g < clusters; g++) {
      double sum = 0, members = 0;
      for (size_t q = 0; q < count; q++)
        if (q != p && cluster[q] == (double)g) {
          sum += sqrt((x[p] - x[q]) * (x[p] - x[q]) +
                      (y[p] - y[q]) * (y[p] - y[q]));
          members += 1;
        }
      if ((double)g == cluster[p])
        inside = members > 0 ? sum / members : NAN;
      else if (members > 0 && sum / members < outside)
        outside = sum / members;
    }
    if (!isnan(inside))
      total += (outside - inside) / (outside > inside ? outside : inside);
  }
  return total / (double)count;
}

static void maps_show_the_median_instance(void **state) {
  (void)state;
  for (uint32_t k = 0; k < 3; k++) {
    measured t = measured_run("map\nn = 13\na = 5.3\nalpha = 0.46\nfin = 0.43\n"
                              "candidates = 9\nstages = 3\nlast = 5\n",
                              k);
    size_t full = median_count(&t, 9), points, clusters;
    char name[32];
    assert_close(number(&t, "solutions", 0), (double)full, 0);
    for (size_t s = 0; full && s < 3; s++) {
      const double *x, *y, *cluster;
      snprintf(name, sizeof name, "map%zu/x", s);
      x = numbers(&t, name, &points);
      snprintf(name, sizeof name, "map%zu/y", s);
      y = numbers(&t, name, &points);
      snprintf(name, sizeof name, "map%zu/cluster", s);
      cluster = numbers(&t, name, &points);
      clusters = (size_t)number(&t, "stage/clusters", s);
      assert_close(number(&t, "stage/fixed", s), (double)(s * 5 / 2), 0);
      assert_close(number(&t, "stage/solutions", s), (double)points, 0);
      if (clusters > 1)
        assert_close(number(&t, "stage/silhouette", s),
                     literal_silhouette(x, y, cluster, points, clusters),
                     1e-12);
    }
    measured_clear(&t);
  }
}

/* With one candidate the instance is known: stages against the literal
 * decimation and clusters. */
static void maps_follow_exact_decimation(void **state) {
  size_t seen = 0;
  (void)state;
  for (uint32_t k = 0; k < 5; k++) {
    measured t = measured_run("map\nn = 13\na = 5.3\nalpha = 0.46\nfin = 0.43\n"
                              "candidates = 1\nstages = 3\nlast = 5\n",
                              k);
    uint64_t seed =
        bperc_stream_seed(bperc_i_problem_seed(&t.in, 0), BPERC_FOR_TRIAL, 0);
    bperc_instance *p;
    uint32_t *list, *of;
    size_t count;
    assert_int_equal(bperc_ensemble_draw(
                         &(bperc_ensemble){
                             .n = 13, .m = 6, .fin = 0.43, .model = {.a = 5.3}},
                         seed, &p, NULL),
                     BPERC_OK);
    for (size_t s = 0; s < 3; s++) {
      size_t largest, clusters;
      count = literal_solutions(p, NULL, &list);
      if (count) {
        count = decimate(list, count, 13, s * 5 / 2);
        of = malloc((count + 1) * sizeof *of);
        literal_clusters(list, count, of);
        clusters = clusters_of(of, count, &largest);
        assert_close(number(&t, "stage/solutions", s), (double)count, 0);
        assert_close(number(&t, "stage/clusters", s), (double)clusters, 0);
        assert_close(number(&t, "stage/largest", s),
                     (double)largest / (double)count, 1e-12);
        free(of);
        seen++;
      }
      free(list);
    }
    bperc_instance_free(p);
    measured_clear(&t);
  }
  assert_true(seen > 3);
}

/* ---- coupled */

/* The first patterns of the draw that was taken, at f_in = 0.5. */
static bperc_instance *coupled_problem(const measured *t, size_t n,
                                       double alpha) {
  size_t m = (size_t)(0.48 * (double)n + 0.5);
  size_t left = m - (size_t)(alpha * (double)n + 0.5);
  uint64_t draw =
      (uint64_t)(number(t, "unsatisfiable", 0) + number(t, "large", 0));
  bperc_instance *all, *out;
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = n, .m = m, .fin = 0.5, .model = {.a = 12}},
          bperc_i_problem_seed(&t->in, draw), &all, NULL),
      BPERC_OK);
  assert_int_equal(bperc_instance_without(all, m - left, left, &out, NULL),
                   BPERC_OK);
  bperc_instance_free(all);
  return out;
}

static void check_coupled(const measured *t, size_t n, double alpha) {
  bperc_instance *p = coupled_problem(t, n, alpha);
  bperc_solutions *s;
  bperc_clusters *c;
  assert_int_equal(
      bperc_exact_list(p, NULL, &(bperc_space_options){.threads = 1}, &s, NULL),
      BPERC_OK);
  assert_true(s->count > 0);
  assert_int_equal(bperc_clusters_new(s, &c), BPERC_OK);
  assert_close(number(t, "step/parisi_x", 0), c->parisi_x, 1e-12);
  assert_close(number(t, "largest", 0), log((double)c->size[0]) / (double)n,
               1e-12);
  bperc_clusters_free(c);
  bperc_solutions_free(s);
  bperc_instance_free(p);
}

/* Kinds of one instance come from one draw, and each is measured on it. */
static void coupled_kinds_share_their_draw(void **state) {
  static const char *const kinds[2][3] = {{"0.3", "0.4", "0.5"},
                                          {"0.36", "0.4", "0.48"}};
  double left_out = 0;
  (void)state;
  for (int along = 0; along < 2; along++)
    for (uint32_t i = 0; i < 6; i++) {
      double first[2] = {0, 0};
      for (int k = 0; k < 3; k++) {
        char keys[200];
        measured t;
        snprintf(keys, sizeof keys, "coupled\nn = 12\nalong = %s\n%s = %s\n",
                 along ? "alpha" : "fin", along ? "alpha" : "fin",
                 kinds[along][k]);
        t = measured_run(keys, i);
        assert_close(number(&t, "found", 0), 1, 0);
        if (k == 0) {
          first[0] = number(&t, "unsatisfiable", 0);
          first[1] = number(&t, "large", 0);
        }
        assert_close(number(&t, "unsatisfiable", 0), first[0], 0);
        assert_close(number(&t, "large", 0), first[1], 0);
        left_out += first[0];
        if (along == 0 && k == 2)
          check_coupled(&t, 12, 0.36);
        if (along == 1 && k == 2)
          check_coupled(&t, 12, 0.48);
        measured_clear(&t);
      }
    }
  assert_true(left_out > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clusters_of_small_spaces),
      cmocka_unit_test(uniform_decimation_is_uniform),
      cmocka_unit_test(uniform_is_lost_where_no_solution_agrees),
      cmocka_unit_test(large_spaces_are_left_out_and_counted),
      cmocka_unit_test(late_stages_are_the_unfixed_weights),
      cmocka_unit_test(maps_show_the_median_instance),
      cmocka_unit_test(maps_follow_exact_decimation),
      cmocka_unit_test(coupled_kinds_share_their_draw),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
