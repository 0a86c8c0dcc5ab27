/* One pattern of an iteration. */
#ifndef BPERC_BP_ROWS_H
#define BPERC_BP_ROWS_H

#include "bp/state.h"

/* What an iteration is to do with every row. */
typedef struct {
  double f; /* damping; 0 changes no message */
  int want_log_z, want_stiffness;
} bperc_i_pass;

/* Messages of pattern mu, which is live; what they add up to goes to cell. */
void bperc_i_bp_run_row(bperc_bp *bp, size_t mu, const bperc_i_pass *pass,
                        bperc_i_bp_cell *cell, bperc_i_bp_workspace *w);

#endif
