/* Keys that differ in one column, found by splitting the ascending list.
 *
 * Keys that agree above a column are next to each other, those with a zero
 * there first. One merge of the two halves finds the pairs that differ in that
 * column; each half is split further at the highest column in which its own
 * keys differ. A key is in as many merges as there are columns in which the
 * keys around it branch, some 20 at N = 50, and all of them are sequential.
 * Few keys are compared pair by pair.
 *
 * WORD       64 or 128 bits
 * NAME       makes names of this width
 * WIDE_KEYS  1: several keys are compared with several others at a time
 */

/* The first key from low on that is not below x. */
static size_t NAME(place_key)(const WORD *key, size_t low, size_t high,
                              WORD x) {
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (key[middle] < x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

#if WIDE_KEYS
/* Pairs of keys that differ in one column, for one width of word: several keys
 * are compared with several others at a time.
 *
 * A step compares WIDE keys of one half with WIDE of the other, all with all,
 * and leaves behind those of which the last is the lower one. Keys beyond the
 * end of a half, or before its beginning, do no harm: two that differ in one
 * column are a pair, and to find a pair twice changes nothing. So there is no
 * rest for single keys; only the end of the list must not be passed.
 */
enum { NAME(few) = 64 };

/* A bit of the mask: keys i + c and j + r. */
typedef struct {
  uint64_t mask;
  uint32_t i, j;
} NAME(hit);

typedef struct {
  const WORD *key;
  const bperc_i_keys *all;
  size_t used; /* hits that have been found */
  NAME(hit) found[PAIRS];
} NAME(split);

static void NAME(unite_found)(NAME(split) * s) {
  for (size_t k = 0; k < s->used; k++) {
    NAME(hit) h = s->found[k];
    for (; h.mask; h.mask &= h.mask - 1) {
      unsigned at = (unsigned)__builtin_ctzll(h.mask) / NAME(STEP);
      unite_keys(s->all, h.i + at % NAME(WIDE), h.j + at / NAME(WIDE));
    }
  }
  s->used = 0;
}

INLINE void NAME(keep)(NAME(split) * s, uint64_t mask, size_t i, size_t j) {
  s->found[s->used] = (NAME(hit)){mask, (uint32_t)i, (uint32_t)j};
  s->used += mask != 0;
}

static void NAME(merge_halves)(NAME(split) * s, WORD bit, range r) {
  enum { WIDE = NAME(WIDE) };
  const WORD *key = s->key;
  const NAME(wide) flip = NAME(same)(bit);
  size_t last = s->all->count - WIDE;
  while (r.i < r.i_end && r.j < r.j_end) {
    size_t i = lesser(r.i, last), j = lesser(r.j, last);
    WORD x = key[lesser(r.i + WIDE, r.i_end) - 1] | bit;
    WORD y = key[lesser(r.j + WIDE, r.j_end) - 1];
    if (s->used == PAIRS)
      NAME(unite_found)(s);
    NAME(keep)
    (s, NAME(equal)(NAME(xor)(NAME(load)(key + i), flip), key + j), i, j);
    r.i += x <= y ? WIDE : 0;
    r.j += y <= x ? WIDE : 0;
  }
}

/* Mask of the keys of x that differ from y in at most one column. */
INLINE uint64_t NAME(near)(NAME(wide) x, WORD y) {
  return NAME(single)(NAME(xor)(x, NAME(same)(y)));
}

/* WIDE keys from b on, with all from `from` to them and with each other. */
INLINE void NAME(compare)(NAME(split) * s, size_t from, size_t b) {
  const NAME(wide) x = NAME(load)(s->key + b);
  for (size_t k = from; k < b; k++)
    NAME(keep)(s, NAME(near)(x, s->key[k]), b, k);
  for (unsigned k = 1; k < NAME(WIDE); k++) {
    uint64_t later = UINT64_MAX << k * NAME(STEP);
    NAME(keep)(s, NAME(near)(x, s->key[b + k - 1]) & later, b, b + k - 1);
  }
}

static inline void NAME(compare_all)(NAME(split) * s, size_t from, size_t to) {
  enum { WIDE = NAME(WIDE) };
  size_t count = s->all->count;
  for (size_t k = 0; count < WIDE && k < count; k++)
    for (size_t l = k + 1; l < count; l++)
      if (bperc_i_word_popcount(s->key[k] ^ s->key[l]) == 1)
        unite_keys(s->all, (uint32_t)k, (uint32_t)l);
  for (size_t b = from; count >= WIDE && b < to; b += WIDE) {
    if (PAIRS - s->used < NAME(few) + WIDE)
      NAME(unite_found)(s);
    NAME(compare)(s, from, lesser(b, count - WIDE));
  }
}
#else
/* Pairs of keys that differ in one column, key by key, for one width of word.
 * Those found wait until there are many, and are united together. */
typedef struct {
  const WORD *key;
  const bperc_i_keys *all;
  size_t used; /* pairs that have been found */
  uint32_t left[PAIRS], right[PAIRS];
} NAME(split);

static void NAME(unite_found)(NAME(split) * s) {
  for (size_t k = 0; k < s->used; k++)
    unite_keys(s->all, s->left[k], s->right[k]);
  s->used = 0;
}

/* A step moves i and j by at most one. */
static inline size_t NAME(steps)(const range *r) {
  size_t i = r->i_end - r->i, j = r->j_end - r->j;
  return i < j ? i : j;
}

/* Some steps of `many` merges, a constant, with their state in registers: no
 * branch on the data. A step waits for the last one of its merge, so that
 * several are done side by side. */
static inline __attribute__((always_inline)) void
NAME(merge_steps)(NAME(split) * s, WORD bit, range *r, size_t many,
                  size_t steps) {
  const WORD *key = s->key;
  size_t i[MERGES], j[MERGES], used = s->used;
  for (size_t c = 0; c < many; c++) {
    i[c] = r[c].i;
    j[c] = r[c].j;
  }
  for (size_t k = 0; k < steps; k++)
    for (size_t c = 0; c < many; c++) {
      WORD x = key[i[c]] | bit, y = key[j[c]];
      s->left[used] = (uint32_t)i[c];
      s->right[used] = (uint32_t)j[c];
      used += x == y;
      i[c] += x <= y;
      j[c] += y <= x;
    }
  for (size_t c = 0; c < many; c++) {
    r[c].i = i[c];
    r[c].j = j[c];
  }
  s->used = used;
}

static inline __attribute__((always_inline)) void
NAME(merge)(NAME(split) * s, WORD bit, range *r, size_t many) {
  for (;;) {
    size_t steps = (PAIRS - s->used) / many;
    for (size_t c = 0; c < many; c++)
      if (NAME(steps)(&r[c]) < steps)
        steps = NAME(steps)(&r[c]);
    NAME(merge_steps)(s, bit, r, many, steps);
    if (PAIRS - s->used < MERGES)
      NAME(unite_found)(s);
    for (size_t c = 0; c < many; c++)
      if (NAME(steps)(&r[c]) == 0)
        return;
  }
}

/* All of them to their ends. */
static void NAME(merge_all)(NAME(split) * s, WORD bit, range *r, size_t many) {
  for (;;) {
    size_t left = 0;
    for (size_t c = 0; c < many; c++)
      if (NAME(steps)(&r[c]) > 0)
        r[left++] = r[c];
    many = left;
    if (many == 0)
      return;
    if (many == MERGES)
      NAME(merge)(s, bit, r, MERGES);
    else if (many > 1)
      NAME(merge)(s, bit, r, 2);
    else
      NAME(merge)(s, bit, r, 1);
  }
}

/* Long halves are cut into merges of their own: the longer one evenly. */
static void NAME(merge_halves)(NAME(split) * s, WORD bit, range all) {
  const WORD *key = s->key;
  size_t i = all.i_end - all.i, j = all.j_end - all.j;
  range r[MERGES];
  if (i + j < LONG_MERGE) {
    NAME(merge_all)(s, bit, &all, 1);
    return;
  }
  for (size_t c = 0; c < MERGES; c++) {
    r[c] = all;
    if (c > 0 && i >= j) {
      r[c].i += c * i / MERGES;
      r[c].j = NAME(place_key)(key, all.j, all.j_end, key[r[c].i] | bit);
    } else if (c > 0) {
      r[c].j += c * j / MERGES;
      r[c].i = NAME(place_key)(key, all.i, all.i_end, key[r[c].j] & ~bit);
    }
    if (c > 0) {
      r[c - 1].i_end = r[c].i;
      r[c - 1].j_end = r[c].j;
    }
  }
  NAME(merge_all)(s, bit, r, MERGES);
}

enum { NAME(few) = FEW_KEYS };

/* All pairs of few keys. */
static inline void NAME(compare_all)(NAME(split) * s, size_t from, size_t to) {
  const WORD *key = s->key;
  size_t used;
  if (PAIRS - s->used < FEW_KEYS * FEW_KEYS)
    NAME(unite_found)(s);
  used = s->used;
  for (size_t i = from; i < to; i++)
    for (size_t j = i + 1; j < to; j++) {
      WORD differ = key[i] ^ key[j];
      s->left[used] = (uint32_t)i;
      s->right[used] = (uint32_t)j;
      used += (differ & (differ - 1)) == 0;
    }
  s->used = used;
}
#endif

/* Depth: one column less in every call. */
static void NAME(join_keys)(NAME(split) * s, size_t from, size_t to) {
  const WORD *key = s->key;
  WORD bit;
  size_t middle;
  if (to - from <= NAME(few)) {
    NAME(compare_all)(s, from, to);
    return;
  }
  if (to - from > LONG_MERGE && bperc_cancelled())
    return;
  bit = (WORD)1 << bperc_i_word_top(key[from] ^ key[to - 1]);
  middle = NAME(place_key)(key, from, to, (key[to - 1] & ~(bit - 1)));
  assert(middle > from && middle < to);
  NAME(merge_halves)(s, bit, (range){from, middle, middle, to});
  NAME(join_keys)(s, from, middle);
  NAME(join_keys)(s, middle, to);
}

static void NAME(join)(const bperc_i_keys *all) {
  NAME(split) s = {.key = all->key, .all = all};
  NAME(join_keys)(&s, 0, all->count);
  NAME(unite_found)(&s);
}

#undef WORD
#undef NAME
#undef WIDE_KEYS
