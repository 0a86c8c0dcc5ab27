/* What the checking build recounts of belief propagation: base/check.h. */
#ifndef BPERC_BP_RECOUNT_H
#define BPERC_BP_RECOUNT_H

#include "bp/state.h"

#include <stdbool.h>

/* Whether every factor has the edges, the bound and the fate that the instance
 * and the fixed weights give it, and columns and weights name each other. */
bool bperc_i_recount_graph(const bperc_bp *bp);
/* Whether messages of a row are probabilities of fields within the bound. */
bool bperc_i_recount_row(const bperc_bp *bp, const bperc_i_bp_workspace *w,
                         size_t degree);
/* Whether log Z and messages are those of a sum over all configurations, for
 * factors of few weights. */
bool bperc_i_recount_factor(int label, int32_t left, size_t degree,
                            const double *p, const double *q,
                            const double *h_hat, double log_z);
/* Whether the fields are the sums of the messages of the last pass. */
bool bperc_i_recount_fields(const bperc_bp *bp);

#endif
