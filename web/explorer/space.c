/* The whole solution space of the problem in hand: list, clusters, map. */
#include "front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 12 }; /* largest distance of the local entropy */

/* base: every solution. now: those left after decimation fixed `fixed`
 * weights; the same object as base at 0. */
static struct {
  bperc_solutions *base, *now;
  bperc_clusters *clusters; /* of now */
  bperc_order order;        /* of decimation */
  size_t fixed;
  bperc_embedding *map;
} space;

static void drop_now(void) {
  bperc_clusters_free(space.clusters);
  if (space.now != space.base)
    bperc_solutions_free(space.now);
  space.clusters = NULL;
  space.now = space.base;
  space.fixed = 0;
}

WEB void web_space_forget(void) {
  drop_now();
  bperc_solutions_free(space.base);
  bperc_embedding_free(space.map);
  bperc_order_clear(&space.order);
  memset(&space, 0, sizeof space);
}

/* Counts; digits as text, as there may be more than a double holds. */
WEB const char *web_count(void) {
  static char text[BPERC_COUNT_TEXT];
  bperc_exact_answer answer;
  if (bperc_exact_count(
          web_instance, NULL,
          &(bperc_space_options){.threads = 1, .watch = &web_watch}, &answer,
          &web_failure) != BPERC_OK)
    return "";
  return bperc_count_text(answer.count, text);
}

/* Lists every solution, at most so many. 1: all of them, 0: there are more. */
WEB int web_list(double most) {
  bperc_exact_options options;
  web_space_forget();
  bperc_options_default(bperc_exact_option_table(), &options);
  options.limit = (int64_t)most;
  if (bperc_exact_list(
          web_instance, &options,
          &(bperc_space_options){.threads = 1, .watch = &web_watch},
          &space.base, &web_failure) != BPERC_OK)
    return web_failure.status;
  space.now = space.base;
  return space.base->complete;
}

WEB double web_listed(void) { return (double)space.base->count; }

/* ---- decimation with exact marginals */

/* Measures along decimation, per step 8 numbers: log of the count, clusters,
 * largest, x*, q_same, q_diff, the weight fixed to get here and its value (-1
 * at the start). Answers the number of steps, the start included. */
WEB int web_decimation(void) {
  enum { ROW = 8 };
  bperc_order_clear(&space.order);
  bperc_status status = bperc_decimate_exactly(web_instance, space.base, NULL,
                                               &space.order, &web_failure);
  if (status != BPERC_OK)
    return status;
  size_t rows = space.order.fixed + 1;
  bperc_exact_step *step = calloc(rows, sizeof *step);
  double *out = web_reserve(ROW * rows);
  if (!step || !out ||
      bperc_exact_along(space.base, BPERC_ALONG_ALONE, &space.order, 0, step,
                        NULL) != BPERC_OK) {
    free(step);
    return web_out_of_memory();
  }
  for (size_t k = 0; k < rows; k++) {
    const bperc_exact_step *s = &step[k];
    const double row[ROW] = {s->log_count,
                             (double)s->clusters,
                             s->largest,
                             s->parisi_x,
                             s->q_same,
                             s->q_diff,
                             k ? (double)space.order.weight[k - 1] : -1,
                             k ? space.order.value[k - 1] : -1};
    memcpy(out + ROW * k, row, sizeof row);
  }
  free(step);
  return (int)rows;
}

/* The solutions left after the first `fixed` weights of decimation, and their
 * clusters. Answers the number of clusters. */
WEB int web_after(int fixed) {
  drop_now();
  for (size_t k = 0; k < (size_t)fixed && k < space.order.fixed; k++) {
    bperc_solutions *less;
    if (bperc_solutions_filter(space.now, space.order.weight[k],
                               space.order.value[k], &less, NULL) != BPERC_OK)
      return web_out_of_memory();
    if (space.now != space.base)
      bperc_solutions_free(space.now);
    space.now = less;
  }
  space.fixed = (size_t)fixed;
  if (bperc_clusters_new(space.now, &space.clusters) != BPERC_OK)
    return web_out_of_memory();
  return (int)space.clusters->count;
}

/* Sizes of the largest clusters of what is left, at most so many. */
WEB int web_cluster_sizes(int most) {
  size_t count = space.clusters->count;
  if (count > (size_t)most)
    count = (size_t)most;
  double *out = web_reserve(count + 1);
  if (!out)
    return web_out_of_memory();
  for (size_t k = 0; k < count; k++)
    out[k] = space.clusters->size[k];
  return (int)count;
}

/* ---- the map */

/* A map of what is left, at most so many points: x, y, position in the list
 * of all solutions, and cluster for every point. Answers their number. */
WEB int web_map(int points, double seed) {
  bperc_embed_options options;
  bperc_options_default(bperc_embed_option_table(), &options);
  options.points = points;
  options.restarts = 0;
  bperc_embedding_free(space.map);
  if (bperc_embed(space.now, &options,
                  &(bperc_space_options){.seed = (uint64_t)seed,
                                         .threads = 1,
                                         .watch = &web_watch},
                  &space.map, &web_failure) != BPERC_OK)
    return web_failure.status;
  const bperc_embedding *e = space.map;
  double *out = web_reserve(4 * e->count + 1);
  uint64_t *weights = malloc(web_instance->words * sizeof *weights);
  if (!out || !weights) {
    free(weights);
    return web_out_of_memory();
  }
  for (size_t k = 0; k < e->count; k++) {
    bperc_solutions_weights(space.now, e->solution[k], weights);
    out[4 * k] = e->x[k];
    out[4 * k + 1] = e->y[k];
    out[4 * k + 2] = (double)bperc_solutions_find(space.base, weights);
    out[4 * k + 3] = space.clusters->of[e->solution[k]];
  }
  free(weights);
  return (int)e->count;
}

/* In the room lie positions in the list of all solutions; each is replaced by
 * its cluster among what is left, -1 where decimation removed it. */
WEB int web_clusters_of(int count) {
  double *out = web_reserve((size_t)count);
  uint64_t *weights = malloc(web_instance->words * sizeof *weights);
  if (!out || !weights) {
    free(weights);
    return web_out_of_memory();
  }
  for (int k = 0; k < count; k++) {
    bperc_solutions_weights(space.base, (size_t)out[k], weights);
    size_t at = bperc_solutions_find(space.now, weights);
    out[k] = at == SIZE_MAX ? -1. : space.clusters->of[at];
  }
  free(weights);
  return count;
}

/* Room for the page to write so many numbers into. */
WEB double *web_write(int count) { return web_reserve((size_t)count); }

/* ---- one solution */

/* Of solution k of all: cluster among what is left (-1: not left) and its
 * size, n weights, n times whether flipping it alone gives a solution, then
 * the number of solutions at distances 0 .. AROUND. Answers AROUND. */
WEB int web_solution(double k) {
  size_t n = web_instance->n;
  double *out = web_reserve(2 + 2 * n + AROUND + 1);
  uint64_t *weights = malloc(web_instance->words * sizeof *weights);
  uint64_t near[AROUND + 1];
  if (!out || !weights) {
    free(weights);
    return web_out_of_memory();
  }
  bperc_solutions_weights(space.base, (size_t)k, weights);
  size_t at = bperc_solutions_find(space.now, weights);
  out[0] = at == SIZE_MAX ? -1. : space.clusters->of[at];
  out[1] = at == SIZE_MAX ? 0 : space.clusters->size[space.clusters->of[at]];
  for (size_t i = 0; i < n; i++) {
    int value = bperc_bit_get(weights, i);
    out[2 + i] = value;
    bperc_bit_set(weights, i, !value);
    out[2 + n + i] = bperc_solutions_find(space.base, weights) != SIZE_MAX;
    bperc_bit_set(weights, i, value);
  }
  size_t most = n < AROUND ? n : AROUND;
  bperc_solutions_around(space.base, weights, most, near);
  for (size_t d = 0; d <= most; d++)
    out[2 + 2 * n + d] = (double)near[d];
  free(weights);
  return (int)most;
}

/* Hamming distances from solution k to `count` others, whose positions lie in
 * the room and are replaced. */
WEB int web_distances(double k, int count) {
  size_t words = web_instance->words;
  double *out = web_reserve((size_t)count);
  uint64_t *both = malloc(2 * words * sizeof *both);
  if (!out || !both) {
    free(both);
    return web_out_of_memory();
  }
  bperc_solutions_weights(space.base, (size_t)k, both);
  for (int l = 0; l < count; l++) {
    int distance = 0;
    bperc_solutions_weights(space.base, (size_t)out[l], both + words);
    for (size_t w = 0; w < words; w++)
      distance += __builtin_popcountll(both[w] ^ both[words + w]);
    out[l] = distance;
  }
  free(both);
  return count;
}

/* Mean local entropy [BZ eq. 5] at distances 1 .. AROUND over at most `most`
 * solutions spread evenly over the list. Answers the number of distances. */
WEB int web_local_entropy(int most) {
  size_t n = web_instance->n, count = space.base->count;
  size_t used = count < (size_t)most ? count : (size_t)most;
  size_t far = n < AROUND ? n : AROUND;
  double *out = web_reserve(AROUND);
  uint64_t *weights = malloc(web_instance->words * sizeof *weights);
  uint64_t near[AROUND + 1];
  if (!out || !weights) {
    free(weights);
    return web_out_of_memory();
  }
  memset(out, 0, AROUND * sizeof *out);
  for (size_t k = 0; k < used; k++) {
    bperc_solutions_weights(space.base, k * count / used, weights);
    bperc_solutions_around(space.base, weights, far, near);
    for (size_t d = 1; d <= far; d++)
      out[d - 1] += near[d] ? log((double)near[d]) / (double)(n * used) : 0;
  }
  free(weights);
  return (int)far;
}
