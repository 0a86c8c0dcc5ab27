/* Errors that cost more on one label than on the other: a class weight is a
 * number of copies of each pattern of that label, so that every solver that
 * counts errors can use it. */
#ifndef BPERC_RUN_CLASS_WEIGHTS_H
#define BPERC_RUN_CLASS_WEIGHTS_H

#include "bperc/instance.h"

/* The costs in force: as given (both 0: equal), or inverse to the share of
 * each label. */
void bperc_i_class_costs(const bperc_instance *in, const double given[2],
                         int balanced, double cost[2]);
/* Small whole numbers in the ratio of the costs. */
void bperc_i_class_copies(const double cost[2], size_t copies[2]);

/* All patterns with label 0, so many times, then those with label 1. */
typedef struct {
  bperc_instance *in;
  size_t count[2]; /* different patterns of each label */
  size_t first[2]; /* where the first copy of them begins */
} bperc_i_weighted;

bperc_status bperc_i_weighted_make(const bperc_instance *in,
                                   const size_t copies[2],
                                   bperc_i_weighted *out, bperc_error *error);
/* Violated patterns of each label, every pattern counted once. */
void bperc_i_weighted_errors(const bperc_i_weighted *w, const uint64_t *weights,
                             size_t errors[2]);
void bperc_i_weighted_clear(bperc_i_weighted *w); /* a zeroed one is fine */

/* Row mu of one instance into row nu of another of the same kind. */
void bperc_i_copy_pattern(const bperc_instance *from, size_t mu,
                          bperc_instance *to, size_t nu);

#endif
