/* A small problem through the whole library, checked against literal code and
 * against theorems. The bytes are the problem (problem.h); the first chooses
 * what is checked besides the list of solutions. */
#include "problem.h"

#include "bperc/bperc.h"
#include "instance.h"
#include "literal.h"

typedef struct {
  problem p;
  bperc_instance *in;
  uint32_t *list; /* all solutions, by the definition */
  size_t count;
  bperc_solutions *s; /* the same by the library */
  source *bytes;
} work;

static size_t literal_errors(const bperc_instance *in, uint32_t w) {
  size_t errors = 0;
  for (size_t mu = 0; mu < in->m; mu++)
    errors += !literal_satisfied(in, mu, w);
  return errors;
}

static int is_solution(const work *w, uint32_t weights) {
  for (size_t k = 0; k < w->count; k++)
    if (w->list[k] == weights)
      return 1;
  return 0;
}

/* ---- the space itself */

static uint64_t count_of(const bperc_instance *in, int method) {
  bperc_exact_options options;
  bperc_exact_answer answer;
  bperc_options_default(bperc_exact_option_table(), &options);
  options.method = method;
  assert(bperc_exact_count(in, &options, &(bperc_space_options){.threads = 1},
                           &answer, NULL) == BPERC_OK);
  assert(answer.complete);
  return answer.count.word[0];
}

static void check_list(work *w) {
  assert(bperc_exact_list(w->in, NULL, &(bperc_space_options){.threads = 1},
                          &w->s, NULL) == BPERC_OK);
  assert(w->s->count == w->count && w->s->complete);
  assert(bperc_solutions_check(w->s, w->in) == NULL);
  for (size_t k = 0; k < w->count; k++) {
    uint64_t weights;
    bperc_solutions_weights(w->s, k, &weights);
    assert(is_solution(w, (uint32_t)weights));
  }
  assert(count_of(w->in, BPERC_EXACT_SEARCH) == w->count);
  assert(count_of(w->in, BPERC_EXACT_GRAY) == w->count);
}

/* Every solution of `other` is map(a solution of w), and so many there are. */
static void check_image(const work *w, const problem *p,
                        uint32_t map(const void *how, uint32_t weights),
                        const void *how) {
  bperc_instance *in = make_instance(p);
  bperc_solutions *s;
  assert(bperc_exact_list(in, NULL, &(bperc_space_options){.threads = 1}, &s,
                          NULL) == BPERC_OK);
  assert(s->count == w->count);
  for (size_t k = 0; k < w->count; k++) {
    uint64_t image = map(how, w->list[k]);
    assert(bperc_solutions_find(s, &image) != SIZE_MAX);
  }
  bperc_solutions_free(s);
  bperc_instance_free(in);
}

typedef struct {
  size_t n, to[MOST_N];
} permutation;

static uint32_t permute(const void *how, uint32_t weights) {
  const permutation *p = how;
  uint32_t out = 0;
  for (size_t i = 0; i < p->n; i++)
    out |= (weights >> i & 1) << p->to[i];
  return out;
}

static uint32_t flip(const void *mask, uint32_t weights) {
  return weights ^ *(const uint32_t *)mask;
}

/* Permuted weights have permuted solutions. */
static void check_permutation(work *w) {
  permutation how = {.n = w->p.n};
  problem q = permuted(&w->p, w->bytes, how.to);
  check_image(w, &q, permute, &how);
}

/* Signs and complements: problem.h says which solutions to expect. */
static void check_complements(work *w) {
  uint32_t all = (1u << w->p.n) - 1, columns = take(w->bytes) & all, none = 0;
  int size;
  problem q;
  if (w->p.model.weights == BPERC_WEIGHTS_PM) {
    q = gauged(&w->p, columns);
    check_image(w, &q, flip, &columns);
  }
  if (w->p.model.ties == BPERC_TIES_ZERO)
    return;
  q = negated(&w->p);
  check_image(w, &q, flip, &none);
  if (w->p.model.weights == BPERC_WEIGHTS_01 &&
      w->p.model.inputs == BPERC_INPUTS_01 && same_sizes(&w->p, &size)) {
    q = complemented(&w->p, size);
    check_image(w, &q, flip, &all);
  }
}

/* One more pattern: no more solutions, and all of them old ones. The same
 * pattern twice changes nothing. */
static void check_more_patterns(work *w) {
  problem q = w->p;
  bperc_instance *in, *less;
  uint32_t *list;
  take_row(w->bytes, &q, q.m++);
  in = make_instance(&q);
  size_t count = literal_solutions(in, NULL, &list);
  assert(count <= w->count && count_of(in, BPERC_EXACT_SEARCH) == count);
  for (size_t k = 0; k < count; k++)
    assert(is_solution(w, list[k]));
  free(list);
  assert(bperc_instance_without(in, q.m - 1, 1, &less, NULL) == BPERC_OK);
  assert(count_of(less, BPERC_EXACT_SEARCH) == w->count);
  bperc_instance_free(less);
  bperc_instance_free(in);
  if (w->p.m) {
    memcpy(q.x[w->p.m], q.x[0], sizeof q.x[0]);
    q.label[w->p.m] = q.label[0];
    uint32_t none = 0;
    check_image(w, &q, flip, &none);
  }
}

/* ---- measures of the space */

static void check_moments(const work *w) {
  double marginals[MOST_N], ones = 0, weight = 0;
  bperc_moments m;
  if (!w->count)
    return;
  assert(bperc_solutions_moments(w->s, &m, marginals, NULL) == BPERC_OK);
  assert(fabs(m.log_count - log((double)w->count)) < 1e-12);
  for (size_t k = 0; k < w->count; k++)
    weight += __builtin_popcount(w->list[k]);
  for (size_t i = 0; i < w->p.n; i++) {
    assert(marginals[i] >= 0 && marginals[i] <= 1);
    ones += marginals[i] * (double)w->count;
  }
  assert(fabs(ones - weight) < 1e-9 * (1 + weight));
}

static void check_clusters(const work *w) {
  uint32_t of[1 << MOST_N];
  bperc_clusters *c;
  size_t total = 0;
  if (!w->count || w->count > 128)
    return;
  literal_clusters(w->list, w->count, of);
  literal_geometry g =
      literal_measure(w->list, of, w->count, w->p.n, (1u << w->p.n) - 1);
  assert(bperc_clusters_new(w->s, &c) == BPERC_OK);
  for (size_t k = 0; k < c->count; k++)
    total += c->size[k];
  assert(total == w->count);
  assert(fabs(c->parisi_x - g.parisi_x) < 1e-12);
  for (size_t k = 0; k < w->count; k++)
    for (size_t l = 0; l < k; l++) {
      uint64_t a = w->list[k], b = w->list[l];
      assert((of[k] == of[l]) == (c->of[bperc_solutions_find(w->s, &a)] ==
                                  c->of[bperc_solutions_find(w->s, &b)]));
    }
  bperc_clusters_free(c);
}

/* A walk ends at a solution of the cluster in which it began. */
static void check_walk(const work *w) {
  uint32_t of[1 << MOST_N];
  size_t from, to = SIZE_MAX;
  bperc_walk_run how;
  bperc_walk_result walk;
  uint64_t weights;
  if (!w->count || w->count > 128)
    return;
  literal_clusters(w->list, w->count, of);
  from = take(w->bytes) % w->count;
  weights = w->list[from];
  how.sweeps = 1 + take(w->bytes) % 5;
  how.seed = take(w->bytes);
  assert(bperc_walk_sweeps(w->in, NULL, &how, &weights, &walk, NULL) ==
         BPERC_OK);
  for (size_t k = 0; k < w->count; k++)
    if (w->list[k] == weights)
      to = k;
  assert(to != SIZE_MAX && of[to] == of[from]);
  assert(walk.distance ==
         (size_t)__builtin_popcountll(weights ^ w->list[from]));
}

/* Decimation with exact marginals halves the space at most, and ends at a
 * solution; uniform decimation ends at one too. */
static void check_decimation(const work *w) {
  for (int kind = 0; kind < 2; kind++) {
    uint64_t seed = take(w->bytes);
    uint32_t seen = 0, weights = 0;
    bperc_order o;
    assert(bperc_decimate_exactly(w->in, w->s, kind ? &seed : NULL, &o, NULL) ==
           BPERC_OK);
    assert((o.outcome == BPERC_SOLVED) == (w->count > 0));
    for (size_t k = 0; k < o.fixed; k++) {
      seen |= 1u << o.weight[k];
      weights |= (uint32_t)o.value[k] << o.weight[k];
    }
    if (w->count)
      assert(seen == (1u << w->p.n) - 1 && is_solution(w, weights));
    for (size_t k = 0; w->count && !kind && k < o.fixed; k++)
      assert(o.log_count[k + 1] <= o.log_count[k] + 1e-9 &&
             o.log_count[k + 1] >= o.log_count[k] - log(2) - 1e-9);
    bperc_order_clear(&o);
  }
}

static void check_sample(const work *w) {
  uint64_t drawn[8];
  bperc_exact_answer answer;
  assert(bperc_exact_sample(
             w->in,
             &(bperc_space_options){.seed = take(w->bytes), .threads = 1}, 8,
             drawn, &answer, NULL) == BPERC_OK);
  assert(answer.count.word[0] == w->count);
  for (size_t k = 0; w->count && k < 8; k++)
    assert(is_solution(w, (uint32_t)drawn[k]));
}

static void check_space(work *w) {
  check_moments(w);
  check_clusters(w);
  check_walk(w);
  check_decimation(w);
  check_sample(w);
}

/* ---- solvers */

/* A few steps: what is checked is what is said, not what is found. */
static void few_steps(const bperc_solver_class *solver, void *options) {
  static const char *const budgets[] = {"max_sweeps", "max_iterations",
                                        "quick_sweeps", "proof_after"};
  bperc_option_table table = solver->options();
  bperc_options_default(table, options);
  for (size_t k = 0; k < 4; k++) {
    const bperc_option *row = bperc_options_find(table, budgets[k]);
    if (row)
      assert(bperc_options_set(row, options, "30", NULL) == BPERC_OK);
  }
}

static void check_solver(const work *w, const bperc_solver_class *solver) {
  _Alignas(16) char options[BPERC_SOLVER_OPTIONS_MOST];
  bperc_run_result r;
  int32_t integers[MOST_N];
  bperc_error error;
  few_steps(solver, options);
  bperc_status status = bperc_run(
      solver, w->in, options,
      &(bperc_run_options){.seed = take(w->bytes), .threads = 1}, &r, &error);
  if (status != BPERC_OK) { /* not for this kind of problem */
    assert(status == BPERC_E_ARGUMENT && error.text[0]);
    return;
  }
  if (r.weights) {
    assert(r.errors == literal_errors(w->in, (uint32_t)r.weights[0]));
    assert(r.outcome != BPERC_SOLVED || w->count > 0);
    if (solver->complete && r.outcome == BPERC_CONTRADICTION)
      assert(w->count == 0);
    if (!strcmp(solver->name, "exact"))
      assert((r.outcome == BPERC_SOLVED) == (w->count > 0));
  } else {
    memcpy(integers, r.integers, w->p.n * sizeof *integers);
    assert(bperc_verify_integers(w->in, integers, NULL).errors == r.errors);
    assert(r.outcome != BPERC_SOLVED || !r.errors);
  }
  bperc_run_clear(&r);
}

static void check_solvers(work *w) {
  for (size_t k = 0; bperc_solvers()[k]; k++)
    check_solver(w, bperc_solvers()[k]);
}

static void check_least_errors(work *w) {
  bperc_least_errors out;
  uint64_t weights = 0;
  size_t least = SIZE_MAX;
  for (uint32_t v = 0; v < 1u << w->p.n; v++) {
    size_t errors = literal_errors(w->in, v);
    least = errors < least ? errors : least;
  }
  assert(bperc_exact_least_errors(w->in, NULL, &weights, &out, NULL) ==
         BPERC_OK);
  assert(out.proven && out.cost == least && out.floor == least);
  assert((least == 0) == (w->count > 0));
  assert(literal_errors(w->in, (uint32_t)weights) == least);
}

/* ---- belief propagation */

static void check_local(const work *w) {
  bperc_local_options options;
  bperc_local_point points[2];
  uint64_t weights = w->list[take(w->bytes) % w->count];
  double one_flip;
  bperc_options_default(bperc_local_option_table(), &options);
  options.points = 2;
  assert(bperc_local_entropy(
             w->in, &weights, &options,
             &(bperc_local_run){.seed = 1, .threads = 1, .one_flip = &one_flip},
             points, NULL) == BPERC_OK);
  if (isfinite(one_flip))
    assert(fabs(one_flip - (double)literal_near(w->list, w->count,
                                                (uint32_t)weights, 1)) < 1e-3);
}

/* Exact where patterns and weights form no loop. */
static void check_tree(const work *w, bperc_bp *bp, const double *p) {
  double exact[MOST_N];
  bperc_moments m;
  assert(bperc_solutions_moments(w->s, &m, exact, NULL) == BPERC_OK);
  for (size_t i = 0; i < w->p.n; i++)
    assert(fabs(p[i] - exact[i]) < 1e-4);
  assert(fabs(bperc_bp_log_z(bp) - m.log_count) < 1e-4);
  check_local(w);
}

static void check_bp(work *w) {
  bperc_bp *bp;
  bperc_bp_report report;
  bperc_xcorr c;
  double p[MOST_N];
  assert(bperc_bp_new(w->in, NULL, take(w->bytes), 1, &bp, NULL) == BPERC_OK);
  if (bperc_bp_violated(bp) < w->p.m) {
    assert(w->count == 0);
    bperc_bp_free(bp);
    return;
  }
  assert(bperc_bp_converge(bp, &report) == BPERC_OK);
  bperc_bp_marginals(bp, p);
  for (size_t i = 0; i < w->p.n; i++)
    assert(p[i] >= 0 && p[i] <= 1);
  if (w->count && is_tree(&w->p)) {
    assert(report.converged);
    check_tree(w, bp, p);
  }
  if (report.converged && w->count) {
    assert(bperc_xcorr_measure(bp, NULL,
                               &(bperc_xcorr_run){.seed = 1, .threads = 1}, &c,
                               NULL) == BPERC_OK);
    assert(!c.converged || c.sampled <= w->p.n);
  }
  bperc_bp_free(bp);
}

/* ---- own data */

/* Errors at a threshold by plain sums: margin and ties play no part. */
static size_t plain_errors(const bperc_instance *in, double theta, uint32_t w) {
  size_t errors = 0;
  for (size_t mu = 0; mu < in->m; mu++)
    errors += (literal_sum(in, mu, w) > theta) != in->labels[mu];
  return errors;
}

/* A model that is written, read and applied says what the weights say. */
static void check_model(const work *w, double theta, uint64_t weights) {
  bperc_error error;
  bperc_encoding *e = NULL;
  bperc_instance *in, *again;
  bperc_classifier *read;
  char *text = NULL;
  size_t size, model_size;
  int labelled;
  FILE *stream = open_memstream(&text, &size);
  assert(stream);
  assert(bperc_instance_print(w->in, BPERC_FORMAT_TEXT, stream, &error) ==
         BPERC_OK);
  fclose(stream);
  assert(bperc_data_read(fuzz_file((uint8_t *)text, size), NULL, NULL, &e, &in,
                         &error) == BPERC_OK);
  bperc_classifier c = {.encoding = e, .n = in->n, .weights = &weights};
  c.model = bperc_instance_model(in);
  c.model.a = 0;
  c.model.theta = theta;
  assert(bperc_classifier_write(&c, "model", &error) == BPERC_OK);
  const uint8_t *model = fuzz_written(&model_size);
  assert(bperc_classifier_read(fuzz_file(model, model_size), &read, &error) ==
         BPERC_OK);
  assert(read->n == w->p.n && read->weights[0] == weights);
  assert(bperc_data_encode(fuzz_file((uint8_t *)text, size), read->encoding,
                           &read->model, &labelled, &again,
                           &error) == BPERC_OK);
  assert(labelled && again->theta == theta);
  bperc_score score;
  assert(bperc_score_make(again, read->weights, &score) == BPERC_OK);
  assert(score.errors == plain_errors(w->in, theta, (uint32_t)weights));
  assert(score.tp + score.tn + score.errors == w->p.m);
  bperc_classifier_free(read);
  bperc_encoding_free(e);
  bperc_instance_free(again);
  bperc_instance_free(in);
  free(text);
}

static void check_fit(work *w) {
  const bperc_fit_options options = {.seed = take(w->bytes),
                                     .threads = 1,
                                     .restarts = 1,
                                     .scan_sweeps = 10,
                                     .sweeps = 20};
  bperc_fit_result r;
  bperc_error error;
  if (!w->p.m)
    return;
  bperc_status status = bperc_fit(w->in, &options, &r, &error);
  if (status != BPERC_OK) {
    assert(status == BPERC_E_ARGUMENT && error.text[0]);
    return;
  }
  assert(r.train.errors ==
         plain_errors(w->in, r.threshold, (uint32_t)r.weights[0]));
  assert(r.unavoidable <= r.train.errors);
  check_model(w, r.threshold, r.weights[0]);
  bperc_fit_clear(&r);
}

/* ---- all */

static void run(const uint8_t *data, size_t size) {
  static void (*const checks[])(work *) = {
      check_permutation, check_complements, check_more_patterns,
      check_space,       check_solvers,     check_least_errors,
      check_bp,          check_fit};
  source bytes = {data, size,
                  bperc_stream_make(fuzz_hash(data, size), BPERC_FOR_TEST, 1)};
  unsigned choice = take(&bytes) % 8;
  work w = {.bytes = &bytes};
  w.p = take_problem(&bytes);
  w.in = make_instance(&w.p);
  w.count = literal_solutions(w.in, NULL, &w.list);
  check_list(&w);
  checks[choice](&w);
  bperc_solutions_free(w.s);
  free(w.list);
  bperc_instance_free(w.in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  run(data, size);
  return 0;
}
