/* Which update a factor gets. */
#ifndef BPERC_BP_METHOD_H
#define BPERC_BP_METHOD_H

#include "bperc/bp.h"

/* Where the Gaussian cuts the sum of the factor's unfixed weights. */
double bperc_i_bp_edge(const bperc_bp *bp, size_t mu);
/* Whether the factor is summed exactly. */
int bperc_i_bp_exact_here(const bperc_bp *bp, size_t mu);
int bperc_i_bp_all_exact(const bperc_bp *bp);
/* Largest number of doubles that an exact factor needs, now or later. */
size_t bperc_i_bp_table_room(const bperc_bp *bp);

#endif
