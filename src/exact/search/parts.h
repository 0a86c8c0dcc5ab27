/* The search behind one face: the first tables and kernel of tables.h where
 * every literal is on when its bit is 1, those of slacks otherwise. */
#ifndef BPERC_EXACT_ENGINE_H
#define BPERC_EXACT_ENGINE_H

#include "exact/search/relax.h"
#include "exact/search/search_kernel.h"

typedef struct {
  bool monotone;
  bperc_i_plan plan;         /* when monotone */
  bperc_i_slack_plan slacks; /* otherwise */
  size_t positions;          /* weights that are searched */
  size_t node_size;          /* bytes */
  bool wide;                 /* words of 128 bits in lists */
  size_t head;               /* positions that are branched on */
  const bperc_i_word *bit;   /* [positions] which column */
  bool relaxed;              /* large enough for bounds from sums: */
  bperc_i_relax relax;
} bperc_i_engine;

/* which: the open columns to search, a subset of r->open. */
bperc_status bperc_i_engine_init(bperc_i_engine *e,
                                 const bperc_i_search_residual *r,
                                 bperc_i_word which);
void bperc_i_engine_clear(bperc_i_engine *e);

/* The node from which everything starts; room for node_size. */
void bperc_i_engine_root(const bperc_i_engine *e,
                         const bperc_i_search_residual *r, bperc_i_node *root);
/* Works off a stack, as bperc_i_kernel does: room for positions + 2 nodes. */
void bperc_i_engine_run(const bperc_i_engine *e, void *stack,
                        bperc_i_sink *sink);
/* The children of a node, as bperc_i_splitter does. */
unsigned bperc_i_engine_split(const bperc_i_engine *e, const bperc_i_node *node,
                              bperc_i_node *zero, bperc_i_node *one);
/* A node with these positions undecided (of the head) and these at 1. */
void bperc_i_engine_node(const bperc_i_engine *e, bperc_i_word base,
                         bperc_i_word free, bperc_i_word ones,
                         bperc_i_node *node);

/* Parts of the tree: a node as above, or one of relax.h when e->relaxed. */
size_t bperc_i_part_size(const bperc_i_engine *e);
void bperc_i_part_root(const bperc_i_engine *e,
                       const bperc_i_search_residual *r, void *root);
enum { BPERC_I_WHOLE = 4 };
/* The two parts of a part, as bperc_i_engine_split; BPERC_I_WHOLE: it is too
 * small for that. */
unsigned bperc_i_part_split(const bperc_i_engine *e, const void *part,
                            void *zero, void *one);
/* Searches a part; a stop is for good. base: the columns that are set anyway.
 * False: no memory. */
bool bperc_i_part_search(const bperc_i_engine *e, bperc_i_word base,
                         const void *part, bperc_i_sink *sink);

#endif
