/* The factor graph of belief propagation. */
#ifndef BPERC_BP_GRAPH_H
#define BPERC_BP_GRAPH_H

#include "bperc/bp.h"

/* `--kernel auto` is plain up to so many edges. */
#define BPERC_I_PLAIN_EDGES 20000

/* Whether these options mean single precision here. */
int bperc_i_bp_is_fast(const bperc_bp_options *opt, const bperc_instance *in);
bperc_status bperc_i_bp_build(bperc_bp *bp);
/* Room of a list: whole vectors. */
size_t bperc_i_bp_padded(size_t degree);
/* Fills slots with the places of the row's edges; returns the degree. */
size_t bperc_i_bp_row(const bperc_bp *bp, size_t mu, uint32_t *slots);
/* The literals of the row's edges, in room if they are not listed anyway. */
const uint32_t *bperc_i_bp_literals(const bperc_bp *bp, size_t mu,
                                    uint32_t *room);

#endif
