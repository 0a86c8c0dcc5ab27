/* Parts of the symmetric perceptron's theory: private. */
#ifndef BPERC_SRC_THEORY_SYMMETRIC_H
#define BPERC_SRC_THEORY_SYMMETRIC_H

#include "bperc/symmetric.h"

bperc_status bperc_i_symmetric_check(const bperc_symmetric_model *model,
                                     bperc_error *error);

/* <log P(label's side)>, one of the two labels with its probability. */
double bperc_i_symmetric_log_p(const bperc_symmetric_model *model);

/* <log(p2/p^2)>: p2 the probability that two sums of correlation m are on the
 * label's side, p that one is. */
double bperc_i_symmetric_pair(const bperc_symmetric_model *model, double m,
                              int finer);

#endif
