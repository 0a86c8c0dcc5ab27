/* Which update a factor gets: exact, or Gaussian. */
#include "bp/method.h"

#include "bp/centred.h"
#include "bp/factor.h"
#include "model/bit_rows.h"

/* [BZ appendix B]: enumeration up to cavity degree 6, docs/choices.md 6. */
#define PAPER_DEGREE 7

/* `auto` sums exactly up to so many numbers. Neither this rule nor the next
 * looks at the kernel or the instruction set: one problem, one answer. */
#define AUTO_WIDTH 58

/* `cheap`: measured costs of a factor of the fast kernel in nanoseconds
 * (bench/bench_bp.c measures them again and says where the rule is off): per
 * factor, per edge, per edge and number that the exact update keeps, per square
 * of those. */
typedef struct {
  double factor, edge, number, square;
} cost;
static const cost exact_cost = {130, 2.2, 0.11, 0.27};
static const cost gaussian_cost = {170, 1.1, 0, 0};
/* Exact is worth up to twice the price. */
#define CHEAP_RATIO 2.0

static double price(const cost *c, size_t degree, size_t width) {
  double d = (double)degree, w = (double)width;
  return c->factor + d * (c->edge + c->number * w) + c->square * w * w;
}

static int cheap(size_t degree, size_t width) {
  return price(&exact_cost, degree, width) <
         CHEAP_RATIO * price(&gaussian_cost, degree, width);
}

/* Widest exact factor that `cheap` takes, at this degree or below. */
static size_t widest_exact(size_t degree) {
  size_t most = 1;
  for (size_t d = 1; d <= degree; d++) {
    size_t width = d / 2 + 1; /* never more than half the degree */
    while (width > most && !cheap(d, width))
      width--;
    most = width > most ? width : most;
  }
  return most;
}

double bperc_i_bp_edge(const bperc_bp *bp, size_t mu) {
  const bperc_i_factor *a = &bp->factor[mu];
  if (bp->opt.gaussian == BPERC_BP_PRINTED)
    return bperc_i_instance_level(bp->in, mu) -
           (double)(bperc_instance_bound(bp->in, mu) - a->left);
  return a->left + (a->label ? -0.5 : 0.5);
}

int bperc_i_bp_exact_here(const bperc_bp *bp, size_t mu) {
  const bperc_i_factor *a = &bp->factor[mu];
  size_t width = bperc_i_factor_width(a->label, a->left, a->degree);
  switch (bp->opt.factor) {
  case BPERC_BP_EXACT:
    return 1;
  case BPERC_BP_PAPER:
    return a->degree <= PAPER_DEGREE;
  case BPERC_BP_GAUSSIAN:
    return 0;
  case BPERC_BP_CHEAP:
    return cheap(a->degree, width);
  default:
    return width < AUTO_WIDTH;
  }
}

int bperc_i_bp_all_exact(const bperc_bp *bp) {
  if (bp->opt.centred) /* the inputs 0 are Gaussian */
    return 0;
  for (size_t mu = 0; mu < bp->in->m; mu++)
    if (bp->factor[mu].live && !bperc_i_bp_exact_here(bp, mu))
      return 0;
  return 1;
}

/* Degrees and widths only shrink as weights are fixed. */
size_t bperc_i_bp_table_room(const bperc_bp *bp) {
  size_t degree = 0, width = 0, most, room;
  for (size_t mu = 0; mu < bp->in->m; mu++) {
    const bperc_i_factor *a = &bp->factor[mu];
    size_t wide = bperc_i_factor_width(a->label, a->left, a->degree);
    if (!a->live)
      continue;
    degree = a->degree > degree ? a->degree : degree;
    width = wide > width ? wide : width;
  }
  most = width;
  if (bp->opt.factor == BPERC_BP_AUTO)
    most = AUTO_WIDTH;
  if (bp->opt.factor == BPERC_BP_CHEAP)
    most = widest_exact(degree);
  if (bp->opt.factor == BPERC_BP_PAPER)
    degree = degree < PAPER_DEGREE ? degree : PAPER_DEGREE;
  width = width < most ? width : most;
  most = (degree + 2) * width;
  room = bperc_i_exact_table(
             bp->layout == BPERC_I_MASKS ? bp->in->n + 32 : degree + 8, width) /
         2;
  if (bp->opt.centred && bperc_i_centred_table_room(bp->in->n) > room)
    room = bperc_i_centred_table_room(bp->in->n);
  return most > room ? most : room;
}
