/* The state of belief propagation, shared by the files of src/bp. */
#ifndef BPERC_BP_STATE_H
#define BPERC_BP_STATE_H

#include "base/threads.h"
#include "bp/engine.h"
#include "kernels/bp_kernels.h"

/* One pattern: a bound on how many of its literals are on. The literal of an
 * input +1 is on when the weight's bit is 1, that of an input -1 when it is 0.
 */
typedef struct {
  size_t at;       /* first number of its row of messages */
  uint32_t degree; /* unfixed weights with an input other than 0 */
  uint32_t plus;   /* of them with input +1; they come first in the list */
  int32_t left;    /* label 0: hits still allowed; label 1: still needed */
  uint8_t label, live;
} bperc_i_factor;

/* Edges belong to literals: a column, or for an input -1 a column plus `half`.
 * Messages u, h, h_hat and p of an edge are those of its literal: a field of
 * the bit with its sign turned where the input is -1. Of a row of messages,
 *
 * lists    hold one number per edge, in the order of the literals, and list
 *          these, padded to whole vectors with the column `columns`;
 * packed   hold the same numbers, the literals a bit mask: the same bits, and
 *          faster where the kernels can pack (bperc_i_bp_kernels);
 * masks    hold a number for every column, the edges a bit mask: dense 0/1
 *          patterns, and centred, whose rows need all columns. */
typedef enum { BPERC_I_LISTS, BPERC_I_PACKED, BPERC_I_MASKS } bperc_i_layout;

/* What some rows, done in order, add up to. */
typedef struct {
  _Alignas(64) double log_z; /* Bethe terms of factors and edges */
  double stiff;              /* sum of hazard' v, for the uniform mode */
  double variance;           /* sum of v: p (1 - p) of all messages */
  double slope;              /* centred: sum of d log P(ok|S) / dS */
  double *sums;              /* h_hat by literal: plain, */
  float *sums32;             /* or fast */
} bperc_i_bp_cell;

struct bperc_bp {
  const bperc_instance *in;
  bperc_bp_options opt;
  uint64_t seed;
  unsigned threads;
  int fast; /* single precision messages */
  const bperc_i_bp_kernels *kernels;

  /* weights, indexed by weight */
  int8_t *fixed;    /* -1 unfixed */
  double *external; /* x_i of exp(x_i w_i); rBP puts p(t) h_i here */
  double *g;        /* damped field */
  double *field;    /* H_i = external + sum of h_hat, last iteration */
  size_t unfixed;

  /* factors */
  bperc_i_factor *factor;
  size_t live, edges;
  size_t violated; /* m: none */
  uint64_t *known; /* scratch of two rows of bits, for unit propagation */

  /* edges */
  bperc_i_layout layout;
  size_t columns;      /* columns in use */
  size_t stride;       /* bits per mask row, a multiple of 64 */
  size_t capacity;     /* numbers of u (and of list entries) */
  size_t words;        /* of all masks */
  uint32_t *weight_of; /* column -> weight */
  uint32_t *column_of; /* weight -> column */
  uint32_t *stay;      /* scratch of n numbers for squeezing */
  uint32_t *list;      /* lists: column of every entry */
  uint64_t *mask;      /* packed, masks: m rows of stride bits */
  double *u;           /* one of the two, by `fast` */
  float *u32;

  /* an iteration */
  size_t blocks;         /* fixed by the problem, so that sums are too */
  size_t half;           /* room for all columns and the padding, a
                            multiple of 64 */
  size_t width;          /* numbers of one block's accumulator: half, or
                            twice that with literals of both signs */
  bperc_i_bp_cell *cell; /* one per block; then, where blocks do not share
                         out evenly, one per row of the last ones */
  size_t row_cells;      /* how many of the latter */
  double *sums;          /* plain: width of every cell */
  float *sums32;         /* fast: the same */
  double *total;         /* width: sums over blocks */
  float *g32;            /* fast: g by literal */
  struct bperc_i_bp_workspace *work; /* one per worker */
  unsigned workers;
  bperc_i_thread_pool *pool; /* NULL: one worker */

  uint64_t sweeps;
  double residual;  /* largest |H - g| */
  double shift;     /* p(1-p)-weighted mean of H - g */
  double stiffness; /* lambda: response of -shift to a uniform field */
  double moved;     /* mean square change of the fields */
  double log_z;     /* valid after a step that wanted it */

  /* centred */
  double activity; /* S: sum of the unfixed weights */
  double lambda;   /* uniform field at which they have it */
  uint64_t *open;  /* columns of unfixed weights */
};

/* Scratch of one worker: a row in double precision, and tables. */
typedef struct bperc_i_bp_workspace {
  size_t room; /* numbers of each array */
  uint32_t *slots, *literals;
  double *h, *p, *q, *h_hat;
  float *row;             /* fast: p of a row */
  float *other, *message; /* centred: p of inputs 0, h_hat of all columns */
  uint64_t *mask;         /* centred: inputs 0 */
  double *table;          /* exact factors: prefix distributions */
  size_t table_room;
} bperc_i_bp_workspace;

/* Fewer edges than this are not worth a second thread. */
#define BPERC_I_BP_SHARE 25000

/* Threads for what goes through all edges now. */
static inline unsigned bperc_i_bp_threads(const bperc_bp *bp) {
  size_t worth = 1 + bp->edges / BPERC_I_BP_SHARE;
  return worth < bp->workers ? (unsigned)worth : bp->workers;
}

/* Rows of a block; the last may have fewer. */
static inline size_t bperc_i_bp_block_rows(const bperc_bp *bp) {
  return (bp->in->m + bp->blocks - 1) / bp->blocks;
}

/* Whether there are inputs -1. */
static inline int bperc_i_bp_is_signed(const bperc_bp *bp) {
  return bp->in->inputs != BPERC_INPUTS_01;
}

/* The mask of a row: by its messages where there are as many, or by pattern. */
static inline uint64_t *bperc_i_bp_mask(const bperc_bp *bp, size_t mu) {
  return bp->mask +
         (bp->layout == BPERC_I_MASKS ? bp->factor[mu].at : mu * bp->stride) /
             64;
}

static inline uint32_t bperc_i_bp_column(const bperc_bp *bp, uint32_t literal) {
  return literal < bp->half ? literal : literal - (uint32_t)bp->half;
}

#endif
