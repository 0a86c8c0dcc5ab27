/* Neighbours at a distance [BZ eq. 5] and distances of pairs: the method is
 * chosen by its cost. */
#include "exact/space/space.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <math.h>
#include <string.h>

enum {
  MAX_TRANSFORM = 30,  /* columns: the transform takes 2^columns numbers */
  MAX_SPREAD = 26,     /* columns, and distance up to which counts fit into */
  SPREAD_DISTANCE = 4, /* 16 bits */
  SPREAD_LEAF = 12,    /* columns of a part that stays in the cache */
  TREE_DISTANCE = 8    /* beyond, branches hardly ever part */
};

static const bperc_i_near_loops *kernels(const bperc_solutions *s) {
  return &bperc_i_near_kernels_get()->width[s->words == 2];
}

/* The live columns of a word, next to each other. */
static size_t pack_live(const bperc_solutions *s, bperc_i_word word) {
  bperc_i_word live = bperc_i_list_live(s);
  size_t packed = 0, at = 0;
  if (!(live & (live + 1))) /* they are */
    return (size_t)(word & live);
  for (size_t j = 0; j < s->columns; j++)
    if (live >> j & 1)
      packed |= (size_t)(word >> j & 1) << at++;
  return packed;
}

/* ---- neighbours by all configurations ----
 *
 * near[d][x] counts the solutions at distance d from x that differ from it in
 * the first j columns only. One column more, with x and y neighbours in it:
 *   near[d][x] += near[d - 1][y],  near[d][y] += near[d - 1][x].
 * After all columns these are all solutions at distance d.
 */

typedef struct {
  uint16_t *near; /* most + 1 times 2^columns; the first is the indicator */
  size_t max, size;
} spread;

static void spread_column(const spread *t, size_t from, size_t step) {
  for (size_t d = t->max; d > 0; d--) {
    uint16_t *restrict x = t->near + d * t->size + from;
    uint16_t *restrict y = x + step;
    const uint16_t *restrict x_less = x - t->size;
    const uint16_t *restrict y_less = y - t->size;
    for (size_t k = 0; k < step; k++) {
      x[k] = (uint16_t)(x[k] + y_less[k]);
      y[k] = (uint16_t)(y[k] + x_less[k]);
    }
  }
}

/* Halves first: they fit into the cache sooner. */
static void spread_columns(const spread *t, size_t from, size_t columns) {
  size_t size = (size_t)1 << columns;
  if (columns > SPREAD_LEAF) {
    if (bperc_cancelled())
      return;
    spread_columns(t, from, columns - 1);
    spread_columns(t, from + size / 2, columns - 1);
    spread_column(t, from, size / 2);
    return;
  }
  for (size_t step = 1; step < size; step *= 2)
    for (size_t part = 0; part < size; part += 2 * step)
      spread_column(t, from + part, step);
}

static bool can_spread(const bperc_solutions *s, size_t max) {
  return s->unfixed <= MAX_SPREAD && max <= SPREAD_DISTANCE;
}

/* Measured: a solution takes 1.5 us in the tree, a configuration 0.27 ns for
 * each column and distance. */
static bool dense_enough(const bperc_solutions *s, size_t max) {
  double all = ldexp(0.27 * (double)max, (int)s->unfixed);
  return 1500 * (double)s->count > all * (double)s->unfixed;
}

static bperc_status near_by_spread(const bperc_solutions *s, size_t max,
                                   uint32_t *out) {
  spread t = {.max = max, .size = (size_t)1 << s->unfixed};
  t.near = bperc_i_calloc((max + 1) * t.size, sizeof *t.near);
  if (!t.near)
    return BPERC_E_MEMORY;
  for (size_t k = 0; k < s->count; k++)
    t.near[pack_live(s, bperc_i_list_word(s, k))] = 1;
  spread_columns(&t, 0, s->unfixed);
  for (size_t k = 0; k < s->count; k++) {
    size_t x = pack_live(s, bperc_i_list_word(s, k));
    for (size_t d = 0; d <= max; d++)
      out[k * (max + 1) + d] = t.near[d * t.size + x];
  }
  bperc_i_free(t.near);
  return bperc_cancelled() ? BPERC_E_INTERRUPTED : BPERC_OK;
}

static bperc_status near_by_list(const bperc_solutions *s, size_t max,
                                 bperc_near_method method, uint32_t *out) {
  for (size_t k = 0; k < s->count && !bperc_cancelled(); k++) {
    memset(out + k * (max + 1), 0, (max + 1) * sizeof *out);
    out[k * (max + 1)] = 1;
  }
  if (method == BPERC_NEAR_TREE)
    kernels(s)->tree(s->bits, s->count, max, out);
  else
    kernels(s)->pairs(s->bits, s->count, max, out);
  return bperc_cancelled() ? BPERC_E_INTERRUPTED : BPERC_OK;
}

bperc_status bperc_solutions_near(const bperc_solutions *s, size_t max,
                                  bperc_near_method method, uint32_t *out) {
  bool can = can_spread(s, max);
  bperc_near_method list =
      max <= TREE_DISTANCE ? BPERC_NEAR_TREE : BPERC_NEAR_PAIRS;
  if (method == BPERC_NEAR_TRANSFORM)
    return can ? near_by_spread(s, max, out) : BPERC_E_ARGUMENT;
  if (method != BPERC_NEAR_CHOOSE)
    return near_by_list(s, max, method, out);
  if (can && dense_enough(s, max)) {
    bperc_status status = near_by_spread(s, max, out);
    if (status != BPERC_E_MEMORY)
      return status;
  }
  return near_by_list(s, max, list, out);
}

void bperc_solutions_around(const bperc_solutions *s, const uint64_t *weights,
                            size_t max, uint64_t *out) {
  bperc_i_word centre = 0;
  size_t apart = 0; /* among the weights that are fixed */
  for (size_t i = 0; i < s->n; i++)
    apart += s->fixed[i] >= 0 && s->fixed[i] != bperc_i_bit(weights, i);
  for (size_t j = 0; j < s->columns; j++)
    if (bperc_i_bit(weights, s->column[j]))
      centre |= bperc_i_word_bit(j);
  memset(out, 0, (max + 1) * sizeof *out);
  for (size_t k = 0; k < s->count; k++) {
    bperc_i_word differ = centre ^ bperc_i_list_word(s, k);
    size_t d = apart + (size_t)bperc_i_word_popcount(differ);
    if (d <= max)
      out[d]++;
  }
}

void bperc_near_entropy(const uint32_t *near, size_t max, size_t n,
                        const uint32_t *origin, size_t count, double *out) {
  for (size_t d = 1; d <= max; d++) {
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
      uint32_t there = near[(origin ? origin[k] : k) * (max + 1) + d];
      sum += there ? log((double)there) : 0;
    }
    out[d - 1] = count ? sum / ((double)count * (double)n) : NAN;
  }
}

/* ---- distances by transform ----
 *
 * With f the indicator of the solutions and F its Walsh-Hadamard transform,
 *   2^u * (ordered pairs at distance d) = sum_k K_d(|k|) F(k)^2,
 * K_d the Krawtchouk polynomials [Macwilliams-Sloane ch. 5]. All in integers.
 */

static void transform(int32_t *f, size_t bits) {
  size_t size = (size_t)1 << bits;
  for (size_t step = 1; step < size && !bperc_cancelled(); step *= 2)
    for (size_t from = 0; from < size; from += 2 * step)
      for (size_t k = from; k < from + step; k++) {
        int32_t x = f[k], y = f[k + step];
        f[k] = x + y;
        f[k + step] = x - y;
      }
}

/* power[w]: sum of F(k)^2 over k with w ones; at most 2^u |S|. */
static void power_by_weight(const int32_t *f, size_t bits, uint64_t *power) {
  memset(power, 0, (bits + 1) * sizeof *power);
  for (size_t k = 0; k < (size_t)1 << bits; k++) {
    int64_t x = f[k];
    power[__builtin_popcountll(k)] += (uint64_t)(x * x);
  }
}

/* K_d(w) for all d, by the product (1 - z)^w (1 + z)^(u - w). */
static void krawtchouk(size_t u, size_t w, int64_t *k) {
  memset(k, 0, (u + 1) * sizeof *k);
  k[0] = 1;
  for (size_t j = 0; j < u; j++)
    for (size_t d = j + 1; d > 0; d--)
      k[d] += j < w ? -k[d - 1] : k[d - 1];
}

static bperc_status distances_by_transform(const bperc_solutions *s,
                                           uint64_t *out) {
  size_t u = s->unfixed;
  uint64_t power[MAX_TRANSFORM + 1];
  int64_t k[MAX_TRANSFORM + 1];
  __int128 sum[MAX_TRANSFORM + 1] = {0};
  if (u > MAX_TRANSFORM)
    return BPERC_E_ARGUMENT;
  int32_t *f = bperc_i_calloc((size_t)1 << u, sizeof *f);
  if (!f)
    return BPERC_E_MEMORY;
  for (size_t i = 0; i < s->count; i++)
    f[pack_live(s, bperc_i_list_word(s, i))] = 1;
  transform(f, u);
  power_by_weight(f, u, power);
  bperc_i_free(f);
  for (size_t w = 0; w <= u; w++) {
    krawtchouk(u, w, k);
    for (size_t d = 0; d <= u; d++)
      sum[d] += (__int128)k[d] * (__int128)power[w];
  }
  for (size_t d = 1; d <= u; d++)
    out[d] = (uint64_t)((sum[d] >> u) / 2);
  return bperc_cancelled() ? BPERC_E_INTERRUPTED : BPERC_OK;
}

bperc_status bperc_solutions_distances(const bperc_solutions *s,
                                       bperc_near_method method,
                                       uint64_t *out) {
  memset(out, 0, (s->columns + 1) * sizeof *out);
  if (method == BPERC_NEAR_TREE)
    return BPERC_E_ARGUMENT;
  if (method == BPERC_NEAR_CHOOSE) {
    /* Measured: a pair takes 0.7 ns, a butterfly of the transform 0.4 ns. */
    double pairs = 0.35 * (double)s->count * (double)s->count;
    double size = ldexp(1, (int)s->unfixed);
    bool fits = s->unfixed <= MAX_TRANSFORM;
    method = fits && pairs > (0.2 * (double)s->unfixed + 2) * size
                 ? BPERC_NEAR_TRANSFORM
                 : BPERC_NEAR_PAIRS;
  }
  if (method == BPERC_NEAR_TRANSFORM)
    return distances_by_transform(s, out);
  kernels(s)->histogram(s->bits, s->count, out);
  return bperc_cancelled() ? BPERC_E_INTERRUPTED : BPERC_OK;
}
