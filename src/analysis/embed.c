/* Sammon maps of solution lists: embed.h. */
#include "bperc/embed.h"

#include "analysis/sammon.h"
#include "base/alloc.h"
#include "base/options.h"
#include "base/threads.h"
#include "exact/space/space.h"
#include "numeric/gsl_guard.h"

#include <assert.h>
#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

BPERC_OPTIONS_DEFINE(bperc_embed_option_table, bperc_embed_options,
                     BPERC_EMBED_OPTIONS);

/* One configuration of the points, and the terms of its gradient; arrays have
 * room for three more points than there are. */
typedef struct {
  size_t count;
  const uint8_t *delta; /* count x count Hamming distances */
  double total;         /* sum of delta over pairs */
  double *x, *y, *gx, *gy, *hx, *hy;
} map;

/* ---- choosing points ---- */

/* A uniform sample in ascending order: every solution in turn is taken with
 * the probability that is left for it. */
static void choose_points(bperc_embedding *e, uint64_t seed) {
  bperc_stream rng = bperc_stream_make(seed, BPERC_FOR_SAMPLE, e->solutions);
  size_t taken = 0;
  for (size_t k = 0; k < e->solutions && taken < e->count; k++)
    if (bperc_stream_below(&rng, e->solutions - k) < e->count - taken)
      e->solution[taken++] = (uint32_t)k;
  assert(taken == e->count);
}

static void fill_delta(const bperc_embedding *e, const bperc_solutions *s,
                       uint8_t *delta) {
  for (size_t k = 0; k < e->count; k++)
    for (size_t l = 0; l < e->count; l++)
      delta[k * e->count + l] =
          (uint8_t)bperc_i_word_popcount(bperc_i_list_word(s, e->solution[k]) ^
                                         bperc_i_list_word(s, e->solution[l]));
}

static double total_delta(const uint8_t *delta, size_t count) {
  double total = 0;
  for (size_t k = 0; k < count; k++)
    for (size_t l = 0; l < k; l++)
      total += delta[k * count + l];
  return total;
}

/* ---- stress and its derivatives ---- */

static double evaluate_stress(map *m) {
  return bperc_i_sammon_kernels_get()->run(m->x, m->y, m->delta, m->count,
                                           m->gx, m->gy, m->hx, m->hy) /
         m->total;
}

/* Part of Newton's step of each coordinate on its own, as Sammon takes it. */
static void move_points(const map *from, map *to, double part) {
  for (size_t k = 0; k < from->count; k++) {
    double cx = fabs(from->hx[k]), cy = fabs(from->hy[k]);
    to->x[k] = from->x[k] + (cx > 0 ? part * from->gx[k] / cx : 0);
    to->y[k] = from->y[k] + (cy > 0 ? part * from->gy[k] / cy : 0);
  }
}

/* Starts are tasks: each has its maps and its outcome. */
typedef struct {
  const bperc_embed_options *options;
  uint64_t seed;
  map *now, *next; /* one pair per start */
  double *stress;
  size_t starts;
  const bperc_exact_watch *watch;
  atomic_size_t done, spared; /* iterations; those not needed */
} race;

/* One worker tells for all. */
static void count_iteration(race *r, unsigned worker) {
  size_t done = atomic_fetch_add(&r->done, 1) + 1;
  if (worker == 0 && r->watch && r->watch->tell)
    r->watch->tell(r->watch->context,
                   (double)(done + atomic_load(&r->spared)) /
                       ((double)r->starts * (double)r->options->iterations),
                   (double)done);
}

/* Downhill: a step that raises the stress is taken back and shortened. now:
 * the best points met; next: room for trial points. */
static double descend_stress(race *r, size_t start, unsigned worker) {
  const bperc_embed_options *options = r->options;
  map *now = &r->now[start], *next = &r->next[start];
  double part = 0.4, best = evaluate_stress(now);
  int64_t t;
  for (t = 0; t < options->iterations && !bperc_cancelled(); t++) {
    count_iteration(r, worker);
    move_points(now, next, part);
    double stress = evaluate_stress(next), gain = best - stress;
    if (!(gain > 0)) {
      part /= 2;
      if (part < 1e-6)
        break;
      continue;
    }
    map swap = *now;
    *now = *next;
    *next = swap;
    part = part < 0.7 ? 1.1 * part : part;
    bool slow = gain <= options->tolerance * best;
    best = stress;
    if (slow)
      break;
  }
  if (t < options->iterations) /* the last one was counted as done */
    atomic_fetch_add(&r->spared, (size_t)(options->iterations - t - 1));
  return best;
}

/* ---- starts ---- */

/* An eigenvector's sign is free: its largest component, the first among equals,
 * is positive. */
static void fix_signs(double *axes, size_t n) {
  for (size_t j = 0; j < n; j++) {
    size_t top = 0;
    for (size_t i = 1; i < n; i++)
      if (fabs(axes[i * n + j]) > fabs(axes[top * n + j]))
        top = i;
    if (axes[top * n + j] < 0)
      for (size_t i = 0; i < n; i++)
        axes[i * n + j] = -axes[i * n + j];
  }
}

/* Eigenvectors of the symmetric `matrix`, which is lost, in the columns of
 * `axes`, eigenvalues ascending. */
static bperc_status eigenvectors(double *matrix, size_t n, double *axes) {
  bperc_status status = BPERC_E_MEMORY;
  double *values = bperc_i_alloc(n, sizeof *values);
  bperc_i_gsl_begin();
  gsl_eigen_symmv_workspace *work = values ? gsl_eigen_symmv_alloc(n) : NULL;
  if (work) {
    gsl_matrix_view a = gsl_matrix_view_array(matrix, n, n);
    gsl_matrix_view v = gsl_matrix_view_array(axes, n, n);
    gsl_vector_view e = gsl_vector_view_array(values, n);
    status = gsl_eigen_symmv(&a.matrix, &e.vector, &v.matrix, work) ||
                     gsl_eigen_symmv_sort(&e.vector, &v.matrix,
                                          GSL_EIGEN_SORT_VAL_ASC)
                 ? BPERC_E_NUMERIC
                 : BPERC_OK;
    gsl_eigen_symmv_free(work);
  }
  bperc_i_gsl_end();
  bperc_i_free(values);
  if (status == BPERC_OK)
    fix_signs(axes, n);
  return status;
}

/* Principal axes of the points as corners of a cube: classical scaling, whose
 * squared distances are the Hamming distances. */
static bperc_status principal_axes(const bperc_embedding *e,
                                   const bperc_solutions *s, double *axes,
                                   double *mean) {
  size_t n = s->columns;
  double *spread = bperc_i_calloc(n * n + 1, sizeof *spread);
  bperc_status status = BPERC_OK;
  if (!spread)
    return BPERC_E_MEMORY;
  memset(mean, 0, n * sizeof *mean);
  for (size_t k = 0; k < e->count; k++) {
    bperc_i_word w = bperc_i_list_word(s, e->solution[k]);
    for (bperc_i_word a = w; a; a &= a - 1) {
      size_t i = (size_t)bperc_i_word_ctz(a);
      mean[i] += 1.0 / (double)e->count;
      for (bperc_i_word b = w; b; b &= b - 1)
        spread[i * n + (size_t)bperc_i_word_ctz(b)] += 1.0 / (double)e->count;
    }
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      spread[i * n + j] -= mean[i] * mean[j];
  if (n)
    status = eigenvectors(spread, n, axes);
  bperc_i_free(spread);
  return status;
}

/* The scale of the points that fits best, in closed form. */
static void fit_scale(map *m) {
  double cross = 0, square = 0;
  for (size_t k = 0; k < m->count; k++)
    for (size_t l = 0; l < k; l++) {
      double d = hypot(m->x[k] - m->x[l], m->y[k] - m->y[l]);
      cross += d;
      square += d * d / m->delta[k * m->count + l];
    }
  double scale = square > 0 ? cross / square : 1;
  for (size_t k = 0; k < m->count; k++) {
    m->x[k] *= scale;
    m->y[k] *= scale;
  }
}

static bperc_status start_classical(map *m, const bperc_embedding *e,
                                    const bperc_solutions *s) {
  size_t n = s->columns;
  double *axes = bperc_i_alloc(n * n + 1, sizeof *axes);
  double *mean = bperc_i_alloc(n + 1, sizeof *mean);
  bperc_status status =
      axes && mean ? principal_axes(e, s, axes, mean) : BPERC_E_MEMORY;
  for (size_t k = 0; k < m->count && status == BPERC_OK; k++) {
    bperc_i_word w = bperc_i_list_word(s, e->solution[k]);
    m->x[k] = m->y[k] = 0;
    for (size_t i = 0; i < n; i++) {
      double from_mean = (double)(int)(w >> i & 1) - mean[i];
      m->x[k] += from_mean * axes[i * n + n - 1];
      m->y[k] += n > 1 ? from_mean * axes[i * n + n - 2] : 0;
    }
    /* Points on one spot would never part: a shift that no eye can see. */
    m->x[k] += 1e-6 * cos((double)k);
    m->y[k] += 1e-6 * sin((double)k);
  }
  if (status == BPERC_OK)
    fit_scale(m);
  bperc_i_free(axes);
  bperc_i_free(mean);
  return status;
}

static void start_random(map *m, uint64_t seed, uint64_t index) {
  bperc_stream rng = bperc_stream_make(seed, BPERC_FOR_EMBED, index);
  for (size_t k = 0; k < m->count; k++) {
    m->x[k] = bperc_stream_double(&rng) - 0.5;
    m->y[k] = bperc_stream_double(&rng) - 0.5;
  }
  fit_scale(m);
}

/* ---- together ---- */

enum { ARRAYS = 6, PADDING = 4 };

static bperc_status map_init(map *m, size_t count, const uint8_t *delta,
                             double total) {
  size_t step = count + PADDING;
  *m = (map){.count = count, .delta = delta, .total = total};
  m->x = bperc_i_calloc(ARRAYS * step, sizeof *m->x);
  if (!m->x)
    return BPERC_E_MEMORY;
  m->y = m->x + step;
  m->gx = m->y + step;
  m->gy = m->gx + step;
  m->hx = m->gy + step;
  m->hy = m->hx + step;
  return BPERC_OK;
}

static void run_start(void *context, size_t start, unsigned worker) {
  race *r = context;
  if (start > 0)
    start_random(&r->now[start], r->seed, start);
  r->stress[start] = descend_stress(r, start, worker);
}

static void keep_best_map(bperc_embedding *e, const race *r, size_t starts) {
  e->winner = 0;
  for (size_t k = 1; k < starts; k++)
    if (r->stress[k] < r->stress[e->winner])
      e->winner = k;
  e->stress = r->stress[e->winner];
  memcpy(e->x, r->now[e->winner].x, e->count * sizeof *e->x);
  memcpy(e->y, r->now[e->winner].y, e->count * sizeof *e->y);
}

static bperc_status minimise(bperc_embedding *e, const bperc_solutions *s,
                             const bperc_embed_options *options,
                             const bperc_space_options *how) {
  size_t starts = (size_t)options->restarts + 1;
  uint8_t *delta = bperc_i_alloc(e->count * e->count + 1, 1);
  race r = {.options = options,
            .seed = how->seed,
            .now = bperc_i_calloc(starts, sizeof *r.now),
            .next = bperc_i_calloc(starts, sizeof *r.next),
            .stress = bperc_i_calloc(starts, sizeof *r.stress),
            .starts = starts,
            .watch = how->watch};
  bperc_status status =
      delta && r.now && r.next && r.stress ? BPERC_OK : BPERC_E_MEMORY;
  if (status != BPERC_OK)
    goto done;
  fill_delta(e, s, delta);
  double total = total_delta(delta, e->count);
  for (size_t k = 0; k < starts && status == BPERC_OK; k++) {
    status = map_init(&r.now[k], e->count, delta, total);
    if (status == BPERC_OK)
      status = map_init(&r.next[k], e->count, delta, total);
  }
  if (status == BPERC_OK)
    status = start_classical(&r.now[0], e, s);
  if (status != BPERC_OK)
    goto done;
  e->classical = evaluate_stress(&r.now[0]);
  bperc_i_parallel_for(starts, how->threads, run_start, &r);
  keep_best_map(e, &r, starts);
  if (bperc_cancelled())
    status = BPERC_E_INTERRUPTED;
done:
  for (size_t k = 0; k < starts; k++) {
    if (r.now)
      bperc_i_free(r.now[k].x);
    if (r.next)
      bperc_i_free(r.next[k].x);
  }
  bperc_i_free(r.now);
  bperc_i_free(r.next);
  bperc_i_free(r.stress);
  bperc_i_free(delta);
  return status;
}

bperc_status bperc_embed(const bperc_solutions *s,
                         const bperc_embed_options *given,
                         const bperc_space_options *asked,
                         bperc_embedding **out, bperc_error *error) {
  bperc_space_options how;
  bperc_embed_options options;
  bperc_embedding *e = bperc_i_calloc(1, sizeof *e);
  bperc_status status = BPERC_E_MEMORY;
  *out = NULL;
  bperc_i_options_plain(sizeof how, asked, &how);
  if (!e)
    goto done;
  status = bperc_i_options_take(bperc_embed_option_table(), sizeof options,
                                given, &options, error);
  if (status != BPERC_OK)
    goto done;
  e->solutions = s->count;
  e->count =
      s->count < (size_t)options.points ? s->count : (size_t)options.points;
  e->stress = e->classical = NAN;
  e->solution = bperc_i_calloc(e->count + 1, sizeof *e->solution);
  e->x = bperc_i_calloc(e->count + 1, sizeof *e->x);
  e->y = bperc_i_calloc(e->count + 1, sizeof *e->y);
  status = e->solution && e->x && e->y ? BPERC_OK : BPERC_E_MEMORY;
  if (status != BPERC_OK)
    goto done;
  choose_points(e, how.seed);
  if (e->count > 1)
    status = minimise(e, s, &options, &how);
done:
  if (status == BPERC_OK) {
    *out = e;
    return status;
  }
  bperc_embedding_free(e);
  if (status != BPERC_E_ARGUMENT)
    bperc_error_set(error, status, "the map failed: %s",
                    bperc_status_name(status));
  return status;
}

void bperc_embedding_free(bperc_embedding *e) {
  if (!e)
    return;
  bperc_i_free(e->solution);
  bperc_i_free(e->x);
  bperc_i_free(e->y);
  bperc_i_free(e);
}
