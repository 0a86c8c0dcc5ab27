/* The state of belief propagation, shared by the files of src/bp. */
#ifndef BPERC_BP_STATE_H
#define BPERC_BP_STATE_H

#include "bperc/bp.h"
#include "kernels/bp.h"

/* One pattern. */
typedef struct {
  size_t at;       /* first edge of its list; unused with masks */
  uint32_t degree; /* unfixed weights with input 1 */
  int32_t left;    /* label 0: ones still allowed; label 1: still needed */
  uint8_t label, live;
} bperc_i_factor;

/* Edges are lists (column numbers, padded to whole vectors with the column
 * `columns`) or, for dense patterns, rows of all columns with a bit mask. */
typedef enum { BPERC_I_LISTS, BPERC_I_MASKS } bperc_i_layout;

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

  /* edges */
  bperc_i_layout layout;
  size_t columns;      /* columns in use */
  size_t stride;       /* numbers per mask row, a multiple of 64 */
  size_t capacity;     /* numbers of u (and of list entries) */
  uint32_t *weight_of; /* column -> weight */
  uint32_t *column_of; /* weight -> column */
  uint32_t *stay;      /* scratch of n numbers for squeezing */
  uint32_t *list;      /* lists: column of every entry */
  uint64_t *mask;      /* masks: m rows of stride bits */
  double *u;           /* one of the two, by `fast` */
  float *u32;

  /* an iteration */
  size_t blocks;             /* fixed by the problem, so that sums are too */
  size_t width;              /* numbers of one block's accumulator */
  double *sums;              /* plain: blocks x width */
  float *sums32;             /* fast: blocks x width */
  float *g32;                /* fast: g by column */
  double *block_log_z;       /* Bethe terms of a block's factors and edges */
  double *block_stiff;       /* sum of hazard' v, for the uniform mode */
  double *block_variance;    /* sum of v: p (1 - p) of all messages */
  struct bperc_i_work *work; /* one per worker */
  unsigned workers;

  uint64_t sweeps;
  double residual;  /* largest |H - g| */
  double shift;     /* p(1-p)-weighted mean of H - g */
  double stiffness; /* lambda: response of -shift to a uniform field */
  double moved;     /* mean square change of the fields */
  double log_z;     /* valid after a step that wanted it */
};

/* Scratch of one worker: a row in double precision, and tables. */
typedef struct bperc_i_work {
  size_t room; /* numbers of each array */
  uint32_t *slots;
  double *h, *p, *q, *h_hat;
  float *row;    /* fast: p of a row */
  double *table; /* exact factors: prefix distributions */
  size_t table_room;
} bperc_i_work;

/* ---- sweep.c */
/* One pass over all factors with damping f; f = 0 changes no message. With
 * want_log_z BPERC_I_PRECISE all rows are done in double precision. */
enum { BPERC_I_PRECISE = 2 };
void bperc_i_bp_sweep(bperc_bp *bp, double f, int want_log_z);
/* The node update that follows a sweep. */
/* What a split step adds to every field alike. */
double bperc_i_bp_common_step(const bperc_bp *bp);
void bperc_i_bp_relax(bperc_bp *bp, double f, int split);

/* ---- converge.c */
/* [BZ appendix B]: a smaller change of the entropy per weight has converged. */
#define BPERC_I_ENTROPY_CHANGE 1e-7

double bperc_i_bp_damping(const bperc_bp *bp, int split);

#endif
