/* The order in which a decimation fixed the weights of a problem, and at which
 * values: what decimation answers and what measures go along. */
#ifndef BPERC_ORDER_H
#define BPERC_ORDER_H

#include "bperc/status.h"

#include <stddef.h>
#include <stdint.h>

BPERC_C_BEGIN

typedef struct {
  size_t n;          /* weights of the problem; room for so many below */
  size_t fixed;      /* how many were fixed: fewer than n if it ended early */
  uint32_t *weight;  /* which, from the first to the last */
  uint8_t *value;    /* 0 or 1 */
  double *log_count; /* fixed + 1 numbers: log of the number of solutions left,
                        or its Bethe estimate, with k weights fixed; NAN where
                        nobody said */
  bperc_progress outcome; /* how it ended; BPERC_RUNNING: interrupted */
  size_t unconverged;     /* steps whose messages did not converge */
} bperc_order;

/* An empty order of n weights, to be filled. BPERC_E_MEMORY leaves nothing to
 * clear. */
BPERC_API bperc_status bperc_order_init(size_t n, bperc_order *out);
/* The same with what another one has. */
BPERC_API bperc_status bperc_order_copy(const bperc_order *from,
                                        bperc_order *out);
/* Releases what the order holds; one that is all zero is fine. */
BPERC_API void bperc_order_clear(bperc_order *order);
/* The first `count` weights as an exact search takes them: fixed gets n values
 * 0, 1 or -1 (not fixed). */
BPERC_API void bperc_order_hold(const bperc_order *order, size_t count,
                                int8_t *fixed);

BPERC_C_END

#endif
