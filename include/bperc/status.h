/* Status values, outcomes and error sentences.
 *
 * A failure (argument, memory, I/O, format) is a negative bperc_status;
 * functions that meet users' data also fill an optional bperc_error with one
 * sentence. An outcome (solved, exhausted, ...) is a bperc_progress: not
 * finding a solution is a result, not a failure.
 */
#ifndef BPERC_STATUS_H
#define BPERC_STATUS_H

#ifdef __cplusplus
#define BPERC_C_BEGIN extern "C" {
#define BPERC_C_END }
#else
#define BPERC_C_BEGIN
#define BPERC_C_END
#endif

#if defined(__GNUC__)
#define BPERC_API __attribute__((visibility("default")))
#define BPERC_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define BPERC_API
#define BPERC_PRINTF(at, first)
#endif

#include <stddef.h>

BPERC_C_BEGIN

/* What the headers describe; bperc_abi_version() says what the library that
 * runs was built from. They are equal unless the two do not belong together. */
#define BPERC_ABI_VERSION 3
BPERC_API int bperc_abi_version(void);

typedef enum {
  BPERC_OK = 0,
  BPERC_E_ARGUMENT = -1,    /* a value outside its range */
  BPERC_E_MEMORY = -2,      /* an allocation failed */
  BPERC_E_IO = -3,          /* a file could not be opened, read or written */
  BPERC_E_FORMAT = -4,      /* a file was read and makes no sense */
  BPERC_E_LIMIT = -5,       /* a limit set by the caller was reached */
  BPERC_E_NUMERIC = -6,     /* no root, no saddle point, no convergence */
  BPERC_E_INTERRUPTED = -7, /* bperc_cancel() was called */
  BPERC_E_SYSTEM = -8, /* descriptors, or a program that is needed, lacking */
} bperc_status;

typedef enum {
  BPERC_RUNNING,
  BPERC_SOLVED,
  BPERC_EXHAUSTED,     /* budget used up, or the space searched to its end */
  BPERC_CONTRADICTION, /* what is fixed already violates a pattern */
  BPERC_DIVERGED,
} bperc_progress;

typedef struct {
  bperc_status status;
  char text[512];
} bperc_error;

/* Such as "0.3.0": the version that the build was given. */
BPERC_API const char *bperc_version(void);

/* A short name of the status, never NULL. */
BPERC_API const char *bperc_status_name(bperc_status status);

/* Fills *error (NULL is fine) and returns status. */
BPERC_API bperc_status bperc_error_set(bperc_error *error, bperc_status status,
                                       const char *format, ...)
    BPERC_PRINTF(3, 4);

/* Memory from the library's allocator: NULL when there is none or when count *
 * size is too large; of 0 bytes it is a valid block. bperc_calloc clears it,
 * bperc_resize keeps what fits of an older block, which stays as it is when
 * NULL comes back. */
BPERC_API void *bperc_alloc(size_t count, size_t size);
BPERC_API void *bperc_calloc(size_t count, size_t size);
BPERC_API void *bperc_resize(void *p, size_t count, size_t size);
/* A copy of a text; NULL when there is no memory. */
BPERC_API char *bperc_strdup(const char *text);
/* Releases such memory, and what the library hands out; NULL is fine. */
BPERC_API void bperc_free(void *p);
/* How many allocations of this thread have failed so far: for callers of code
 * that goes on without one, to tell its answer from the true one. */
BPERC_API long bperc_alloc_failures(void);

/* Cancelling: the program calls bperc_cancel() from its signal handler, long
 * loops poll bperc_cancelled() and return BPERC_E_INTERRUPTED. A host that
 * wants to end one call of several uses bperc/control.h. */
BPERC_API void bperc_cancel(void);
BPERC_API int bperc_cancelled(void);
/* Whether some loop has seen that it was cancelled, or that a deadline has
 * passed: it is on its way out. For signal handlers. */
BPERC_API int bperc_cancel_seen(void);

BPERC_C_END

#endif
