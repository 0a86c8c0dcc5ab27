/* Curves: the selected cells of a table cut into series, ordered along x. */
#ifndef BPERC_JUDGE_CURVES_H
#define BPERC_JUDGE_CURVES_H

#include "lab/table/filter.h"

typedef struct {
  double x; /* first: places are sorted by it */
  const bperc_i_table_cell *cell;
  size_t rows;
  bperc_i_table_cell own; /* when several rows share an x: their pool */
} bperc_i_place;

typedef struct {
  bperc_i_selection selection;
  const char *x;                        /* NULL: all rows are one place */
  size_t keys[BPERC_I_KEYS], key_count; /* of the series */
  size_t *order, *starts; /* selected rows series by series; where they begin */
  size_t groups;
  bperc_i_place *places; /* of the current series */
  const bperc_i_table_cell **cells;
  double *xs;
  size_t count, loaded; /* places, rows */
  size_t row;           /* of the table, that has the keys of the series */
} bperc_i_curves;

/* Series differ in the keys `by`, if these are given, else in all but x and k.
 * Says in wrong[] what is not there. */
bperc_status bperc_i_curves_open(const bperc_tables *tables,
                                 const bperc_i_table_source *source,
                                 const char *x, const bperc_i_names *by,
                                 bperc_i_curves *c, char *wrong, size_t size);
/* Loads all rows of series g: c->xs and c->cells in the order of x. */
void bperc_i_curves_rows(bperc_i_curves *c, size_t g);
/* Those that have a number, rows with the same x averaged. */
void bperc_i_curves_load(bperc_i_curves *c, size_t g);
void bperc_i_curves_clear(bperc_i_curves *c);

#endif
