/* All allocation of the library: zero-size safe, overflow checked, 64-byte
 * aligned, and a test can make the k-th one fail. */
#ifndef BPERC_BASE_ALLOC_H
#define BPERC_BASE_ALLOC_H

#include <stddef.h>

#define BPERC_I_ALIGN 64

void *bperc_i_alloc(size_t count, size_t size);
void *bperc_i_calloc(size_t count, size_t size);
/* Moves old_bytes to a block of new_bytes; on failure p stays valid. */
void *bperc_i_realloc(void *p, size_t old_bytes, size_t new_bytes);
/* A list of count items with room for one more: the same block, or from time to
 * time a larger one (for 8, 16, 32, ...). NULL: no memory, items stay valid. */
void *bperc_i_grow(void *items, size_t count, size_t size);
void bperc_i_free(void *p);
char *bperc_i_strdup(const char *text);

/* Tests: the k-th allocation from now fails (0 = the next); -1 = never. */
void bperc_i_alloc_fail_after(long k);
/* How many allocations were asked for since the last fail_after. */
long bperc_i_alloc_count(void);

#endif
