/* Belief propagation as rBP, decimation and the measures of correlations use it
 * from inside the library: single iterations and the fields they leave. */
#ifndef BPERC_BP_ENGINE_H
#define BPERC_BP_ENGINE_H

#include "bperc/bp.h"

/* [BZ appendix B]: a smaller change of the entropy per weight has converged. */
#define BPERC_I_ENTROPY_CHANGE 1e-7

const bperc_instance *bperc_i_bp_instance(const bperc_bp *bp);
const bperc_bp_options *bperc_i_bp_options(const bperc_bp *bp);

/* One pass over all factors with damping f; f = 0 changes no message. With
 * want_log_z BPERC_I_PRECISE all rows are done in double precision. */
enum { BPERC_I_PRECISE = 2 };
void bperc_i_bp_sweep(bperc_bp *bp, double f, int want_log_z);
/* The update of the weights that follows a sweep. */
void bperc_i_bp_relax(bperc_bp *bp, double f, int split);
/* The damping of the options, or the one for this way of updating. */
double bperc_i_bp_damping(const bperc_bp *bp, int split);
/* Replaces what the options leave to the program by what is chosen for this
 * instance: damping of the update asked for, tolerance, kernel. */
void bperc_i_bp_choose(const bperc_instance *in, bperc_bp_options *opt);

/* Edges that are left. */
size_t bperc_i_bp_edges(const bperc_bp *bp);
/* H_i of the last sweep, n numbers; those of fixed weights mean nothing. */
const double *bperc_i_bp_field(const bperc_bp *bp);
/* For every weight its value, -1 where it is not fixed. */
const int8_t *bperc_i_bp_values(const bperc_bp *bp);
/* x_i of exp(x_i b_i), n numbers to write. */
double *bperc_i_bp_external(bperc_bp *bp);
/* Adds x to the external field of weight i, and to its messages at once. */
void bperc_i_bp_add_external(bperc_bp *bp, size_t i, double x);
/* Adds x to the field of weight i as if the last sweep had left it so. */
void bperc_i_bp_add_field(bperc_bp *bp, size_t i, double x);
/* How far the uniform part of the fields is ahead of the messages after a split
 * step. */
double bperc_i_bp_lag(const bperc_bp *bp);
/* Whether messages force a weight to be both 0 and 1. */
int bperc_i_bp_is_torn(const bperc_bp *bp);
/* Bethe entropy per weight of a sweep that wanted it. */
double bperc_i_bp_swept_entropy(const bperc_bp *bp);

#endif
