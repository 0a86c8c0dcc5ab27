/* Depth-first search over tables.h: what the kernels take and give. The kernels
 * themselves are search_template.h, compiled for words of 64 and of 128 bits
 * and for each instruction set. */
#ifndef BPERC_EXACT_KERNEL_H
#define BPERC_EXACT_KERNEL_H

#include "exact/search/tables.h"
#include "kernels/isa.h"

typedef enum {
  BPERC_I_COUNT, /* only count */
  BPERC_I_LIST,  /* write every solution */
  BPERC_I_FIRST, /* stop at the first one */
  BPERC_I_RANKS  /* write those of given ranks, in the order of the search */
} bperc_i_mode;

/* A node of the search: its undecided unblocked head positions, the columns
 * set so far, then group indices and needs, or lanes of slacks. */
typedef struct bperc_i_node {
  bperc_i_word free, word;
  uint64_t state[];
} bperc_i_node;

static inline size_t bperc_i_node_size(const bperc_i_plan *p) {
  size_t size = sizeof(bperc_i_node) +
                (p->index_words + p->need_words) * sizeof(uint64_t);
  return (size + 31) / 32 * 32;
}

static inline size_t bperc_i_slack_node_size(const bperc_i_slack_plan *p) {
  return sizeof(bperc_i_node) + p->vectors * sizeof(bperc_i_lanes);
}

typedef struct bperc_i_sink bperc_i_sink;
struct bperc_i_sink {
  bperc_i_mode mode;
  uint64_t count;          /* solutions met */
  uint64_t reported;       /* of these, how many the owner knows of */
  size_t task;             /* which prefix this is */
  uint64_t nodes;          /* nodes visited */
  uint64_t check_interval; /* nodes between two calls of pause */
  size_t height;           /* nodes on the stack */
  bool stopped;            /* left before the end */
  bperc_i_word first;      /* BPERC_I_FIRST: the solution */
  void *out;               /* BPERC_I_LIST: words of 8 or 16 bytes */
  size_t used, allocated;  /* in words; room is at least 256 */
  const uint64_t *rank;    /* BPERC_I_RANKS: ascending; out has room for all */
  size_t ranks;
  /* Makes room for 256 words more; false stops the search. */
  bool (*grow_output)(bperc_i_sink *sink);
  /* Called now and then; false stops the search. */
  bool (*pause)(bperc_i_sink *sink);
  void *owner;
};

/* Works off a stack of sink->height nodes with room for positions + 2. When
 * pause ends it, stack and height are what is left to do. */
typedef void bperc_i_kernel(const bperc_i_plan *p, void *stack,
                            bperc_i_sink *sink);
/* The children of a node that has free positions: bit 0 of the answer when the
 * one with 0, bit 1 when the one with 1 is not infeasible. */
typedef unsigned bperc_i_splitter(const bperc_i_plan *p,
                                  const bperc_i_node *node, bperc_i_node *zero,
                                  bperc_i_node *one);

typedef void bperc_i_slack_kernel(const bperc_i_slack_plan *p, void *stack,
                                  bperc_i_sink *sink);
typedef unsigned bperc_i_slack_splitter(const bperc_i_slack_plan *p,
                                        const bperc_i_node *node,
                                        bperc_i_node *zero, bperc_i_node *one);

/* Gives a node, its free positions set, the state that these ones lead to. */
typedef void bperc_i_placer(const bperc_i_plan *p, bperc_i_word ones,
                            bperc_i_node *node);
typedef void bperc_i_slack_placer(const bperc_i_slack_plan *p,
                                  bperc_i_word ones, bperc_i_node *node);

/* For lists of words of 64 and of 128 bits; nodes are split in 128. */
typedef struct {
  bperc_i_kernel *search[2];
  bperc_i_splitter *split;
  bperc_i_placer *place;
  bperc_i_slack_kernel *slack_search[2];
  bperc_i_slack_splitter *slack_split;
  bperc_i_slack_placer *slack_place;
} bperc_i_search_kernels;

/* bperc_i_search_kernels_get(): the table for the instruction set in force. */
BPERC_I_FAMILY(bperc_i_search_kernels)

#endif
