/* Curves for judges: the selected cells cut into series, ordered along x. */
#ifndef BPERC_JUDGE_CURVES_H
#define BPERC_JUDGE_CURVES_H

#include "judge/judge.h"

typedef struct {
  double x; /* first: places are sorted by it */
  const bperc_i_cell *cell;
  size_t rows;
  bperc_i_cell own; /* when several rows share an x: their pool */
} bperc_i_place;

typedef struct {
  bperc_i_selection selection;
  size_t keys[32], key_count; /* of the series */
  size_t *group;
  size_t groups;
  bperc_i_place *places; /* of the current series */
  const bperc_i_cell **cells;
  double *xs;
  size_t count;
  char label[160];
} bperc_i_curves;

/* Selects what table, y, x, by and where say; 0 with j->wrong on failure. */
int bperc_i_curves_open(bperc_i_judgement *j, bperc_i_curves *c);
/* Loads series g: c->xs and c->cells in the order of x; all rows are one place
 * when there is no x. */
void bperc_i_curves_load(const bperc_i_judgement *j, bperc_i_curves *c,
                         size_t g);
void bperc_i_curves_clear(bperc_i_curves *c);

#endif
