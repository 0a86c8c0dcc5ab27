/* What the checking build recounts of solvers: base/check.h. */
#ifndef BPERC_SOLVER_RECOUNT_H
#define BPERC_SOLVER_RECOUNT_H

#include "bperc/instance.h"
#include "kernels/bit_kernels.h"
#include "kernels/matvec.h"

#include <stdbool.h>

/* Whether the weights violate so many patterns, by plain sums. */
bool bperc_i_recount_errors(const bperc_instance *in, const uint64_t *weights,
                            size_t errors);
/* The same for weights 0, 1, 2, ... */
bool bperc_i_recount_integers(const bperc_instance *in, const int32_t *weights,
                              size_t errors);
/* Whether no hidden state is beyond saturation and no bit is set where there
 * is no column. */
bool bperc_i_recount_counters(const bperc_i_counters *h, size_t columns);
/* Whether a part of the columns, with bounds of its own, spares each pattern as
 * many hits as all columns do. */
bool bperc_i_recount_part(const bperc_i_rows *part, const uint64_t *own,
                          const bperc_i_rows *all, const uint64_t *weights);
/* Whether sums are those of the rows, or columns, of x with whole numbers. */
bool bperc_i_recount_rows(const bperc_i_bit_matrix *x, const int32_t *whole,
                          size_t columns, const int64_t *sums);
bool bperc_i_recount_columns(const bperc_i_bit_matrix *x, const int32_t *whole,
                             size_t columns, const int64_t *sums);

#endif
