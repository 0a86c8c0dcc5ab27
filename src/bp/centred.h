/* Centred belief propagation: the parts of an iteration that differ. */
#ifndef BPERC_BP_CENTRED_H
#define BPERC_BP_CENTRED_H

#include "bp/state.h"

/* Doubles that a row of this degree needs. */
size_t bperc_i_centred_table_room(size_t degree);
/* One pattern: its messages to all unfixed weights. */
void bperc_i_centred_row(bperc_bp *bp, size_t mu, double f, int want_log_z,
                         bperc_i_bp_cell *cell, bperc_i_bp_workspace *w);
/* After all rows: fields, the uniform field, the activity. */
void bperc_i_centred_collect(bperc_bp *bp, double f, int want_log_z);
/* Start around a uniform field. */
void bperc_i_centred_start(bperc_bp *bp, double level);
/* Marks the columns of unfixed weights. */
void bperc_i_centred_open(bperc_bp *bp);

#endif
