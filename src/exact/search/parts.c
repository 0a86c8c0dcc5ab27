/* The nodes and parts of a tree: parts.h. Parts are searched with the bounds of
 * relax.h down to small subtrees, which the tables decide. The order of the
 * search is theirs. */
#include "exact/search/parts.h"

#include "base/alloc.h"
#include "exact/search/search.h"

#include <assert.h>
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

/* ---- a search with bounds ---- */

enum { WARM = 16 }; /* times that the first node is bounded */

typedef struct {
  const bperc_i_engine *e;
  const bperc_i_relax_kernels *kernels;
  bperc_i_word base;
  void *subtree; /* stack of the tables' search */
  char *nodes;
  size_t size, height;
  bperc_i_sink *sink;
  uint64_t looked; /* nodes at the last pause */
} dive;

static bperc_i_relaxed *relaxed_at(const dive *d, size_t k) {
  return (bperc_i_relaxed *)(d->nodes + k * d->size);
}

/* False: stop. */
static bool go_on(dive *d) {
  bperc_i_sink *sink = d->sink;
  if (++sink->nodes - d->looked < sink->check_interval)
    return true;
  d->looked = sink->nodes;
  return sink->pause(sink);
}

/* Too few weights to branch on: a subtree for the tables. */
static bool is_small(const bperc_i_engine *e, const bperc_i_relaxed *node) {
  return bperc_i_word_popcount(node->free & bperc_i_word_low(e->head)) <=
         BPERC_I_SUBTREE;
}

/* The first free weight of node becomes 1, in the copy 0. */
static void branch_part(const bperc_i_engine *e, bperc_i_relaxed *node,
                        bperc_i_relaxed *copy) {
  bperc_i_word bit = node->free & bperc_i_word_low(e->head);
  bit &= -bit;
  assert(bit && !(node->ones & bit)); /* free, so not decided */
  node->free &= ~bit;
  memcpy(copy, node, bperc_i_relaxed_size(&e->relax));
  node->ones |= bit;
}

/* The node on top is replaced by its children or searched. */
static void visit_part(dive *d) {
  bperc_i_relaxed *top = relaxed_at(d, d->height - 1);
  assert(d->height <= d->e->positions + 1); /* one more has room */
  if (!d->kernels->fixed_point(&d->e->relax, top)) {
    d->height--;
  } else if (!is_small(d->e, top)) {
    branch_part(d->e, top, relaxed_at(d, d->height++));
  } else {
    bperc_i_engine_node(d->e, d->base, top->free, top->ones, d->subtree);
    d->sink->height = 1;
    bperc_i_engine_run(d->e, d->subtree, d->sink);
    d->height--;
  }
}

static bool search_relaxed(dive *d, const void *part) {
  d->nodes = bperc_i_alloc(d->e->positions + 2, d->size);
  if (!d->nodes)
    return false;
  memcpy(d->nodes, part, d->size);
  while (d->height > 0 && !d->sink->stopped) {
    if (go_on(d))
      visit_part(d);
    else
      d->sink->stopped = true;
  }
  bperc_i_free(d->nodes);
  return true;
}

/* ---- parts ---- */

size_t bperc_i_part_size(const bperc_i_engine *e) {
  return e->relaxed ? bperc_i_relaxed_size(&e->relax) : e->node_size;
}

void bperc_i_part_root(const bperc_i_engine *e,
                       const bperc_i_search_residual *r, void *root) {
  const bperc_i_relax_kernels *kernels = bperc_i_relax_kernels_get();
  bperc_i_relaxed *node = root;
  bool live = e->relaxed;
  if (!e->relaxed) {
    bperc_i_engine_root(e, r, root);
    return;
  }
  node->free = bperc_i_word_low(e->positions);
  node->ones = 0;
  bperc_i_relax_start(&e->relax, node);
  for (int k = 0; k < WARM && live; k++)
    live = kernels->fixed_point(&e->relax, node);
}

/* A part that has become small is left as it is bounded. */
static unsigned split_relaxed(const bperc_i_engine *e, const void *part,
                              bperc_i_relaxed *zero, bperc_i_relaxed *one) {
  size_t size = bperc_i_relaxed_size(&e->relax);
  if (is_small(e, part))
    return BPERC_I_WHOLE;
  memcpy(one, part, size);
  if (!bperc_i_relax_kernels_get()->fixed_point(&e->relax, one))
    return 0;
  if (!is_small(e, one)) {
    branch_part(e, one, zero);
    return 3;
  }
  memcpy(zero, one, size);
  return 1;
}

unsigned bperc_i_part_split(const bperc_i_engine *e, const void *part,
                            void *zero, void *one) {
  if (e->relaxed)
    return split_relaxed(e, part, zero, one);
  if (!((const bperc_i_node *)part)->free)
    return BPERC_I_WHOLE;
  return bperc_i_engine_split(e, part, zero, one);
}

bool bperc_i_part_search(const bperc_i_engine *e, bperc_i_word base,
                         const void *part, bperc_i_sink *sink) {
  void *stack = bperc_i_alloc(e->positions + 2, e->node_size);
  dive d = {.e = e,
            .kernels = bperc_i_relax_kernels_get(),
            .base = base,
            .subtree = stack,
            .size = bperc_i_part_size(e),
            .height = 1,
            .sink = sink,
            .looked = sink->nodes};
  bool done = stack != NULL;
  if (done && e->relaxed) {
    done = search_relaxed(&d, part);
  } else if (done) {
    memcpy(stack, part, e->node_size);
    bperc_i_engine_run(e, stack, sink);
  }
  bperc_i_free(stack);
  return done;
}
