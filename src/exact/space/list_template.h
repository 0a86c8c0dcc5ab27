/* Sorting, searching and merging lists, for one width of word.
 *
 * WORD  64 or 128 bits
 * NAME  makes names of this width
 */

/* Least significant digit first; digits of at most 11 bits, all of about the
 * same width. to has room for the list; returns where the result lies. */
static WORD *NAME(radix_sort)(WORD *list, WORD *to, size_t count,
                              size_t columns) {
  size_t passes = (columns + 10) / 11;
  size_t width = passes ? (columns + passes - 1) / passes : 1;
  size_t start[1 << 11];
  size_t mask = ((size_t)1 << width) - 1;
  for (size_t shift = 0; shift < columns && !bperc_cancelled();
       shift += width) {
    memset(start, 0, sizeof start);
    for (size_t k = 0; k < count && bperc_i_list_go_on(k); k++)
      start[(size_t)(list[k] >> shift) & mask]++;
    size_t sum = 0;
    for (size_t v = 0; v < (size_t)1 << width; v++) {
      size_t here = start[v];
      start[v] = sum;
      sum += here;
    }
    for (size_t k = 0; k < count && bperc_i_list_go_on(k); k++)
      to[start[(size_t)(list[k] >> shift) & mask]++] = list[k];
    WORD *swap = list;
    list = to;
    to = swap;
  }
  return list;
}

static void NAME(insertion_sort)(WORD *list, size_t count) {
  for (size_t k = 1; k < count; k++) {
    WORD word = list[k];
    size_t at = k;
    for (; at > 0 && list[at - 1] > word; at--)
      list[at] = list[at - 1];
    list[at] = word;
  }
}

static bperc_status NAME(sort)(void *bits, size_t count, size_t columns) {
  WORD *list = bits, *spare, *sorted;
  if (count < SHORT_LIST) {
    NAME(insertion_sort)(list, count);
    return BPERC_OK;
  }
  spare = bperc_i_alloc(count, sizeof *spare);
  if (!spare)
    return BPERC_E_MEMORY;
  sorted = NAME(radix_sort)(list, spare, count, columns);
  if (sorted != list && !bperc_cancelled())
    memcpy(list, sorted, count * sizeof *list);
  bperc_i_free(spare);
  return bperc_cancelled() ? BPERC_E_INTERRUPTED : BPERC_OK;
}

static size_t NAME(find)(const void *bits, size_t count, WORD word) {
  const WORD *list = bits;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (list[middle] < word)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && list[low] == word ? low : SIZE_MAX;
}

/* Keeps the words with (word & bit) == want; returns how many. */
static size_t NAME(filter)(const void *bits, size_t count, WORD bit, WORD want,
                           void *out, uint32_t *origin) {
  const WORD *list = bits;
  WORD *to = out;
  size_t used = 0;
  for (size_t k = 0; k < count; k++) {
    to[used] = list[k];
    if (origin)
      origin[used] = (uint32_t)k;
    used += (list[k] & bit) == want;
  }
  return used;
}

#undef WORD
#undef NAME
