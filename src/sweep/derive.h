/* What a plan computes from tables: the two kinds of sections. */
#ifndef BPERC_SWEEP_DERIVE_H
#define BPERC_SWEEP_DERIVE_H

#include "sweep/table.h"

/* The columns of a section [table NAME]: columns.c. */
bperc_status bperc_i_columns_add(bperc_tables *t, const bperc_i_section *s,
                                 bperc_error *error);
/* The table of a section [derive NAME]: derive_curve.c. */
bperc_status bperc_i_table_derive(bperc_tables *t, const bperc_i_section *s,
                                  bperc_error *error);

#endif
