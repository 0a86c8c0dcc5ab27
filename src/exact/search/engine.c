/* The search behind one face: engine.h. */
#include "exact/search/parts.h"

#include "exact/search/search.h"

#include <string.h>

bperc_status bperc_i_engine_init(bperc_i_engine *e,
                                 const bperc_i_search_residual *r,
                                 bperc_i_word which) {
  memset(e, 0, sizeof *e);
  e->monotone = r->monotone;
  e->wide = bperc_i_list_words(r->columns) > 1;
  bperc_status status = e->monotone
                            ? bperc_i_plan_init(&e->plan, r, which)
                            : bperc_i_slack_plan_init(&e->slacks, r, which);
  if (status != BPERC_OK)
    return status;
  e->positions = e->monotone ? e->plan.positions : e->slacks.positions;
  e->node_size = e->monotone ? bperc_i_node_size(&e->plan)
                             : bperc_i_slack_node_size(&e->slacks);
  e->head = e->monotone ? e->plan.head : e->slacks.head;
  e->bit = e->monotone ? e->plan.bit : e->slacks.bit;
  e->relaxed =
      e->positions > (e->monotone ? BPERC_I_RELAXED : BPERC_I_RELAXED_SIGNED) &&
      r->m <= BPERC_I_PRICED;
  if (e->relaxed)
    status = bperc_i_relax_init(&e->relax, r, e->bit, e->positions);
  if (status != BPERC_OK)
    bperc_i_engine_clear(e);
  return status;
}

void bperc_i_engine_clear(bperc_i_engine *e) {
  bperc_i_plan_clear(&e->plan);
  bperc_i_slack_plan_clear(&e->slacks);
  bperc_i_relax_clear(&e->relax);
}

void bperc_i_engine_root(const bperc_i_engine *e,
                         const bperc_i_search_residual *r, bperc_i_node *root) {
  const bperc_i_plan *p = &e->plan;
  const bperc_i_slack_plan *q = &e->slacks;
  root->word = r->base;
  root->free = bperc_i_word_low(e->monotone ? p->head : q->head);
  if (e->monotone)
    memcpy(root->state, p->start,
           (p->index_words + p->need_words) * sizeof *p->start);
  else
    memcpy(root->state, q->start, q->vectors * sizeof *q->start);
}

void bperc_i_engine_node(const bperc_i_engine *e, bperc_i_word base,
                         bperc_i_word free, bperc_i_word ones,
                         bperc_i_node *node) {
  const bperc_i_search_kernels *kernels = bperc_i_search_kernels_get();
  bperc_i_word head = bperc_i_word_low(e->head);
  node->word = base;
  for (bperc_i_word left = ones & head; left; left &= left - 1)
    node->word |= e->bit[bperc_i_word_ctz(left)];
  node->free = free & head;
  if (e->monotone)
    kernels->place(&e->plan, ones & head, node);
  else
    kernels->slack_place(&e->slacks, ones & head, node);
}

void bperc_i_engine_run(const bperc_i_engine *e, void *stack,
                        bperc_i_sink *sink) {
  const bperc_i_search_kernels *kernels = bperc_i_search_kernels_get();
  if (e->monotone)
    kernels->search[e->wide](&e->plan, stack, sink);
  else
    kernels->slack_search[e->wide](&e->slacks, stack, sink);
}

unsigned bperc_i_engine_split(const bperc_i_engine *e, const bperc_i_node *node,
                              bperc_i_node *zero, bperc_i_node *one) {
  const bperc_i_search_kernels *kernels = bperc_i_search_kernels_get();
  return e->monotone ? kernels->split(&e->plan, node, zero, one)
                     : kernels->slack_split(&e->slacks, node, zero, one);
}
