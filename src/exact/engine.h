/* The search behind one face: the tables and kernel of plan.h where every
 * literal is on when its bit is 1, those of slack.h otherwise. */
#ifndef BPERC_EXACT_ENGINE_H
#define BPERC_EXACT_ENGINE_H

#include "exact/kernel.h"

typedef struct {
  bool monotone;
  bperc_i_plan plan;         /* when monotone */
  bperc_i_slack_plan slacks; /* otherwise */
  size_t positions;          /* weights that are searched */
  size_t node_size;          /* bytes */
  bool wide;                 /* words of 128 bits in lists */
} bperc_i_engine;

/* which: the open columns to search, a subset of r->open. */
bperc_status bperc_i_engine_init(bperc_i_engine *e, const bperc_i_residual *r,
                                 bperc_i_word which);
void bperc_i_engine_clear(bperc_i_engine *e);

/* The node from which everything starts; room for node_size. */
void bperc_i_engine_root(const bperc_i_engine *e, const bperc_i_residual *r,
                         bperc_i_node *root);
/* Works off a stack, as bperc_i_kernel does: room for positions + 2 nodes. */
void bperc_i_engine_run(const bperc_i_engine *e, void *stack,
                        bperc_i_sink *sink);
/* The children of a node, as bperc_i_splitter does. */
unsigned bperc_i_engine_split(const bperc_i_engine *e, const bperc_i_node *node,
                              bperc_i_node *zero, bperc_i_node *one);

#endif
