/* Memory of the laboratory, all of it from the public allocator of libbperc. */
#ifndef BPERC_LAB_BASE_MEMORY_H
#define BPERC_LAB_BASE_MEMORY_H

#include "bperc/status.h"

/* As bperc_resize; old_bytes of p are in use. */
static inline void *bperc_i_lab_realloc(void *p, size_t old_bytes,
                                        size_t new_bytes) {
  (void)old_bytes;
  return bperc_resize(p, 1, new_bytes);
}

/* A list of count items with space for one more: the same block, or from time
 * to time a larger one (for 8, 16, 32, ...). NULL: no memory, items stay valid.
 */
static inline void *bperc_i_lab_grow(void *items, size_t count, size_t size) {
  if (items && count && (count < 8 || (count & (count - 1))))
    return items;
  return bperc_resize(items, count < 8 ? 8 : 2 * count, size);
}

#endif
