/* map: solutions of a median instance as points of the plane, at stages of its
 * exact decimation [BZ fig. 9e].
 *
 * The instance is the one with the median number of solutions among
 * `candidates` random ones. How far clusters are apart in the picture is told
 * by their silhouette: the mean over points of (b - a) / max(a, b), a the mean
 * distance to the points of the same cluster, b to those of the nearest other.
 */
#include "lab/measure/measurements.h"

#include "bperc/embed.h"
#include "bperc/stream.h"
#include "lab/base/memory.h"
#include "lab/measure/decimated.h"
#include "lab/measure/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS(X)                                                                \
  BPERC_I_PROBLEM_ROWS(X)                                                      \
  X(INT, candidates, 101, 101, 1, 100000, "instances to take the median of")   \
  X(INT, stages, 4, 4, 1, 10, "pictures along the decimation")                 \
  X(INT, last, 12, 12, 0, 1e6, "weights fixed in the last picture")
BPERC_I_MEASURE_OPTIONS(map, ROWS);

/* ---- the median instance */

typedef struct {
  double count;
  uint64_t seed;
} candidate;

static int by_count(const void *a, const void *b) {
  const candidate *p = a, *q = b;
  if (p->count != q->count)
    return p->count < q->count ? -1 : 1;
  return p->seed < q->seed ? -1 : p->seed > q->seed;
}

static bperc_status generate(const map_options *o, uint64_t seed,
                             bperc_instance **out, bperc_error *error) {
  bperc_ensemble e = BPERC_I_ENSEMBLE(o, BPERC_I_PATTERNS(o));
  return bperc_ensemble_draw(&e, seed, out, error);
}

/* Instances without solutions count as 0 and stay in the ranking. */
static bperc_status rank(const map_options *o, const bperc_inputs *in,
                         candidate *list, bperc_error *error) {
  bperc_status status = BPERC_OK;
  for (size_t k = 0; k < (size_t)o->candidates && status == BPERC_OK; k++) {
    bperc_instance *problem = NULL;
    bperc_exact_answer answer;
    list[k].seed =
        bperc_stream_seed(bperc_i_problem_seed(in, 0), BPERC_FOR_TRIAL, k);
    status = generate(o, list[k].seed, &problem, error);
    if (status == BPERC_OK)
      status = bperc_exact_count(
          problem, NULL, &(bperc_space_options){.threads = 1}, &answer, error);
    if (status == BPERC_OK)
      list[k].count = bperc_count_real(answer.count);
    bperc_instance_free(problem);
    if (bperc_cancelled())
      status = BPERC_E_INTERRUPTED;
  }
  qsort(list, (size_t)o->candidates, sizeof *list, by_count);
  return status;
}

static bperc_status find_median(const map_options *o, const bperc_inputs *in,
                                bperc_instance **out, bperc_error *error) {
  candidate *list = bperc_calloc((size_t)o->candidates, sizeof *list);
  bperc_status status = list ? rank(o, in, list, error) : BPERC_E_MEMORY;
  if (status == BPERC_OK)
    status = generate(o, list[o->candidates / 2].seed, out, error);
  bperc_free(list);
  return status;
}

/* ---- silhouettes */

static double embedded_distance(const bperc_embedding *e, size_t p, size_t q) {
  return hypot(e->x[p] - e->x[q], e->y[p] - e->y[q]);
}

/* Of point p; sums and sizes have room for a number per cluster. A point
 * alone in its cluster has silhouette 0. */
static double silhouette_of(const bperc_embedding *e, const bperc_clusters *c,
                            size_t p, double *sums, double *sizes) {
  uint32_t own = c->of[e->solution[p]];
  double near = INFINITY, inside;
  memset(sums, 0, c->count * sizeof *sums);
  memset(sizes, 0, c->count * sizeof *sizes);
  for (size_t q = 0; q < e->count; q++)
    if (q != p) {
      sums[c->of[e->solution[q]]] += embedded_distance(e, p, q);
      sizes[c->of[e->solution[q]]]++;
    }
  for (size_t g = 0; g < c->count; g++)
    if (g != own && sizes[g] > 0)
      near = fmin(near, sums[g] / sizes[g]);
  if (sizes[own] == 0)
    return 0;
  inside = sums[own] / sizes[own];
  return fmax(inside, near) > 0 ? (near - inside) / fmax(inside, near) : 0;
}

static double silhouette(const bperc_embedding *e, const bperc_clusters *c) {
  double *room = bperc_alloc(2 * c->count, sizeof *room), sum = 0;
  if (!room || c->count < 2) {
    bperc_free(room);
    return NAN;
  }
  for (size_t p = 0; p < e->count; p++)
    sum += silhouette_of(e, c, p, room, room + c->count);
  bperc_free(room);
  return sum / (double)e->count;
}

/* ---- stages */

enum { FIXED, SOLUTIONS, CLUSTERS, LARGEST, SILHOUETTE, STRESS, COLUMNS };

typedef struct {
  const map_options *o;
  const bperc_inputs *in;
  bperc_record *out;
  double values[COLUMNS][10]; /* per stage */
} maps;

static void record_map_points(const bperc_embedding *e, const bperc_clusters *c,
                              size_t stage, bperc_record *out) {
  double *cluster = bperc_alloc(e->count, sizeof *cluster);
  char name[32];
  for (size_t p = 0; cluster && p < e->count; p++)
    cluster[p] = (double)c->of[e->solution[p]];
  snprintf(name, sizeof name, "map%zu/x", stage);
  bperc_record_vector(out, name, e->x, e->count);
  snprintf(name, sizeof name, "map%zu/y", stage);
  bperc_record_vector(out, name, e->y, e->count);
  snprintf(name, sizeof name, "map%zu/cluster", stage);
  if (cluster)
    bperc_record_vector(out, name, cluster, e->count);
  bperc_free(cluster);
}

static bperc_status draw_map(maps *m, const bperc_solutions *s, size_t stage,
                             bperc_error *error) {
  bperc_clusters *c = NULL;
  bperc_embedding *e = NULL;
  bperc_status status = bperc_clusters_new(s, &c);
  if (status == BPERC_OK)
    status = bperc_embed(
        s, m->in->groups[0],
        &(bperc_space_options){.seed = bperc_i_problem_seed(m->in, 1 + stage),
                               .threads = 1},
        &e, error);
  if (status == BPERC_OK) {
    m->values[FIXED][stage] = (double)(s->n - s->unfixed);
    m->values[SOLUTIONS][stage] = (double)s->count;
    m->values[CLUSTERS][stage] = (double)c->count;
    m->values[LARGEST][stage] = (double)c->size[0] / (double)s->count;
    m->values[SILHOUETTE][stage] = silhouette(e, c);
    m->values[STRESS][stage] = e->stress;
    record_map_points(e, c, stage, m->out);
  }
  bperc_embedding_free(e);
  bperc_clusters_free(c);
  return status;
}

/* Follows the decimation and draws at evenly spaced stages. */
static bperc_status follow_map(maps *m, const bperc_solutions *full,
                               const bperc_order *order, bperc_error *error) {
  size_t stages = (size_t)m->o->stages;
  const bperc_solutions *now = full;
  bperc_solutions *own = NULL, *next;
  bperc_status status = BPERC_OK;
  for (size_t fixed = 0, stage = 0; stage < stages && status == BPERC_OK;) {
    size_t at = stages > 1 ? stage * (size_t)m->o->last / (stages - 1) : 0;
    if (fixed == at || fixed == order->fixed) {
      status = draw_map(m, now, stage++, error);
      continue;
    }
    status = bperc_solutions_filter(now, order->weight[fixed],
                                    order->value[fixed], &next, NULL);
    fixed++;
    if (status == BPERC_OK) {
      bperc_solutions_free(own);
      now = own = next;
    }
  }
  bperc_solutions_free(own);
  return status;
}

static void record_stages(const maps *m) {
  static const char *const names[COLUMNS] = {
      "stage/fixed",   "stage/solutions",  "stage/clusters",
      "stage/largest", "stage/silhouette", "stage/stress"};
  for (size_t v = 0; v < COLUMNS; v++)
    bperc_record_vector(m->out, names[v], m->values[v], (size_t)m->o->stages);
}

static bperc_status measure_map(maps *m, const bperc_instance *problem,
                                bperc_error *error) {
  bperc_solutions *full = NULL;
  bperc_order order = {0};
  bperc_status status = bperc_exact_list(
      problem, NULL, &(bperc_space_options){.threads = 1}, &full, error);
  if (status == BPERC_OK)
    bperc_record_scalar(m->out, "solutions", (double)full->count);
  if (status == BPERC_OK && full->count) {
    status = bperc_decimate_exactly(problem, full, NULL, &order, error);
    if (status == BPERC_OK)
      status = follow_map(m, full, &order, error);
    if (status == BPERC_OK)
      record_stages(m);
  }
  bperc_order_clear(&order);
  bperc_solutions_free(full);
  return status;
}

static bperc_status run_map_task(const bperc_inputs *in, bperc_record *out,
                                 bperc_error *error) {
  maps m = {.o = in->own, .in = in, .out = out};
  bperc_instance *problem = NULL;
  bperc_status status = find_median(m.o, in, &problem, error);
  if (status == BPERC_OK)
    status = measure_map(&m, problem, error);
  bperc_instance_free(problem);
  return status;
}

static double cost_map(const bperc_inputs *in) {
  const map_options *o = in->own;
  return 0.01 + 4e-4 * (double)o->candidates;
}

const bperc_measurement bperc_i_measure_map = {
    .name = "map",
    .summary = "solutions of a median instance in the plane, while decimated",
    .results =
        "solutions         of the instance\n"
        "stage/fixed       weights fixed at a stage of exact decimation\n"
        "stage/solutions   that are left\n"
        "stage/clusters    that they make\n"
        "stage/largest     share of the largest\n"
        "stage/silhouette  of the clusters in the plane, -1 to 1\n"
        "stage/stress      Sammon's\n"
        "mapS/x, mapS/y    points of stage S\n"
        "mapS/cluster      which cluster, 0 the largest",
    .version = 1,
    BPERC_I_MEASURE_TABLE(map),
    .groups = {{"embed", bperc_embed_option_table, sizeof(bperc_embed_options),
                NULL}},
    BPERC_I_PROBLEM_NAMED,
    .cost = cost_map,
    .run = run_map_task,
};
