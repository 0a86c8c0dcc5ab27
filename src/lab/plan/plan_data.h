/* `data = FILE` of a block: the rows of a file as the source of patterns. */
#ifndef BPERC_SWEEP_ROWS_H
#define BPERC_SWEEP_ROWS_H

#include "lab/plan/plan.h"

/* "FILE label=L positive=V binarise=R drop=C complement": the file lies beside
 * the plan. Fills block->rows and block->rows_hash, a hash of their content. */
bperc_status bperc_i_block_data(const bperc_experiment *x, bperc_i_block *block,
                                const char *text, size_t line,
                                bperc_error *error);
/* A point must not ask for more patterns than there are rows. */
bperc_status bperc_i_block_data_fits(const bperc_experiment *x,
                                     const bperc_i_block *block,
                                     const bperc_i_point *point,
                                     bperc_error *error);

#endif
