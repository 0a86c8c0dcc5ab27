/* One iteration of AMP for a perceptron with weights of one bit.
 *
 * Every problem is reduced to the bits b_i: pattern mu with label y = +-1
 * wants y (sum_i x_i b_i - t) > 0, t half-way between allowed and forbidden
 * sums. Columns are described by the mean f_i and variance q_i of x_i.
 */
#ifndef BPERC_SOLVER_AMP_ITERATION_H
#define BPERC_SOLVER_AMP_ITERATION_H

#include "base/squeeze.h"
#include "bperc/instance.h"
#include "kernels/matvec.h"
#include "kernels/sites.h"

#include <stdbool.h>

typedef struct {
  const bperc_instance *in;
  bperc_i_thread_pool *pool; /* borrowed; NULL: one thread */
  size_t n;                  /* weights in the computation */
  size_t padded; /* n up to a multiple of 4; arrays of n are zero there */
  const bperc_i_site_kernels *sites;
  bperc_i_bit_matrix x, support; /* of inputs 1, of inputs not 0 */
  bool pinned;                   /* sum_i f_i p_i is held at target */
  double target;                 /* mean of t */
  double q_mean;                 /* mean of q */
  double f_root;                 /* root mean square of f; 0 if not pinned */
  double *f, *q; /* n: mean and variance of an input; f = 0 if not pinned */
  double *pull;  /* n: f_i over its root mean square */
  double *t;     /* m: threshold */
  const double *share; /* m: kappa_mu / kappa; NULL: no margins */
  double *h, *p;       /* n: field, P(b_i = 1) */
  double *g;           /* m: force of a pattern */
  /* m: the same for other threads, on several; else g. A core that has a line
   * to read waits while it asks for it to write, and others ask for all g. */
  double *shared_g;
  double *half;   /* m: of the widths of bands around t; NULL without */
  double *cavity; /* m, borrowed: P(label 1) without the pattern itself;
                     NULL unless asked for; bands need it */
  double noise;   /* probability of a wrong label; needs cavity */
  double rest_undecided, rest_variance, rest_lost; /* of weights that left */
  uint32_t *site;         /* of a part: which weights are in it */
  uint64_t *own;          /* of a part: its columns */
  bperc_i_squeeze *plan;  /* of a part: how they are packed */
  int32_t *fixed_point_p; /* p in whole units */
  int32_t *fixed_point_g; /* g in whole units: for worker k from k g_room on */
  size_t g_room;
  /* Products with columns, n each, and for every further thread those of a
   * strip: with inputs 1, and with inputs not 0. */
  int64_t *sums, *other;
  /* Products with rows of fixed_point_p, for part k from k row_room on: what
   * its weights add to every pattern, then the sum of its fixed_point_p. */
  int64_t *row_sums, *row_other;
  int64_t *rows; /* for worker k from k row_room on, while it adds them up */
  size_t row_room;
  /* Sums over blocks, two numbers each. Of weights: mean and slope, in turn at
   * two places; undecided and variance. Of patterns: response and largest
   * force. */
  double *mean_sums[2], *open_sums, *force_sums;
  double *lost_sums; /* and one number each: what rounding took from sums */
  void *room;        /* the memory of all these arrays */
  /* What changes from one iteration to the next, in one line of the cache. */
  _Alignas(64) double margin; /* kappa, in standard deviations */
  double rho;                 /* reinforcement in force */
  double lost;                /* sum_i f_i p_i less that of fixed_point_p */
  double shift;               /* L, last value */
  double undecided;           /* U = sum_i p_i (1 - p_i) + 0.2 */
  double variance; /* V = sum_i q_i p_i (1 - p_i), and what rounding leaves */
  bool rows_known; /* row_sums are those of fixed_point_p */
} bperc_i_amp;

/* What rounding a weight to 0 or 1 leaves undecided. */
#define BPERC_I_UNDECIDED 0.2
/* fixed_point_p counts these: 1 is one more than what products take. */
#define BPERC_I_UNIT_P (1. / (BPERC_I_MATVEC_LARGEST + 1))

/* The nearest below 1. */
static inline int32_t bperc_i_amp_whole(double p) {
  int32_t whole = (int32_t)(p / BPERC_I_UNIT_P + 0.5);
  return whole < BPERC_I_MATVEC_LARGEST ? whole : BPERC_I_MATVEC_LARGEST;
}

/* Sums of real numbers are added up by blocks, which do not depend on how the
 * work is shared out: 16 of them, or more for large problems. */
static inline size_t bperc_i_amp_blocks(size_t count) {
  size_t blocks = 16;
  while (blocks * 1024 < count)
    blocks *= 2;
  return blocks;
}

/* The weights, or patterns, of block `k`. Those of weights are whole words. */
static inline bperc_i_span bperc_i_amp_block(size_t count, size_t unit,
                                             size_t k) {
  return bperc_i_part(count, unit, k, bperc_i_amp_blocks(count));
}

/* The blocks of a part, and all that is in them. */
static inline bperc_i_span bperc_i_amp_blocks_of(size_t count, size_t part,
                                                 size_t parts) {
  return bperc_i_part(bperc_i_amp_blocks(count), 1, part, parts);
}

static inline bperc_i_span bperc_i_amp_part_of(size_t count, size_t unit,
                                               size_t part, size_t parts) {
  bperc_i_span b = bperc_i_amp_blocks_of(count, part, parts);
  return (bperc_i_span){bperc_i_amp_block(count, unit, b.from).from,
                        bperc_i_amp_block(count, unit, b.to).from};
}

/* ---- patterns spread over processes (bperc/instance.h): one thread each */

/* Sums of whole numbers over all of them; NULL is fine. */
static inline void bperc_i_amp_sum_ranks(const bperc_i_amp *s, int64_t *sums,
                                         size_t count) {
  if (s->in->spread && sums)
    s->in->spread->sum(sums, count);
}

/* The patterns, or blocks of patterns, of a process. */
static inline bperc_i_span bperc_i_amp_rank_rows(size_t m, int rank, int size) {
  return bperc_i_amp_part_of(m, 16, (size_t)rank, (size_t)size);
}

/* Everybody's part of an array with `size` bytes for every pattern (rows 1) or
 * every block of patterns (rows 0). */
void bperc_i_amp_gather(const bperc_spread *spread, void *all, bool rows,
                        size_t size);

/* A sum over inputs, +1 minus -1, from that over inputs +1 and from that over
 * inputs that are not 0, or over all. */
static inline int64_t bperc_i_amp_sum(const bperc_i_amp *s, int64_t sum,
                                      int64_t other) {
  return s->in->inputs == BPERC_INPUTS_01 ? sum : 2 * sum - other;
}

static inline int64_t bperc_i_amp_total(const int32_t *whole, size_t count) {
  int64_t sum = 0;
  for (size_t k = 0; k < count; k++)
    sum += whole[k];
  return sum;
}

/* How many threads an iteration is worth. */
unsigned bperc_i_amp_workers(const bperc_instance *in, unsigned threads);
bperc_status bperc_i_amp_init(bperc_i_amp *s, const bperc_instance *in,
                              bperc_i_thread_pool *pool);
void bperc_i_amp_clear(bperc_i_amp *s);
/* Whether sums and other are those of fixed_point_g: base/check.h. */
bool bperc_i_amp_columns_right(const bperc_i_amp *s);
/* What follows from p, after it was written from outside. */
void bperc_i_amp_refresh(bperc_i_amp *s);
/* All fields equal, no forces. */
void bperc_i_amp_start(bperc_i_amp *s);
/* Fields +-field with the signs of these weights, no forces. */
void bperc_i_amp_start_at(bperc_i_amp *s, const uint64_t *weights,
                          double field);

/* A part of the weights, at most `most` of them, the others as they are. It
 * shares forces and margins with the whole problem. */
bperc_status bperc_i_amp_part_init(bperc_i_amp *part, const bperc_i_amp *full,
                                   size_t most);
/* Takes over all weights where out[i] is 0. */
void bperc_i_amp_part_take(bperc_i_amp *part, bperc_i_amp *full,
                           const uint8_t *out);
/* Hands fields and probabilities back. */
void bperc_i_amp_part_give(const bperc_i_amp *part, bperc_i_amp *full);

/* False when a number is no longer finite: to all workers alike. `after`, if
 * not NULL, is done for every part when its weights have their new fields,
 * within the same loop. */
bool bperc_i_amp_iterate_with(bperc_i_amp *s, bperc_i_region *region,
                              bperc_i_task *after, void *context);
bool bperc_i_amp_iterate(bperc_i_amp *s); /* by its pool */

#endif
