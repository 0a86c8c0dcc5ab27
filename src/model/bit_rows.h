/* An instance as the bit kernels see it, and who takes which inputs. */
#ifndef BPERC_MODEL_HITS_H
#define BPERC_MODEL_HITS_H

#include "base/bits.h"
#include "bperc/instance.h"
#include "kernels/bit_kernels.h"

static inline bperc_i_rows bperc_i_instance_rows(const bperc_instance *in) {
  return (bperc_i_rows){.rows = in->patterns,
                        .support = in->support,
                        .labels = in->labels,
                        .bound = in->bound,
                        .label_bound = {in->label_bound[0], in->label_bound[1]},
                        .count = in->m,
                        .words = in->words,
                        .bits = in->n,
                        .kind = in->inputs == BPERC_INPUTS_01 ? BPERC_I_ROWS_01
                                : in->support ? BPERC_I_ROWS_SIGNED
                                              : BPERC_I_ROWS_PM};
}

/* The inputs -1 of a pattern, as a row of bits. */
static inline void bperc_i_instance_minus(const bperc_instance *in, size_t mu,
                                          uint64_t *row) {
  const uint64_t *plus = bperc_instance_pattern(in, mu);
  for (size_t k = 0; k < in->words; k++)
    row[k] = in->inputs == BPERC_INPUTS_01 ? 0
             : in->support ? in->support[mu * in->words + k] & ~plus[k]
                           : ~plus[k];
  if (in->inputs == BPERC_INPUTS_PM)
    row[in->words - 1] &= bperc_i_tail_mask(in->n);
}

/* Room for the bounds that the kinds of weights and inputs ask for, after one
 * of them was changed and before bperc_instance_update_bounds. */
bperc_status bperc_i_instance_bounds(bperc_instance *in);

/* The level of pattern mu in hits, a real number: the threshold with kappa,
 * before ties and rounding. */
double bperc_i_instance_level(const bperc_instance *in, size_t mu);

/* The same problem with one bound per pattern: itself, or of a problem with a
 * band the one that is split; every weights violate as many patterns of both.
 * Row k of the latter is pattern k / 2. BPERC_E_ARGUMENT and a sentence that
 * `who` starts when patterns want to be outside of the band. */
bperc_status bperc_i_one_sided(const bperc_instance **in, const char *who,
                               bperc_error *error);
/* BPERC_E_ARGUMENT and a sentence for what knows no band at all. */
bperc_status bperc_i_no_band(const bperc_instance *in, const char *who,
                             bperc_error *error);

/* BPERC_E_ARGUMENT and a sentence unless all inputs are 0/1. `who` starts the
 * sentence. */
bperc_status bperc_i_only_01_inputs(const bperc_instance *in, const char *who,
                                    bperc_error *error);

#endif
