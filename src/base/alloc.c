/* Aligned allocation with a failure switch for tests. */
#include "base/alloc.h"

#include "bperc/status.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

/* From this size on memory is asked for in large pages: a sweep over it then
 * misses the translation buffer five hundred times less often. */
#define LARGE ((size_t)8 << 20)
#define LARGE_PAGE ((size_t)2 << 20)

static atomic_long fail_after = -1;
static atomic_long asked;
static _Thread_local long failures; /* of this thread */

void bperc_i_alloc_fail_after(long k) {
  atomic_store(&asked, 0);
  atomic_store(&fail_after, k);
}

long bperc_i_alloc_count(void) { return atomic_load(&asked); }

static int must_fail(void) {
  long k = atomic_load(&fail_after);
  return atomic_fetch_add(&asked, 1) == k && k >= 0;
}

/* Not the end that fills a large page in part: all of it would be there. */
static void *alloc_large(size_t bytes) {
  void *p;
  if (posix_memalign(&p, LARGE_PAGE, bytes) != 0)
    return NULL;
#ifdef MADV_HUGEPAGE
  madvise(p, bytes / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE); /* advice: it may
                                                                 be refused */
#endif
  return p;
}

static void *alloc_plain(size_t count, size_t size) {
  size_t bytes;
  if (must_fail() || __builtin_mul_overflow(count, size, &bytes) ||
      bytes > SIZE_MAX - LARGE_PAGE)
    return NULL;
  if (bytes >= LARGE)
    return alloc_large(bytes);
  bytes = (bytes + BPERC_I_ALIGN) / BPERC_I_ALIGN * BPERC_I_ALIGN;
  return aligned_alloc(BPERC_I_ALIGN, bytes);
}

void *bperc_i_alloc(size_t count, size_t size) {
  void *p = alloc_plain(count, size);
  failures += p == NULL;
  return p;
}

void *bperc_i_calloc(size_t count, size_t size) {
  void *p = bperc_i_alloc(count, size);
  if (p)
    memset(p, 0, count * size);
  return p;
}

void *bperc_i_realloc(void *p, size_t old_bytes, size_t new_bytes) {
  void *q = bperc_i_alloc(1, new_bytes);
  if (!q)
    return NULL;
  if (p)
    memcpy(q, p, old_bytes < new_bytes ? old_bytes : new_bytes);
  bperc_i_free(p);
  return q;
}

void bperc_i_free(void *p) { free(p); }

/* ---- for users of the library: no alignment beyond that of malloc */

void *bperc_resize(void *p, size_t count, size_t size) {
  size_t bytes;
  void *q = NULL;
  if (!must_fail() && !__builtin_mul_overflow(count, size, &bytes))
    q = realloc(p, bytes ? bytes : 1);
  failures += q == NULL;
  return q;
}

void *bperc_alloc(size_t count, size_t size) {
  return bperc_resize(NULL, count, size);
}

void *bperc_calloc(size_t count, size_t size) {
  void *p = must_fail() ? NULL : calloc(count ? count : 1, size ? size : 1);
  failures += p == NULL;
  return p;
}

char *bperc_strdup(const char *text) {
  size_t bytes = strlen(text) + 1;
  char *copy = bperc_alloc(bytes, 1);
  return copy ? memcpy(copy, text, bytes) : NULL;
}

long bperc_alloc_failures(void) { return failures; }

void bperc_free(void *p) { free(p); }

void *bperc_i_grow(void *items, size_t count, size_t size) {
  if (items && count && (count < 8 || (count & (count - 1))))
    return items;
  return bperc_i_realloc(items, count * size,
                         (count < 8 ? 8 : 2 * count) * size);
}

char *bperc_i_strdup(const char *text) {
  size_t bytes = strlen(text) + 1;
  char *copy = bperc_i_alloc(1, bytes);
  return copy ? memcpy(copy, text, bytes) : NULL;
}
