/* How threads share an iteration of AMP: its products, and who has what.
 *
 * Weights and patterns are cut into one part for every thread. Products are
 * whole numbers, exact in any order; real sums are added up by blocks that do
 * not depend on the parts, and the blocks in order: the same bits for every
 * number of threads. A thread goes through its columns of the patterns in both
 * products, and what it knows of its weights stays with it.
 *
 * A core waits long for a line of the cache that another one has read or
 * written since. So what others read is added up elsewhere first and then
 * copied in one go, and what only one thread needs is apart from what others
 * do. */
#ifndef BPERC_SOLVER_AMP_PARTS_H
#define BPERC_SOLVER_AMP_PARTS_H

#include "solver/amp_state.h"

enum {
  BPERC_I_AMP_SITES = 64,
  BPERC_I_AMP_PATTERNS = 16
}; /* units of blocks */

/* What a worker knows of an iteration. */
typedef struct {
  bperc_i_amp *s;
  bperc_i_region *region;
  size_t parts;
  int32_t *fixed_point_g; /* its own */
  int64_t *rows;          /* its own */
  int64_t all;            /* sum over all inputs, of products */
  double unit;            /* of forces */
  double response;
  double shift;
  bperc_i_task *after; /* of a part's new fields; NULL: nothing */
  void *after_context;
  double *means;   /* where sums over blocks go */
  bool new_fields; /* to be computed from the products first */
  double mean, slope, undecided, variance, lost;
} bperc_i_amp_loop;

static inline size_t bperc_i_smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

static inline size_t bperc_i_larger(size_t a, size_t b) {
  return a > b ? a : b;
}

/* The weights of a part. */
static inline bperc_i_span bperc_i_amp_sites_of(const bperc_i_amp_loop *l,
                                                size_t part) {
  return bperc_i_amp_part_of(l->s->padded, BPERC_I_AMP_SITES, part, l->parts);
}

/* Adds up what the parts know of a pattern. */
static inline int64_t bperc_i_amp_add_parts(const bperc_i_amp_loop *l,
                                            const int64_t *sums, size_t mu) {
  int64_t sum = sums[mu];
  for (size_t part = 1; part < l->parts; part++)
    sum += sums[part * l->s->row_room + mu];
  return sum;
}

/* Adds up sums over blocks: two. */
static inline void bperc_i_amp_add_blocks(const double *sums, size_t count,
                                          double *a, double *b) {
  double first = 0, second = 0;
  for (size_t k = 0; k < bperc_i_amp_blocks(count); k++) {
    first += sums[2 * k];
    second += sums[2 * k + 1];
  }
  *a += first;
  *b += second;
}

bperc_i_amp_loop bperc_i_amp_loop_begin(bperc_i_amp *s, bperc_i_region *region);

/* ---- products with columns: sum_mu x_mui whole_g_mu, for all weights */

void bperc_i_amp_column_products(bperc_i_amp_loop *l);
/* The sums of columns from to end - 1 of a strip. */
void bperc_i_amp_strip_totals(const bperc_i_amp_loop *l, const int64_t *sums,
                              size_t from, size_t end, int64_t *out);

/* ---- products with rows: sum_i x_mui fixed_point_p_i, by parts of the weights
 */

/* A task of the region: what the weights of a part add to every pattern. */
void bperc_i_amp_row_part(void *context, size_t part, unsigned worker);
/* Whether they are those of fixed_point_p: base/check.h. */
bool bperc_i_amp_row_right(const bperc_i_amp_loop *l, size_t mu);

/* Copies the forces of a part to where other threads read them. */
void bperc_i_amp_share_forces(const bperc_i_amp_loop *l, size_t part);

#endif
