/* bperc enumerate: the exact solution space. */
#include "commands.h"
#include "fixing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bperc_exact_options search;
static cli_fixing_options fixing;

typedef struct {
  int64_t count_only, pairs, distance, correlations, overlaps;
  const char *list, *around;
} wishes;

static wishes wish;

static const bperc_option rows[] = {
    {"count_only", BPERC_OPTION_FLAG, offsetof(wishes, count_only), 0, 0, 0, 1,
     NULL, "only count, list nothing"},
    {"pairs", BPERC_OPTION_FLAG, offsetof(wishes, pairs), 0, 0, 0, 1, NULL,
     "histogram of the distances of all pairs"},
    {"distance", BPERC_OPTION_INT, offsetof(wishes, distance), 3, 3, 0, 128,
     NULL, "local entropies up to this distance; 0: none"},
    {"correlations", BPERC_OPTION_FLAG, offsetof(wishes, correlations), 0, 0, 0,
     1, NULL, "the full matrix of correlations, key `xcorr`"},
    {"overlaps", BPERC_OPTION_INT, offsetof(wishes, overlaps), 0, 0, 0, 4096,
     NULL, "mean overlaps between so many of the largest clusters"},
    {"list", BPERC_OPTION_TEXT, offsetof(wishes, list), 0, 0, 0, 0, "F.h5",
     "write all solutions and their clusters to this file"},
    {"around", BPERC_OPTION_TEXT, offsetof(wishes, around), 0, 0, 0, 0,
     "WEIGHTS", "also count the solutions at each distance from these weights"},
};

static void setup(cli *cx) {
  cli_group(cx, "enumerate", CLI_TABLE(rows), &wish);
  cli_group(cx, "search", bperc_exact_option_table(), &search);
  cli_group_fixing(cx, &fixing);
  cli_group_instance(cx);
}

/* ---- what is known about one space */

typedef struct {
  const bperc_instance *in;
  const bperc_solutions *s;
  bperc_clusters *c;
  bperc_moments moments;
  double *marginals, *correlations, *overlaps, *entropy;
  uint32_t *near;
  uint64_t *distances, *around;
  size_t shown; /* clusters in the table of overlaps */
} space;

static void space_clear(space *x) {
  bperc_clusters_free(x->c);
  free(x->marginals);
  free(x->correlations);
  free(x->overlaps);
  free(x->entropy);
  free(x->near);
  free(x->distances);
  free(x->around);
}

static bperc_status measure_near(space *x) {
  size_t most = (size_t)wish.distance;
  x->near = malloc((x->s->count + 1) * (most + 1) * sizeof *x->near);
  x->entropy = malloc((most + 1) * sizeof *x->entropy);
  if (!x->near || !x->entropy)
    return BPERC_E_MEMORY;
  bperc_status status =
      bperc_solutions_near(x->s, most, BPERC_NEAR_CHOOSE, x->near);
  if (status == BPERC_OK)
    bperc_near_entropy(x->near, most, x->in->n, NULL, x->s->count, x->entropy);
  return status;
}

static bperc_status measure_clusters(space *x) {
  bperc_status status = bperc_clusters_new(x->s, &x->c);
  if (status != BPERC_OK || wish.overlaps == 0)
    return status;
  x->shown = (size_t)wish.overlaps;
  if (x->shown > x->c->count)
    x->shown = x->c->count;
  x->overlaps = malloc((x->shown * x->shown + 1) * sizeof *x->overlaps);
  if (!x->overlaps)
    return BPERC_E_MEMORY;
  return bperc_clusters_overlaps(x->c, x->s, x->shown, x->overlaps);
}

static bperc_status measure(space *x) {
  size_t n = x->s->columns;
  x->marginals = malloc((n + 1) * sizeof *x->marginals);
  x->correlations = malloc((n * n + 1) * sizeof *x->correlations);
  x->distances = calloc(x->in->n + 2, sizeof *x->distances);
  if (!x->marginals || !x->correlations || !x->distances)
    return BPERC_E_MEMORY;
  bperc_status status =
      bperc_solutions_moments(x->s, &x->moments, x->marginals, x->correlations);
  if (status == BPERC_OK)
    status = measure_clusters(x);
  if (status == BPERC_OK && wish.distance > 0)
    status = measure_near(x);
  if (status == BPERC_OK && wish.pairs)
    status = bperc_solutions_distances(x->s, BPERC_NEAR_CHOOSE, x->distances);
  return status;
}

static int measure_around(space *x) {
  uint64_t *weights;
  bperc_error error;
  if (!wish.around)
    return CLI_DONE;
  if (bperc_weights_read(wish.around, x->in->n, &weights, &error))
    return cli_fail_input(&error);
  x->around = calloc(x->in->n + 1, sizeof *x->around);
  if (x->around)
    bperc_solutions_around(x->s, weights, x->in->n, x->around);
  cli_free(weights);
  return x->around ? CLI_DONE : CLI_SYSTEM;
}

/* ---- JSON */

static json_t *integers(const uint64_t *values, size_t count) {
  json_t *list = json_array();
  for (size_t k = 0; k < count; k++)
    json_array_append_new(list, json_integer((json_int_t)values[k]));
  return list;
}

/* Of all weights: the fixed ones are certain. */
static json_t *json_marginals(const space *x) {
  json_t *list = json_array();
  if (x->s->count == 0) {
    json_decref(list);
    return json_null();
  }
  for (size_t i = 0, j = 0; i < x->in->n; i++) {
    bool listed = j < x->s->columns && x->s->column[j] == i;
    json_array_append_new(
        list, json_real(listed ? x->marginals[j++] : x->s->fixed[i]));
  }
  return list;
}

static json_t *json_matrix(const double *values, size_t size) {
  json_t *matrix = json_array();
  for (size_t i = 0; i < size; i++) {
    json_t *row = json_array();
    for (size_t j = 0; j < size; j++)
      json_array_append_new(row, cli_json_real(values[i * size + j]));
    json_array_append_new(matrix, row);
  }
  return matrix;
}

static json_t *json_clusters(const space *x) {
  json_t *sizes = json_array();
  uint32_t largest = x->c->count ? x->c->size[0] : 0;
  for (size_t g = 0; g < x->c->count; g++)
    json_array_append_new(sizes, json_integer(x->c->size[g]));
  json_t *out = json_pack(
      "{s:I, s:o, s:o, s:o, s:o, s:I, s:o}", "count", (json_int_t)x->c->count,
      "sizes", sizes, "parisi_x", cli_json_real(x->c->parisi_x), "q_same",
      cli_json_real(x->c->q_same), "q_diff", cli_json_real(x->c->q_diff),
      "largest", (json_int_t)largest, "k_index",
      cli_json_real(bperc_clusters_k_index(x->c, x->in->n, NULL, x->s->count)));
  if (x->overlaps)
    json_object_set_new(out, "overlaps", json_matrix(x->overlaps, x->shown));
  return out;
}

static json_t *json_local_entropy(const space *x) {
  json_t *list = json_array();
  size_t step = (size_t)wish.distance + 1;
  for (size_t d = 1; d < step; d++) {
    uint64_t sum = 0, least = UINT64_MAX, most = 0, none = 0;
    for (size_t k = 0; k < x->s->count; k++) {
      uint64_t here = x->near[k * step + d];
      sum += here;
      none += here == 0;
      least = here < least ? here : least;
      most = here > most ? here : most;
    }
    bool any = x->s->count > 0;
    json_array_append_new(
        list,
        json_pack("{s:I, s:o, s:I, s:I, s:o, s:o}", "d", (json_int_t)d, "mean",
                  cli_json_real(x->entropy[d - 1]), "sum", (json_int_t)sum,
                  "without", (json_int_t)none, "min",
                  any ? json_integer((json_int_t)least) : json_null(), "max",
                  any ? json_integer((json_int_t)most) : json_null()));
  }
  return list;
}

static void add_space(json_t *root, const space *x) {
  json_object_set_new(root, "marginals", json_marginals(x));
  json_object_set_new(root, "xcorr_mean", cli_json_real(x->moments.xcorr_mean));
  json_object_set_new(root, "xcorr_mean_square",
                      cli_json_real(x->moments.xcorr_mean_square));
  json_object_set_new(root, "clusters", json_clusters(x));
  json_object_set_new(root, "local_entropy", json_local_entropy(x));
  if (wish.pairs)
    json_object_set_new(root, "distance_histogram",
                        integers(x->distances, x->in->n + 1));
  if (wish.correlations)
    json_object_set_new(root, "xcorr",
                        json_matrix(x->correlations, x->s->columns));
  if (x->around)
    json_object_set_new(root, "around", integers(x->around, x->in->n + 1));
}

static json_t *json_head(const bperc_instance *in, bperc_count count,
                         bool complete, size_t unfixed) {
  char text[BPERC_COUNT_TEXT];
  double log_count = bperc_count_log(count);
  return json_pack("{s:s, s:b, s:o, s:o, s:I, s:I, s:I, s:s}", "count",
                   bperc_count_text(count, text), "complete", complete,
                   "log_count", cli_json_real(log_count), "entropy",
                   cli_json_real(unfixed ? log_count / (double)unfixed : NAN),
                   "n", (json_int_t)in->n, "m", (json_int_t)in->m, "unfixed",
                   (json_int_t)unfixed, "ties", bperc_ties_name(in->ties));
}

/* ---- text */

static void print_head(bperc_count count, bool complete, size_t unfixed) {
  char text[BPERC_COUNT_TEXT];
  double log_count = bperc_count_log(count);
  printf("solutions        %s%s\n", bperc_count_text(count, text),
         complete ? "" : " or more (limit reached)");
  if (isfinite(log_count) && unfixed)
    printf("entropy          %.6f nats per unfixed weight (%zu of them)\n",
           log_count / (double)unfixed, unfixed);
}

static void print_value(const char *name, double value) {
  if (isfinite(value))
    printf("%-16s %.6g\n", name, value);
}

static void print_space(const space *x) {
  if (x->s->count == 0)
    return;
  printf("marginals       ");
  for (size_t j = 0; j < x->s->columns; j++)
    printf(" %.3f", x->marginals[j]);
  printf("\n");
  print_value("xcorr mean", x->moments.xcorr_mean);
  print_value("xcorr^2 mean", x->moments.xcorr_mean_square);
  printf("clusters         %zu, largest", x->c->count);
  for (size_t g = 0; g < x->c->count && g < 8; g++)
    printf(" %u", x->c->size[g]);
  printf("%s\n", x->c->count > 8 ? " ..." : "");
  print_value("x*", x->c->parisi_x);
  print_value("q_same", x->c->q_same);
  print_value("q_diff", x->c->q_diff);
  for (int64_t d = 1; d <= wish.distance; d++)
    printf("local entropy    %.6f at distance %lld\n", x->entropy[d - 1],
           (long long)d);
  for (size_t d = 0; wish.pairs && d <= x->in->n; d++)
    if (x->distances[d])
      printf("pairs at %-7zu %llu\n", d, (unsigned long long)x->distances[d]);
  for (size_t d = 0; x->around && d <= x->in->n; d++)
    if (x->around[d])
      printf("around at %-6zu %llu\n", d, (unsigned long long)x->around[d]);
}

/* ---- the two ways to run */

static size_t count_unfixed(const int8_t *fixed, size_t n) {
  size_t unfixed = 0;
  for (size_t i = 0; i < n; i++)
    unfixed += fixed[i] < 0;
  return unfixed;
}

static int run_count(cli *cx, const bperc_instance *in, const int8_t *fixed) {
  cli_search_progress progress;
  bperc_exact_answer answer;
  bperc_error error;
  double start = cli_now();
  size_t unfixed = count_unfixed(fixed, in->n);
  cli_search_progress_start(&progress, cx);
  bperc_status status =
      bperc_exact_count(in, fixed, &search, (unsigned)cx->common.threads,
                        &progress.watch, &answer, &error);
  cli_search_progress_end(&progress);
  if (status != BPERC_OK)
    return cli_fail(&error);
  if (cx->common.json) {
    json_t *root = json_head(in, answer.count, answer.complete, unfixed);
    json_object_set_new(root, "nodes", json_integer((json_int_t)answer.nodes));
    json_object_set_new(root, "seconds", json_real(cli_now() - start));
    cli_json_print(root);
  } else {
    print_head(answer.count, answer.complete, unfixed);
  }
  return answer.complete ? CLI_DONE : CLI_NEGATIVE;
}

static int say_space(cli *cx, space *x, double start) {
  bperc_error error;
  bperc_count count = bperc_count_from(x->s->count);
  if (cli_measured(measure(x), &error))
    return cli_fail(&error);
  int code = measure_around(x);
  if (code == CLI_DONE && wish.list &&
      bperc_solutions_write(x->s, x->c, wish.list, &error))
    code = cli_fail(&error);
  if (code != CLI_DONE)
    return code;
  if (cx->common.json) {
    json_t *root = json_head(x->in, count, x->s->complete, x->s->unfixed);
    add_space(root, x);
    json_object_set_new(root, "seconds", json_real(cli_now() - start));
    cli_json_print(root);
  } else {
    print_head(count, x->s->complete, x->s->unfixed);
    print_space(x);
  }
  return CLI_DONE;
}

static int run_list(cli *cx, const bperc_instance *in, const int8_t *fixed) {
  cli_search_progress progress;
  bperc_solutions *s;
  bperc_error error;
  double start = cli_now();
  cli_search_progress_start(&progress, cx);
  bperc_status status =
      bperc_exact_list(in, fixed, &search, (unsigned)cx->common.threads,
                       &progress.watch, &s, &error);
  cli_search_progress_end(&progress);
  if (status != BPERC_OK)
    return cli_fail(&error);
  if (!s->complete)
    cli_warn("a limit was reached: everything below is about the first %zu "
             "solutions that the search meets",
             s->count);
  space x = {.in = in, .s = s};
  int code = say_space(cx, &x, start);
  if (code == CLI_DONE && !s->complete)
    code = CLI_NEGATIVE;
  space_clear(&x);
  bperc_solutions_free(s);
  return code;
}

static int run(cli *cx) {
  bperc_instance *in = NULL;
  int8_t *fixed = NULL;
  int code = cli_read_instance(cx, 0, &in);
  if (code == CLI_DONE)
    code = cli_read_fixing(&fixing, in->n, &fixed);
  if (code == CLI_DONE)
    code = wish.count_only ? run_count(cx, in, fixed) : run_list(cx, in, fixed);
  free(fixed);
  bperc_instance_free(in);
  return code;
}

const cli_command cmd_enumerate = {
    .name = "enumerate",
    .arguments = "FILE",
    .summary = "the exact solution space: count, list, clusters, distances",
    .text =
        "Finds every solution by a search that prunes; at most 128 weights\n"
        "may be left unfixed. Counting alone goes further than listing.\n"
        "A limit is answered with what was found, `complete: false` and exit\n"
        "status 1.\n\n"
        "  bperc enumerate p.txt --json\n"
        "  bperc enumerate p.txt --count-only\n"
        "  bperc enumerate p.txt --fix 0=1,4=0 --pairs --list s.h5\n"
        "  bperc decimate p.txt --marginals bp --json > d.json\n"
        "  bperc enumerate p.txt --order d.json --fixed 60",
    .least = 1,
    .most = 1,
    .setup = setup,
    .run = run,
};
