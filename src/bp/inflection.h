/* Which moment of a belief propagation that does not converge to use. */
#ifndef BPERC_BP_INFLECTION_H
#define BPERC_BP_INFLECTION_H

#include <stddef.h>

typedef enum {
  BPERC_I_INFLECTION, /* a reasonable decreasing inflection point */
  BPERC_I_FLATTEST,   /* none: least |F''| */
  BPERC_I_TOO_SHORT,  /* fewer than nine moments: the last one */
} bperc_i_moment;

/* [BZ supplement 4]: F_BP(t) at t = 0, ..., count-1; *t0 gets the moment. */
bperc_i_moment bperc_i_inflection(const double *f, size_t count, size_t *t0);

#endif
