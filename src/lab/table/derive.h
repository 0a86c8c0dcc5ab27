/* What a plan computes from tables: the two kinds of sections. */
#ifndef BPERC_JUDGE_DERIVE_H
#define BPERC_JUDGE_DERIVE_H

#include "lab/table/table.h"

/* Checks both as far as syntax goes: derive.c. */
bperc_status bperc_i_derived_check(const bperc_i_ini *plan, bperc_error *error);
/* Adds them to tables that were collected. */
bperc_status bperc_i_tables_derive(bperc_tables *t, bperc_error *error);

/* The columns of a section [table NAME]: columns.c. */
bperc_status bperc_i_columns_add(bperc_tables *t, const bperc_i_section *s,
                                 bperc_error *error);
/* The table of a section [derive NAME]: derive_curve.c. */
bperc_status bperc_i_table_derive(bperc_tables *t, const bperc_i_section *s,
                                  bperc_error *error);

#endif
