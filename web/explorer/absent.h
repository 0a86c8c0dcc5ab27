/* Functions of glibc that emscripten's library has not; absent.c. */
#ifndef WEB_ABSENT_H
#define WEB_ABSENT_H

#include <stddef.h>

typedef int bperc_web_compare(const void *, const void *, void *);
void qsort_r(void *items, size_t count, size_t size, bperc_web_compare *order,
             void *context);

#endif
