/* Bit kernels: AND-popcount and bit-sliced saturating counters. */
#ifndef BPERC_KERNELS_BITS_H
#define BPERC_KERNELS_BITS_H

#include "kernels/isa.h"

#include <stddef.h>
#include <stdint.h>

/* n counters side by side, one bit plane per binary digit. A counter holds an
 * odd number h with |h| <= 2 limit + 1: the top plane is its sign (1 for
 * h > 0), the lower planes are k = (|h| - 1)/2 where the sign is 1 and NOT k
 * where it is 0, so that one step of h by 2 is one step of a binary number.
 * Planes are `stride` words apart, a multiple of 4; padding never changes. */
typedef struct {
  size_t words, stride;
  unsigned planes; /* sign included */
  uint64_t limit;  /* largest k; below 2^(planes-1) */
  uint64_t *plane; /* planes * stride words, lowest digit first */
} bperc_i_counters;

static inline uint64_t *bperc_i_plane(const bperc_i_counters *c, unsigned p) {
  return c->plane + p * c->stride;
}

enum { BPERC_I_MOST_PLANES = 32 };

/* n two-digit counters side by side: a low wheel that counts 0 .. last and
 * turns over, and a high number w >= 0 that the turns of the wheel move. Below
 * 0 it stays 0, and the wheel turns over all the same (hold 0) or stays too
 * (hold 1). */
typedef struct {
  size_t words, stride;
  unsigned wheel_planes, used; /* used: planes of w that may be non-zero */
  uint64_t last;
  int hold;
  uint64_t *wheel; /* wheel_planes * stride words */
  uint64_t *w;     /* BPERC_I_MOST_PLANES * stride words */
} bperc_i_two_digit_counters;

/* What a row says about the positions of a vector y. */
typedef enum {
  BPERC_I_ROWS_01,     /* hits are ones of row AND y */
  BPERC_I_ROWS_PM,     /* hits are positions where row and y agree */
  BPERC_I_ROWS_SIGNED, /* the same, inside the support only */
} bperc_i_rows_kind;

/* The rows of a matrix, with what their hits must obey: label 1 at least its
 * bound, label 0 at most its bound. */
typedef struct {
  const uint64_t *rows, *support;
  const uint8_t *labels;
  const int64_t *bound; /* one per row; NULL: those of the labels */
  int64_t label_bound[2];
  size_t count, words, bits;
  bperc_i_rows_kind kind;
} bperc_i_rows;

static inline int64_t bperc_i_row_bound(const bperc_i_rows *rows, size_t mu) {
  return rows->bound ? rows->bound[mu] : rows->label_bound[rows->labels[mu]];
}

/* Rows from to to - 1 of them. */
static inline bperc_i_rows bperc_i_some_rows(const bperc_i_rows *all,
                                             size_t from, size_t to) {
  bperc_i_rows some = *all;
  some.rows += from * all->words;
  some.support = all->support ? all->support + from * all->words : NULL;
  some.labels += from;
  some.bound = all->bound ? all->bound + from : NULL;
  some.count = to - from;
  return some;
}

typedef struct {
  /* Number of ones of x AND y. */
  uint64_t (*and_popcount)(const uint64_t *x, const uint64_t *y, size_t words);
  /* Hits of row mu. */
  int64_t (*hits)(const bperc_i_rows *rows, size_t mu, const uint64_t *y);
  /* How many rows break their condition under these weights. */
  size_t (*violated)(const bperc_i_rows *rows, const uint64_t *weights);
  /* h + 2 and h - 2 where mask is 1, saturating. */
  void (*up)(const bperc_i_counters *c, const uint64_t *mask);
  void (*down)(const bperc_i_counters *c, const uint64_t *mask);
  /* h - 2 where mask is 1 and h < 0: no sign changes. */
  void (*deepen)(const bperc_i_counters *c, const uint64_t *mask);
  /* h + 2 where mask is 1 and h > 0. */
  void (*strengthen)(const bperc_i_counters *c, const uint64_t *mask);
  /* h + 2 where mask and signs are 1 and h - 2 where mask is 1 and signs 0; the
   * other way round when on is 0. Saturating. */
  void (*toward)(const bperc_i_counters *c, const uint64_t *mask,
                 const uint64_t *signs, int on);
  /* The same, only where |h| grows: no sign changes. */
  void (*firm)(const bperc_i_counters *c, const uint64_t *mask,
               const uint64_t *signs, int on);
  /* One step of the wheels where mask is 1. */
  void (*turn_up)(bperc_i_two_digit_counters *o, const uint64_t *mask);
  void (*turn_down)(bperc_i_two_digit_counters *o, const uint64_t *mask);
} bperc_i_bit_kernels;

/* bperc_i_bit_kernels_get(): the table for the instruction set in force. */
BPERC_I_FAMILY(bperc_i_bit_kernels)

#endif
