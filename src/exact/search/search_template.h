/* The search of search_kernel.h for one width of word; included once per width.
 *
 * WORD      type of a configuration, 64 or 128 bits
 * WORD_CTZ  its lowest set bit
 * NAME      makes names of this width
 * SPLITS    when defined, also the functions that expand a node
 *
 * w = 0 is visited before w = 1. A node is entered only after its needs were
 * found to be within reach of every group's gains. The number of need and
 * index words is a constant in the common cases, so that a node lives in
 * registers.
 */

/* ---- configurations of the tail ---- */

static inline __attribute__((always_inline)) void
NAME(write_leaf)(const bperc_i_search_tail *tail, bperc_i_sink *sink,
                 const bperc_i_leaf *leaf, WORD word) {
  WORD *out = (WORD *)sink->out + sink->used;
  for (size_t j = 0; j < 4; j++)
    for (uint64_t t = (*leaf)[j]; t; t &= t - 1)
      *out++ = word | (WORD)tail->word[64 * j + (size_t)__builtin_ctzll(t)];
  sink->used = (size_t)(out - (WORD *)sink->out);
  BPERC_I_CHECK(sink->used <= sink->allocated);
}

/* Writes those of the `here` solutions of a leaf whose ranks are asked for. */
static bool NAME(write_ranks)(const bperc_i_search_tail *tail,
                              bperc_i_sink *sink, const bperc_i_leaf *leaf,
                              bperc_i_word word, unsigned here) {
  uint64_t before = sink->count - here;
  for (; sink->used < sink->ranks && sink->rank[sink->used] < sink->count;
       sink->used++) {
    uint64_t skip = sink->rank[sink->used] - before;
    size_t j = 0;
    for (; skip >= (uint64_t)__builtin_popcountll((*leaf)[j]); j++)
      skip -= (uint64_t)__builtin_popcountll((*leaf)[j]);
    uint64_t t = (*leaf)[j];
    for (; skip > 0; skip--)
      t &= t - 1;
    ((WORD *)sink->out)[sink->used] =
        (WORD)(word | tail->word[64 * j + (size_t)__builtin_ctzll(t)]);
  }
  return sink->used < sink->ranks;
}

/* False: stop. */
static inline __attribute__((always_inline)) bool
NAME(deliver)(const bperc_i_search_tail *tail, bperc_i_sink *sink,
              const bperc_i_leaf *leaf, bperc_i_word word) {
  unsigned here = 0;
  for (size_t j = 0; j < 4; j++)
    here += (unsigned)__builtin_popcountll((*leaf)[j]);
  sink->count += here;
  if (sink->mode == BPERC_I_COUNT || here == 0)
    return true;
  if (sink->mode == BPERC_I_LIST) {
    if (sink->allocated - sink->used < BPERC_I_LEAF && !sink->grow_output(sink))
      return false;
    NAME(write_leaf)(tail, sink, leaf, (WORD)word);
    return true;
  }
  if (sink->mode == BPERC_I_RANKS)
    return NAME(write_ranks)(tail, sink, leaf, word, here);
  for (size_t j = 4; j-- > 0;)
    if ((*leaf)[j])
      sink->first =
          word | tail->word[64 * j + (size_t)__builtin_ctzll((*leaf)[j])];
  return false;
}

/* ---- nodes from scratch, for the checking build ---- */

/* A need of width `field` at place k of the packed ones. */
static inline uint64_t NAME(field_at)(const bperc_i_plan *p,
                                      const uint64_t *needs, size_t k) {
  size_t per = 64 / p->field;
  return needs[k / per] >> (k % per * p->field) &
         ((UINT64_C(1) << p->field) - 1);
}

/* Indices are the start minus the delta of every weight at 1; needs are what is
 * left after these weights, at least 0; none of them is free. */
static inline bool NAME(node_right)(const bperc_i_plan *p,
                                    const bperc_i_node *node) {
  const size_t iw = p->index_words, nw = p->need_words;
  for (size_t k = 0; k < iw; k++) {
    uint64_t index = p->start[k];
    for (size_t level = 0; level < p->head; level++)
      if (node->word & p->bit[level])
        index -= p->delta[level * iw + k];
    if (index != node->state[k])
      return false;
  }
  for (size_t k = 0; k < nw * 64 / p->field; k++) {
    uint64_t need = NAME(field_at)(p, p->start + iw, k);
    for (size_t level = 0; level < p->head && need > 0; level++)
      if (node->word & p->bit[level])
        need -= NAME(field_at)(p, p->column + level * nw, k);
    if (need != NAME(field_at)(p, node->state + iw, k))
      return false;
  }
  for (size_t level = 0; level < p->head; level++)
    if ((node->word & p->bit[level]) && (node->free >> level & 1))
      return false;
  return true;
}

/* Slacks are the start minus the losses of all positions that are not free. */
static inline bool NAME(slacks_right)(const bperc_i_slack_plan *p,
                                      const bperc_i_node *node) {
  const size_t lanes = p->vectors * BPERC_I_LANES;
  for (size_t k = 0; k < lanes; k++) {
    int slack = ((const int8_t *)p->start)[k];
    for (size_t level = 0; level < p->head; level++) {
      if (node->free >> level & 1)
        continue;
      size_t value = (node->word & p->bit[level]) != 0;
      slack -=
          ((const int8_t *)(p->loss + (2 * level + value) * p->vectors))[k];
    }
    if (slack != ((const int8_t *)node->state)[k] ||
        (slack < 0 &&
         k < p->patterns)) /* pairs may be infeasible at the root */
      return false;
  }
  return true;
}

/* ---- patterns with one sign ---- */

static inline __attribute__((always_inline)) size_t
NAME(pick)(const uint64_t *index, size_t g) {
  return index[g / BPERC_I_PER_WORD] >> (g % BPERC_I_PER_WORD * 16) & 0xffff;
}

/* Whether position level on can still give every label-1 pattern its need. */
static inline __attribute__((always_inline)) bool
NAME(within_reach)(const bperc_i_plan *p, size_t level, const uint64_t *state,
                   size_t nw, size_t iw) {
  const uint64_t *needs = state + iw;
  const uint64_t *gain = p->gain + level * p->total_states * nw;
  uint64_t good = p->guard;
  for (size_t g = 0; g < p->groups; g++) {
    const uint64_t *own = gain + (p->offset[g] + NAME(pick)(state, g)) * nw;
    for (size_t k = 0; k < nw; k++)
      good &= (own[k] | p->guard) - needs[k];
  }
  return good == p->guard;
}

static inline __attribute__((always_inline)) WORD
NAME(unblocked)(const bperc_i_plan *p, const uint64_t *state) {
  WORD blocked = 0;
  for (size_t g = 0; g < p->groups; g++)
    blocked |= (WORD)p->blocked[p->offset[g] + NAME(pick)(state, g)];
  return ~blocked;
}

static inline __attribute__((always_inline)) void
NAME(tails)(const bperc_i_plan *p, const uint64_t *state, size_t iw,
            bperc_i_leaf *out) {
  bperc_i_leaf leaf = p->leaf_slack[p->offset[0] + NAME(pick)(state, 0)];
  for (size_t g = 1; g < p->groups; g++)
    leaf &= p->leaf_slack[p->offset[g] + NAME(pick)(state, g)];
  const uint64_t *needs = state + iw;
  for (size_t b = 0; b < p->need_bytes; b++)
    leaf &=
        p->leaf_need[b * BPERC_I_LEAF + (needs[b / 8] >> (b % 8 * 8) & 0xff)];
  *out = leaf;
}

/* False: stop. */
static inline __attribute__((always_inline)) bool
NAME(search_leaf)(const bperc_i_plan *p, bperc_i_sink *sink,
                  const bperc_i_node *node, size_t iw) {
  bperc_i_leaf leaf;
  NAME(tails)(p, node->state, iw, &leaf);
  return NAME(deliver)(&p->tail, sink, &leaf, node->word);
}

/* The state after w = 1 at this level. */
static inline __attribute__((always_inline)) void
NAME(add_one)(const bperc_i_plan *p, const uint64_t *from, size_t level,
              uint64_t *to, size_t nw, size_t iw) {
  for (size_t k = 0; k < iw; k++)
    to[k] = from[k] - p->delta[level * iw + k];
  for (size_t k = 0; k < nw; k++) {
    uint64_t need = from[iw + k];
    uint64_t wants = (need + (p->guard - p->low)) >> (p->field - 1) & p->low;
    to[iw + k] = need - (p->column[level * nw + k] & wants);
  }
}

/* The child with w = 1 at this level, into to; false when it is infeasible. */
static inline __attribute__((always_inline)) bool
NAME(set_one)(const bperc_i_plan *p, const bperc_i_node *from, WORD left,
              size_t level, bperc_i_node *to, size_t nw, size_t iw) {
  NAME(add_one)(p, from->state, level, to->state, nw, iw);
  WORD free = left & NAME(unblocked)(p, to->state);
  to->free = free;
  to->word = from->word | p->bit[level];
  size_t next = free ? (size_t)WORD_CTZ(free) : p->head;
  return NAME(within_reach)(p, next, to->state, nw, iw);
}

/* The child with w = 0; false when it is infeasible. */
static inline __attribute__((always_inline)) bool
NAME(set_zero)(const bperc_i_plan *p, const bperc_i_node *from, WORD left,
               bperc_i_node *to, size_t nw, size_t iw) {
  to->free = left;
  to->word = from->word;
  for (size_t k = 0; k < iw + nw; k++)
    to->state[k] = from->state[k];
  size_t next = left ? (size_t)WORD_CTZ(left) : p->head;
  return NAME(within_reach)(p, next, from->state, nw, iw);
}

/* Replaces the node on top of the stack by its children, the one with w = 0
 * uppermost; returns the new top. */
static inline __attribute__((always_inline)) char *
NAME(branch)(const bperc_i_plan *p, char *top, size_t nw, size_t iw,
             size_t step) {
  bperc_i_node *node = (bperc_i_node *)top;
  bperc_i_node *above = (bperc_i_node *)(top + step);
  WORD free = (WORD)node->free, left = free & (free - 1);
  bool zero = NAME(set_zero)(p, node, left, above, nw, iw);
  bool one = NAME(set_one)(p, node, left, (size_t)WORD_CTZ(free), node, nw, iw);
  if (one)
    return zero ? top + step : top;
  if (!zero)
    return top - step;
  node->free = left;
  node->word = above->word;
  for (size_t k = 0; k < iw + nw; k++)
    node->state[k] = above->state[k];
  return top;
}

static inline __attribute__((always_inline)) void
NAME(search)(const bperc_i_plan *p, void *stack, bperc_i_sink *sink, size_t nw,
             size_t iw, size_t step) {
  char *const bottom = stack;
  char *top = bottom + sink->height * step - step;
  uint64_t left = sink->check_interval;
  while (top >= bottom) {
    if (--left == 0) {
      left = sink->check_interval;
      sink->nodes += left;
      if (!sink->pause(sink)) {
        sink->stopped = true;
        break;
      }
    }
    BPERC_I_CHECK(top <= bottom + (p->positions + 1) * step);
    BPERC_I_CHECK(left % NODES_APART ||
                  NAME(node_right)(p, (bperc_i_node *)top));
    if (((bperc_i_node *)top)->free) {
      top = NAME(branch)(p, top, nw, iw, step);
    } else if (NAME(search_leaf)(p, sink, (bperc_i_node *)top, iw)) {
      top -= step;
    } else {
      sink->stopped = true;
      break;
    }
  }
  sink->nodes += sink->check_interval - left;
  sink->height = (size_t)(top + step - bottom) / step;
}

static void NAME(search_tables)(const bperc_i_plan *p, void *stack,
                                bperc_i_sink *sink) {
  size_t nw = p->need_words, iw = p->index_words, step = bperc_i_node_size(p);
  if (nw == 1 && iw == 1)
    NAME(search)(p, stack, sink, 1, 1, step);
  else if (nw == 1 && iw == 2)
    NAME(search)(p, stack, sink, 1, 2, step);
  else if (nw == 2 && iw == 2)
    NAME(search)(p, stack, sink, 2, 2, step);
  else
    NAME(search)(p, stack, sink, nw, iw, step);
}

#if defined(SPLITS)
static unsigned NAME(split)(const bperc_i_plan *p, const bperc_i_node *node,
                            bperc_i_node *zero, bperc_i_node *one) {
  size_t nw = p->need_words, iw = p->index_words;
  WORD free = (WORD)node->free, left = free & (free - 1);
  bool with = NAME(set_one)(p, node, left, (size_t)WORD_CTZ(free), one, nw, iw);
  return (unsigned)NAME(set_zero)(p, node, left, zero, nw, iw) | (unsigned)with
                                                                     << 1;
}

static void NAME(place_node)(const bperc_i_plan *p, bperc_i_word ones,
                             bperc_i_node *node) {
  size_t nw = p->need_words, iw = p->index_words;
  memcpy(node->state, p->start, (nw + iw) * sizeof *p->start);
  for (; ones; ones &= ones - 1)
    NAME(add_one)(p, node->state, (size_t)WORD_CTZ(ones), node->state, nw, iw);
  node->free &= NAME(unblocked)(p, node->state);
}
#endif

/* ---- signed patterns: slacks ---- */

static inline __attribute__((always_inline)) bool
NAME(any_negative)(const bperc_i_lanes *x) {
#if defined(__AVX2__)
  typedef char bytes __attribute__((vector_size(BPERC_I_LANES)));
  return __builtin_ia32_pmovmskb256((bytes)*x) != 0;
#else
  typedef uint64_t words __attribute__((vector_size(BPERC_I_LANES)));
  words w = (words)*x;
  return ((w[0] | w[1] | w[2] | w[3]) & UINT64_C(0x8080808080808080)) != 0;
#endif
}

/* Whether no slack falls below 0. */
static inline __attribute__((always_inline)) bool
NAME(affords)(const bperc_i_lanes *slack, const bperc_i_lanes *loss,
              size_t vectors) {
  size_t k = 0;
  for (; k + 1 < vectors; k += 2) {
    bperc_i_lanes rest = (slack[k] - loss[k]) | (slack[k + 1] - loss[k + 1]);
    if (NAME(any_negative)(&rest))
      return false;
  }
  if (k == vectors)
    return true;
  bperc_i_lanes rest = slack[k] - loss[k];
  return !NAME(any_negative)(&rest);
}

static inline __attribute__((always_inline)) void
NAME(pay)(const bperc_i_lanes *slack, const bperc_i_lanes *loss, size_t vectors,
          bperc_i_lanes *to) {
  for (size_t k = 0; k < vectors; k++)
    to[k] = slack[k] - loss[k];
}

static inline const bperc_i_lanes *NAME(losses)(const bperc_i_slack_plan *p,
                                                size_t level, size_t value) {
  return p->loss + (2 * level + value) * p->vectors;
}

/* The child of node with this value at its first free position. */
static inline __attribute__((always_inline)) void
NAME(descend)(const bperc_i_slack_plan *p, const bperc_i_node *node,
              size_t value, bperc_i_node *to) {
  WORD free = (WORD)node->free;
  size_t level = (size_t)WORD_CTZ(free);
  NAME(pay)
  ((const bperc_i_lanes *)node->state, NAME(losses)(p, level, value),
   p->vectors, (bperc_i_lanes *)to->state);
  to->word = node->word | (value ? p->bit[level] : 0);
  to->free = (WORD)(free & (free - 1));
}

/* Which values the first free position can take: bits 0 and 1. */
static inline __attribute__((always_inline)) unsigned
NAME(choices)(const bperc_i_slack_plan *p, const bperc_i_node *node) {
  const bperc_i_lanes *slack = (const bperc_i_lanes *)node->state;
  size_t level = (size_t)WORD_CTZ((WORD)node->free);
  unsigned zero = NAME(affords)(slack, NAME(losses)(p, level, 0), p->vectors);
  unsigned one = NAME(affords)(slack, NAME(losses)(p, level, 1), p->vectors);
  return zero | one << 1;
}

/* Replaces the node on top of the stack by its children, the one with w = 0
 * uppermost; returns the new top. */
static inline __attribute__((always_inline)) char *
NAME(slack_branch)(const bperc_i_slack_plan *p, char *top, size_t step) {
  bperc_i_node *node = (bperc_i_node *)top;
  unsigned kept = NAME(choices)(p, node);
  if (kept == 0)
    return top - step;
  if (kept == 3)
    NAME(descend)(p, node, 0, (bperc_i_node *)(top + step));
  NAME(descend)(p, node, kept >> 1, node);
  return kept == 3 ? top + step : top;
}

static inline __attribute__((always_inline)) bool
NAME(slack_leaf)(const bperc_i_slack_plan *p, bperc_i_sink *sink,
                 const bperc_i_node *node) {
  const int8_t *slack = (const int8_t *)node->state;
  bperc_i_leaf leaf = p->tail.valid;
  for (size_t mu = 0; mu < p->patterns; mu++) {
    size_t s = slack[mu] < BPERC_I_TAIL ? (size_t)slack[mu] : BPERC_I_TAIL;
    leaf &= p->leaf[mu * (BPERC_I_TAIL + 1) + s];
    if (mu % 8 == 7 && !(leaf[0] | leaf[1] | leaf[2] | leaf[3]))
      return true;
  }
  return NAME(deliver)(&p->tail, sink, &leaf, node->word);
}

static void NAME(slack_run)(const bperc_i_slack_plan *p, void *stack,
                            bperc_i_sink *sink) {
  char *const bottom = stack;
  size_t step = bperc_i_slack_node_size(p);
  char *top = bottom + sink->height * step - step;
  uint64_t left = sink->check_interval;
  while (top >= bottom) {
    if (--left == 0) {
      left = sink->check_interval;
      sink->nodes += left;
      if (!sink->pause(sink)) {
        sink->stopped = true;
        break;
      }
    }
    BPERC_I_CHECK(top <= bottom + (p->positions + 1) * step);
    BPERC_I_CHECK(left % NODES_APART ||
                  NAME(slacks_right)(p, (bperc_i_node *)top));
    if (((bperc_i_node *)top)->free) {
      top = NAME(slack_branch)(p, top, step);
    } else if (NAME(slack_leaf)(p, sink, (bperc_i_node *)top)) {
      top -= step;
    } else {
      sink->stopped = true;
      break;
    }
  }
  sink->nodes += sink->check_interval - left;
  sink->height = (size_t)(top + step - bottom) / step;
}

#if defined(SPLITS)
static unsigned NAME(slack_split)(const bperc_i_slack_plan *p,
                                  const bperc_i_node *node, bperc_i_node *zero,
                                  bperc_i_node *one) {
  unsigned kept = NAME(choices)(p, node);
  NAME(descend)(p, node, 0, zero);
  NAME(descend)(p, node, 1, one);
  return kept;
}

static void NAME(slack_place)(const bperc_i_slack_plan *p, bperc_i_word ones,
                              bperc_i_node *node) {
  bperc_i_lanes *slack = (bperc_i_lanes *)node->state;
  memcpy(slack, p->start, p->vectors * sizeof *slack);
  for (size_t l = 0; l < p->head; l++)
    if (!(node->free >> l & 1))
      NAME(pay)(slack, NAME(losses)(p, l, ones >> l & 1), p->vectors, slack);
}
#endif

#undef WORD
#undef WORD_CTZ
#undef NAME
#undef SPLITS
