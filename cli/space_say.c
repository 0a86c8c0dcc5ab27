/* Measures of a solution space as JSON and as text: space.h. */
#include "cli_space.h"

#include <math.h>

static bool has_correlations(const cli_space *x) {
  return !isnan(x->moments.log_count) || x->s->count == 0;
}

/* ---- JSON */

static json_t *integers(const uint64_t *values, size_t count) {
  json_t *list = json_array();
  for (size_t k = 0; k < count; k++)
    json_array_append_new(list, json_integer((json_int_t)values[k]));
  return list;
}

/* Of all weights: the fixed ones are certain. */
static json_t *json_marginals(const cli_space *x) {
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

static json_t *matrix_json(const double *values, size_t size) {
  json_t *matrix = json_array();
  for (size_t i = 0; i < size; i++) {
    json_t *row = json_array();
    for (size_t j = 0; j < size; j++)
      json_array_append_new(row, cli_json_real(values[i * size + j]));
    json_array_append_new(matrix, row);
  }
  return matrix;
}

/* The unfixed weights that have one value in all solutions. */
static json_t *json_backbone(const cli_space *x) {
  json_t *weights = json_array(), *values = json_array();
  for (size_t j = 0; j < x->s->columns && x->s->count > 0; j++)
    if (x->marginals[j] == 0 || x->marginals[j] == 1) {
      json_array_append_new(weights, json_integer(x->s->column[j]));
      json_array_append_new(values, json_integer((int)x->marginals[j]));
    }
  return json_pack("{s:o, s:o}", "weights", weights, "values", values);
}

static json_t *json_clusters(const cli_space *x) {
  json_t *sizes = json_array(), *frozen = json_array();
  uint32_t largest = x->c->count ? x->c->size[0] : 0;
  for (size_t g = 0; g < x->c->count; g++)
    json_array_append_new(sizes, json_integer(x->c->size[g]));
  for (size_t g = 0; g < x->c->count; g++)
    json_array_append_new(frozen, json_integer(x->frozen[g]));
  json_t *out = json_pack(
      "{s:I, s:o, s:o, s:o, s:o, s:I, s:o}", "count", (json_int_t)x->c->count,
      "sizes", sizes, "parisi_x", cli_json_real(x->c->parisi_x), "q_same",
      cli_json_real(x->c->q_same), "q_diff", cli_json_real(x->c->q_diff),
      "largest", (json_int_t)largest, "k_index", cli_json_real(x->k_index));
  json_object_set_new(out, "flips", json_integer(x->wish->flips));
  json_object_set_new(out, "frozen", frozen);
  if (x->overlaps)
    json_object_set_new(out, "overlaps", matrix_json(x->overlaps, x->shown));
  return out;
}

static json_t *json_local_entropy(const cli_space *x) {
  size_t step = (size_t)x->wish->distance + 1;
  if (step > 1 && !x->entropy)
    return json_null();
  json_t *list = json_array();
  for (size_t d = 1; d < step; d++) {
    uint64_t sum = 0, least = UINT64_MAX, most = 0, none = 0;
    for (size_t k = 0; k < x->s->count; k++) {
      uint64_t here = x->near[cli_space_row(x, k) * step + d];
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

/* Which keys are null because of what they cost, and the option for each. */
static void add_costly_keys(json_t *root, const cli_space *x) {
  json_t *missing = json_object();
  if (!has_correlations(x))
    json_object_set_new(missing, "xcorr_mean", json_string("--correlations"));
  if (x->wish->distance > 0 && !x->entropy)
    json_object_set_new(missing, "local_entropy", json_string("--full"));
  if (x->partial && !x->full.c)
    json_object_set_new(missing, "k_index", json_string("--full"));
  if (json_object_size(missing) > 0)
    json_object_set(root, "not_computed", missing);
  json_decref(missing);
}

void cli_space_json(json_t *root, const cli_space *x) {
  json_object_set_new(root, "marginals", json_marginals(x));
  json_object_set_new(root, "xcorr_mean", cli_json_real(x->moments.xcorr_mean));
  json_object_set_new(root, "xcorr_mean_square",
                      cli_json_real(x->moments.xcorr_mean_square));
  json_object_set_new(root, "clusters", json_clusters(x));
  json_object_set_new(root, "backbone", json_backbone(x));
  json_object_set_new(root, "local_entropy", json_local_entropy(x));
  add_costly_keys(root, x);
  if (x->wish->pairs)
    json_object_set_new(root, "distance_histogram",
                        integers(x->distances, x->in->n + 1));
  if (x->wish->correlations)
    json_object_set_new(root, "xcorr",
                        matrix_json(x->correlations, x->s->columns));
  if (x->around)
    json_object_set_new(root, "around", integers(x->around, x->in->n + 1));
}

/* ---- text */

static void print_value(const char *name, double value) {
  if (isfinite(value))
    printf("%-18s %.6g\n", name, value);
}

static void print_missing(const cli_space *x) {
  if (!has_correlations(x))
    printf("correlations       not computed above %d solutions: "
           "--correlations asks for them\n",
           CLI_SPACE_CORRELATED);
  if (x->partial && !x->full.c)
    printf("k_index            not computed: the full space would have to be "
           "listed; --full asks for it\n");
  if (x->wish->distance > 0 && !x->entropy)
    printf("local entropy      not computed: %s; --full asks for it\n",
           x->partial && !x->full.s ? "it is that of the full space"
                                    : "there are too many solutions");
}

/* A table of the first rows; --json has all. */
static void print_overlaps(const cli_space *x) {
  enum { MOST = 8 };
  size_t side = x->shown < MOST ? x->shown : MOST;
  if (!x->overlaps)
    return;
  printf("overlaps of the largest clusters%s\n",
         side < x->shown ? " (--json has more)" : "");
  for (size_t g = 0; g < side; g++) {
    printf("%16zu", g);
    for (size_t h = 0; h < side; h++)
      printf(" %8.5f", x->overlaps[g * x->shown + h]);
    printf("\n");
  }
}

/* The strongest pair after the last one; SIZE_MAX: the first, or none left. */
static size_t next_strongest_pair(const cli_space *x, size_t last) {
  size_t side = x->s->columns, best = SIZE_MAX;
  const double *c = x->correlations;
  for (size_t i = 0; i < side; i++)
    for (size_t j = i + 1; j < side; j++) {
      size_t k = i * side + j;
      bool after = last == SIZE_MAX || fabs(c[k]) < fabs(c[last]) ||
                   (fabs(c[k]) == fabs(c[last]) && k > last);
      if (after && (best == SIZE_MAX || fabs(c[k]) > fabs(c[best])))
        best = k;
    }
  return best;
}

static void print_correlations(const cli_space *x) {
  enum { MOST = 10 };
  size_t side = x->s->columns, k = SIZE_MAX;
  if (!x->wish->correlations || !x->correlations || side == 0)
    return;
  printf("strongest correlations, weight by weight (--json has all)\n");
  for (int count = 0; count < MOST; count++) {
    k = next_strongest_pair(x, k);
    if (k == SIZE_MAX)
      return;
    printf("%16u %5u %9.6f\n", (unsigned)x->s->column[k / side],
           (unsigned)x->s->column[k % side], x->correlations[k]);
  }
}

void cli_space_print(const cli_space *x) {
  if (x->s->count == 0)
    return;
  printf("marginals         ");
  for (size_t j = 0; j < x->s->columns; j++)
    printf(" %.3f", x->marginals[j]);
  printf("\n");
  print_value("xcorr_mean", x->moments.xcorr_mean);
  print_value("xcorr_mean_square", x->moments.xcorr_mean_square);
  printf("clusters           %zu, largest", x->c->count);
  for (size_t g = 0; g < x->c->count && g < 8; g++)
    printf(" %u", x->c->size[g]);
  printf("%s\n", x->c->count > 8 ? " ..." : "");
  print_value("x*", x->c->parisi_x);
  print_value("q_same", x->c->q_same);
  print_value("q_diff", x->c->q_diff);
  print_value("k_index", x->k_index);
  for (int64_t d = 1; x->entropy && d <= x->wish->distance; d++)
    printf("local entropy      %.6f at distance %lld\n", x->entropy[d - 1],
           (long long)d);
  print_missing(x);
  print_overlaps(x);
  print_correlations(x);
  for (size_t d = 0; x->wish->pairs && d <= x->in->n; d++)
    if (x->distances[d])
      printf("pairs at %-9zu %llu\n", d, (unsigned long long)x->distances[d]);
  for (size_t d = 0; x->around && d <= x->in->n; d++)
    if (x->around[d])
      printf("around at %-8zu %llu\n", d, (unsigned long long)x->around[d]);
}
