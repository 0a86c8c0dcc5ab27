/* Distances between the solutions of a list, for one width of word.
 *
 * WORD       64 or 128 bits
 * POPCOUNT   ones of a word
 * HIGHEST    position of its highest one
 * SMALL_CROSS up to so many pairs of two branches are compared one by one,
 * LANES      so many at a time
 * NEAR_LANES (word, list, count, most), if defined: bit j is set where word and
 *            list[j], j < count and j < LANES, differ in at most so many bits
 */

static void NAME(pairs)(const void *bits, size_t count, size_t max,
                        uint32_t *out) {
  const WORD *list = bits;
  for (size_t k = 0; k < count && !bperc_cancelled(); k++)
    for (size_t l = 0; l < k; l++) {
      size_t d = (size_t)POPCOUNT(list[k] ^ list[l]);
      if (d <= max) {
        out[k * (max + 1) + d]++;
        out[l * (max + 1) + d]++;
      }
    }
}

static void NAME(histogram)(const void *bits, size_t count, uint64_t *out) {
  const WORD *list = bits;
  for (size_t k = 0; k < count && !bperc_cancelled(); k++)
    for (size_t l = 0; l < k; l++)
      out[POPCOUNT(list[k] ^ list[l])]++;
}

/* A branch of the list: words that agree above some bit. */
typedef struct {
  const WORD *list;
  size_t max;
  uint32_t *out;
} NAME(tree_context);

/* First position in [from, to) with the bit set; higher bits agree. */
static inline size_t NAME(cut)(const WORD *list, size_t from, size_t to,
                               WORD bit) {
  if (!((list[from] ^ list[to - 1]) & bit))
    return list[from] & bit ? from : to;
  while (to - from > 1) {
    size_t middle = from + (to - from) / 2;
    if (list[middle - 1] & bit)
      to = middle;
    else
      from = middle;
  }
  return from;
}

/* Solution k and those from b to b_to - 1. */
static inline void NAME(cross_one)(const NAME(tree_context) * t, size_t k,
                                   size_t b, size_t b_to) {
  size_t max = t->max;
  WORD word = t->list[k];
  uint32_t *own = t->out + k * (max + 1);
#ifdef NEAR_LANES
  for (size_t l = b; l < b_to; l += LANES) {
    unsigned near = NEAR_LANES(word, t->list + l, b_to - l, max);
    for (; near; near &= near - 1) {
      size_t at = l + (size_t)__builtin_ctz(near);
      size_t d = (size_t)POPCOUNT(word ^ t->list[at]);
      own[d]++;
      t->out[at * (max + 1) + d]++;
    }
  }
#else
  for (size_t l = b; l < b_to; l++) {
    size_t d = (size_t)POPCOUNT(word ^ t->list[l]);
    if (d <= max) {
      own[d]++;
      t->out[l * (max + 1) + d]++;
    }
  }
#endif
}

/* All pairs between two branches; with several lanes the longer branch is gone
 * through in the inner loop. */
static void NAME(cross_all)(const NAME(tree_context) * t, size_t a, size_t a_to,
                            size_t b, size_t b_to) {
  if (LANES == 1 || a_to - a <= b_to - b)
    for (size_t k = a; k < a_to; k++)
      NAME(cross_one)(t, k, b, b_to);
  else
    for (size_t l = b; l < b_to; l++)
      NAME(cross_one)(t, l, a, a_to);
}

/* Pairs between two branches; below: bits still undecided, left: how many of
 * them may differ. */
static void NAME(cross)(const NAME(tree_context) * t, size_t a, size_t a_to,
                        size_t b, size_t b_to, WORD below, size_t left) {
  if (a == a_to || b == b_to)
    return;
  if ((a_to - a) * (b_to - b) <= SMALL_CROSS) {
    NAME(cross_all)(t, a, a_to, b, b_to);
    return;
  }
  if (a_to - a + b_to - b >= LARGE_BRANCH && bperc_cancelled())
    return;
  const WORD *list = t->list;
  WORD differ = ((list[a] ^ list[a_to - 1]) | (list[b] ^ list[b_to - 1]) |
                 (list[a] ^ list[b])) &
                below;
  if (!differ) { /* one word each */
    NAME(cross_all)(t, a, a_to, b, b_to);
    return;
  }
  WORD bit = (WORD)1 << HIGHEST(differ);
  size_t a_one = NAME(cut)(list, a, a_to, bit);
  size_t b_one = NAME(cut)(list, b, b_to, bit);
  below = bit - 1;
  NAME(cross)(t, a, a_one, b, b_one, below, left);
  NAME(cross)(t, a_one, a_to, b_one, b_to, below, left);
  if (left > 0) {
    NAME(cross)(t, a, a_one, b_one, b_to, below, left - 1);
    NAME(cross)(t, a_one, a_to, b, b_one, below, left - 1);
  }
}

/* Pairs inside one branch. */
static void NAME(inside)(const NAME(tree_context) * t, size_t from, size_t to) {
  if (to - from < 2 || (to - from >= LARGE_BRANCH && bperc_cancelled()))
    return;
  WORD bit = (WORD)1 << HIGHEST(t->list[from] ^ t->list[to - 1]);
  size_t one = NAME(cut)(t->list, from, to, bit);
  NAME(inside)(t, from, one);
  NAME(inside)(t, one, to);
  if (t->max > 0)
    NAME(cross)(t, from, one, one, to, bit - 1, t->max - 1);
}

static void NAME(tree)(const void *bits, size_t count, size_t max,
                       uint32_t *out) {
  NAME(tree_context) t = {bits, max, out};
  NAME(inside)(&t, 0, count);
}

#undef WORD
#undef NAME
#undef POPCOUNT
#undef HIGHEST
#undef NEAR_LANES
#undef LANES
#undef SMALL_CROSS
