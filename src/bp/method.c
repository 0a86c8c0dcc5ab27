/* Which update a factor gets: exact, or Gaussian. */
#include "bp/method.h"

#include "bp/factor.h"
#include "bp/state.h"

/* [BZ appendix B]: enumeration up to cavity degree 6, docs/choices.md 6. */
#define PAPER_DEGREE 7

/* Measured nanoseconds: a number of an exact factor, per edge; an edge of a
 * Gaussian one in the plain kernel. */
#define EXACT_PER_NUMBER 2.2
#define GAUSSIAN_PER_EDGE 45.0
#define AUTO_RATIO 2.0

static double widest(void) {
  return AUTO_RATIO * GAUSSIAN_PER_EDGE / EXACT_PER_NUMBER;
}

double bperc_i_bp_edge(const bperc_bp *bp, size_t mu) {
  const bperc_i_factor *a = &bp->factor[mu];
  int64_t start = a->label ? bp->in->need : bp->in->cap;
  if (bp->opt.gaussian == BPERC_BP_PRINTED)
    return bp->in->theta - (double)(start - a->left);
  return a->left + (a->label ? -0.5 : 0.5);
}

int bperc_i_bp_exact_here(const bperc_bp *bp, size_t mu) {
  const bperc_i_factor *a = &bp->factor[mu];
  switch (bp->opt.factor) {
  case BPERC_BP_EXACT:
    return 1;
  case BPERC_BP_PAPER:
    return a->degree <= PAPER_DEGREE;
  case BPERC_BP_GAUSSIAN:
    return 0;
  default:
    return (double)bperc_i_factor_width(a->label, a->left, a->degree) <=
           widest();
  }
}

size_t bperc_i_bp_table_room(const bperc_bp *bp) {
  size_t room = 0;
  for (size_t mu = 0; mu < bp->in->m; mu++) {
    const bperc_i_factor *a = &bp->factor[mu];
    size_t width, most = (size_t)widest() + 1;
    if (!a->live)
      continue;
    width = bperc_i_factor_width(a->label, a->left, a->degree);
    if (bp->opt.factor == BPERC_BP_AUTO && width > most)
      width = most;
    if (bp->opt.factor == BPERC_BP_PAPER && width > PAPER_DEGREE + 1)
      width = PAPER_DEGREE + 1;
    if ((a->degree + 2) * width > room)
      room = (a->degree + 2) * width;
  }
  return room;
}
