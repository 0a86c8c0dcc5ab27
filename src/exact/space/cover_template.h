/* Blocks of solutions and their parts, for one width of word.
 *
 * The words that agree above their six lowest live columns are a block: its
 * solutions are bits of a 64-bit mask, and the clusters within the block (its
 * parts) come from shifts of that mask. The rest of the word is the block's
 * key.
 *
 * WORD       64 or 128 bits
 * NAME       makes names of this width
 * DIMENSIONS columns of a block at most
 */
typedef struct {
  size_t blocks, parts, low;   /* low: columns below the keys, */
  unsigned dimensions;         /* of which so many are live, */
  unsigned column[DIMENSIONS]; /* these */
  WORD *key;                   /* per block, ascending */
  uint32_t *first;             /* per block, and one more: its first part */
  uint64_t *part;              /* masks */
} NAME(cover);

static void NAME(cover_clear)(NAME(cover) * v) {
  bperc_i_free(v->key);
  bperc_i_free(v->first);
  bperc_i_free(v->part);
}

/* The live ones of the lowest columns of a word, next to each other. */
static inline __attribute__((always_inline)) unsigned
NAME(position)(const NAME(cover) * v, WORD word) {
  unsigned position = 0;
  if (v->low == v->dimensions)
    return (unsigned)(word & (((WORD)1 << v->low) - 1));
  for (unsigned d = 0; d < v->dimensions; d++)
    position |= (unsigned)(word >> v->column[d] & 1) << d;
  return position;
}

/* ---- blocks and parts; of[k] becomes the part of solution k */

/* Chooses the columns below the keys; returns the number of blocks. */
static size_t NAME(count_blocks)(NAME(cover) * v, const WORD *list,
                                 size_t count, bperc_i_word live) {
  size_t blocks = 0;
  for (; live && v->dimensions < DIMENSIONS; live &= live - 1) {
    v->column[v->dimensions] = (unsigned)bperc_i_word_ctz(live);
    v->low = v->column[v->dimensions++] + 1;
  }
  if (v->low == 8 * sizeof(WORD)) /* a shift by all bits is no shift */
    v->low--, v->dimensions--;
  for (size_t k = 0; k < count && bperc_i_list_go_on(k); k++)
    blocks += k == 0 || (list[k] ^ list[k - 1]) >> v->low;
  return blocks;
}

static bperc_status NAME(cover_init)(NAME(cover) * v, size_t blocks) {
  v->key = bperc_i_alloc(blocks + 1, sizeof *v->key);
  v->first = bperc_i_alloc(blocks + 1, sizeof *v->first);
  return v->key && v->first ? BPERC_OK : BPERC_E_MEMORY;
}

/* The end of the block that starts at k, and its mask. */
static inline __attribute__((always_inline)) size_t
NAME(block)(const NAME(cover) * v, const WORD *list, size_t count, size_t k,
            uint64_t *mask) {
  *mask = UINT64_C(1) << NAME(position)(v, list[k]);
  while (++k < count && (list[k] ^ list[k - 1]) >> v->low == 0)
    *mask |= UINT64_C(1) << NAME(position)(v, list[k]);
  return k;
}

/* Number of parts of all blocks. */
static size_t NAME(count_parts)(const NAME(cover) * v, const WORD *list,
                                size_t count) {
  size_t parts = 0;
  uint64_t mask;
  for (size_t k = 0, next; k < count && bperc_i_list_go_on(parts); k = next) {
    next = NAME(block)(v, list, count, k, &mask);
    if (next == k + 1)
      parts++;
    else
      for (; mask; mask &= ~part_of(mask))
        parts++;
  }
  return parts;
}

/* Solutions from..to are a block with this mask. */
static inline void NAME(fill_block)(NAME(cover) * v, const WORD *list,
                                    size_t from, size_t to, uint64_t mask,
                                    uint32_t *of) {
  size_t first = v->parts;
  for (; mask; mask &= ~v->part[v->parts++])
    v->part[v->parts] = part_of(mask);
  for (size_t l = from; l < to; l++) {
    unsigned at = NAME(position)(v, list[l]);
    size_t p = first;
    while (!(v->part[p] >> at & 1))
      p++;
    of[l] = (uint32_t)p;
  }
}

static void NAME(fill_blocks)(NAME(cover) * v, const WORD *list, size_t count,
                              uint32_t *of) {
  uint64_t mask;
  for (size_t k = 0, next; k < count && bperc_i_list_go_on(v->blocks);
       k = next) {
    next = NAME(block)(v, list, count, k, &mask);
    v->key[v->blocks] = list[k] >> v->low;
    v->first[v->blocks++] = (uint32_t)v->parts;
    if (next == k + 1) {
      of[k] = (uint32_t)v->parts;
      v->part[v->parts++] = mask;
    } else {
      NAME(fill_block)(v, list, k, next, mask, of);
    }
  }
  v->first[v->blocks] = (uint32_t)v->parts;
}

/* ---- joining the solutions that differ in one weight ---- */

/* A forest in which every part is alone. */
static bperc_status NAME(plant)(size_t parts, uint32_t **parents) {
  *parents = bperc_i_alloc(parts + 1, sizeof **parents);
  for (size_t p = 0; p < parts && *parents; p++)
    (*parents)[p] = (uint32_t)p;
  return *parents ? BPERC_OK : BPERC_E_MEMORY;
}

/* v: the keys are its blocks; NULL: every key is a part. */
static void NAME(join_cover_keys)(const WORD *key, size_t count,
                                  const NAME(cover) * v, uint32_t *parent) {
  bperc_i_keys keys = {key, count, v ? v->first : NULL, v ? v->part : NULL,
                       parent};
  bperc_i_split_kernels_get()->join[sizeof(WORD) > 8](&keys);
}

/* Few solutions share a block: each is a part. */
static bperc_status NAME(join_single)(const WORD *list, size_t count,
                                      uint32_t *of, uint32_t **parents) {
  bperc_status status = NAME(plant)(count, parents);
  if (status != BPERC_OK)
    return status;
  memcpy(of, *parents, count * sizeof *of);
  NAME(join_cover_keys)(list, count, NULL, *parents);
  return BPERC_OK;
}

static bperc_status NAME(join_blocks)(NAME(cover) * v, const WORD *list,
                                      size_t count, uint32_t *of,
                                      uint32_t **parents, size_t *parts) {
  bperc_status status;
  *parts = NAME(count_parts)(v, list, count);
  if (bperc_cancelled()) /* the numbers may be short of the truth */
    return BPERC_E_INTERRUPTED;
  v->part = bperc_i_alloc(*parts + 1, sizeof *v->part);
  status = v->part ? NAME(plant)(*parts, parents) : BPERC_E_MEMORY;
  if (status != BPERC_OK)
    return status;
  NAME(fill_blocks)(v, list, count, of);
  NAME(join_cover_keys)(v->key, v->blocks, v, *parents);
  return BPERC_OK;
}

/* of[k]: the part of solution k; *parents: a forest over the parts. */
static bperc_status NAME(join_flips)(const void *bits, size_t count,
                                     bperc_i_word live, uint32_t *of,
                                     uint32_t **parents, size_t *parts) {
  NAME(cover) v = {0};
  size_t blocks = NAME(count_blocks)(&v, bits, count, live);
  bperc_status status;
  *parts = count;
  if (blocks > count / 2)
    return NAME(join_single)(bits, count, of, parents);
  status = NAME(cover_init)(&v, blocks);
  if (status == BPERC_OK)
    status = NAME(join_blocks)(&v, bits, count, of, parents, parts);
  NAME(cover_clear)(&v);
  return status;
}

#undef WORD
#undef NAME
