/* Search with the bounds of relax.h down to small subtrees, which the tables
 * of plan.h or slack.h decide: engine.h. The order of the search is theirs. */
#include "base/alloc.h"
#include "exact/engine.h"

#include <string.h>

enum { WARM = 16 }; /* times that the first node is settled */

typedef struct {
  const bperc_i_engine *e;
  const bperc_i_relax_kernels *kernels;
  bperc_i_word base, head;
  void *subtree; /* stack of the tables' search */
  char *nodes;
  size_t size, height;
  bperc_i_sink *sink;
  uint64_t looked; /* nodes at the last pause */
} dive;

static bperc_i_relaxed *node_at(const dive *d, size_t k) {
  return (bperc_i_relaxed *)(d->nodes + k * d->size);
}

static void first_node(dive *d, const bperc_i_node *from) {
  const bperc_i_engine *e = d->e;
  bperc_i_relaxed *to = node_at(d, 0);
  to->free = from->free | (bperc_i_word_low(e->positions) & ~d->head);
  to->ones = 0;
  for (size_t l = 0; l < e->head; l++)
    if (from->word & e->bit[l])
      to->ones |= bperc_i_word_bit(l);
  bperc_i_relax_start(&e->relax, to);
}

/* False: stop. */
static bool go_on(dive *d) {
  bperc_i_sink *sink = d->sink;
  if (++sink->nodes - d->looked < sink->patience)
    return true;
  d->looked = sink->nodes;
  return sink->pause(sink);
}

static void branch(dive *d, bperc_i_relaxed *top) {
  bperc_i_relaxed *above = node_at(d, d->height++);
  bperc_i_word bit = top->free & d->head;
  bit &= -bit;
  top->free &= ~bit;
  memcpy(above, top, d->size);
  top->ones |= bit;
}

/* The node on top is replaced by its children or searched. */
static void visit(dive *d) {
  bperc_i_relaxed *top = node_at(d, d->height - 1);
  if (!d->kernels->settle(&d->e->relax, top)) {
    d->height--;
  } else if (bperc_i_word_popcount(top->free & d->head) > BPERC_I_SUBTREE) {
    branch(d, top);
  } else {
    bperc_i_engine_node(d->e, d->base, top->free, top->ones, d->subtree);
    d->sink->height = 1;
    bperc_i_engine_run(d->e, d->subtree, d->sink);
    d->height--;
  }
}

bool bperc_i_engine_dive(const bperc_i_engine *e, bperc_i_word base,
                         void *stack, bperc_i_sink *sink) {
  dive d = {.e = e,
            .kernels = bperc_i_relax_kernels_get(),
            .base = base,
            .head = bperc_i_word_low(e->head),
            .subtree = stack,
            .size = bperc_i_relaxed_size(&e->relax),
            .height = 1,
            .sink = sink,
            .looked = sink->nodes};
  bool live = true;
  d.nodes = bperc_i_alloc(e->positions + 2, d.size);
  if (!d.nodes)
    return false;
  first_node(&d, stack);
  for (int k = 0; k < WARM && live; k++)
    live = d.kernels->settle(&e->relax, node_at(&d, 0));
  while (live && d.height > 0 && !sink->stopped) {
    if (go_on(&d))
      visit(&d);
    else
      sink->stopped = true;
  }
  bperc_i_free(d.nodes);
  return true;
}
