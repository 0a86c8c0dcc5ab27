/* SBPI on a part of the weights, while the others stay as they are.
 *
 * Hidden states are looked at after every sweep. At the end of a window of
 * sweeps the weights that were far from zero after each of them leave, if they
 * are at least a quarter of those in the computation: their columns go out of
 * the patterns, and what they contribute goes into the bounds.
 */
#ifndef BPERC_SOLVER_SBPI_PART_H
#define BPERC_SOLVER_SBPI_PART_H

#include "base/squeeze.h"
#include "bperc/status.h"
#include "kernels/bit_kernels.h"

#include <stdbool.h>

typedef struct {
  size_t all;            /* weights of the problem */
  uint64_t far;          /* k of a hidden state far from zero */
  uint64_t *quiet;       /* columns that were so after every sweep so far */
  uint32_t *site;        /* the weight of a column */
  int32_t *frozen_at;    /* hidden states of weights that have left, else 0 */
  uint64_t *weights;     /* all of them */
  bperc_i_squeeze *plan; /* scratch */
  uint64_t *rows, *support; /* packed */
  int64_t *bound;
} bperc_i_sbpi_part;

/* far: share of the bound of hidden states. */
bperc_status bperc_i_sbpi_part_init(bperc_i_sbpi_part *part,
                                    const bperc_i_rows *rows,
                                    const bperc_i_counters *h, double far);
void bperc_i_sbpi_part_clear(bperc_i_sbpi_part *part);
/* After a sweep. */
void bperc_i_sbpi_part_watch(bperc_i_sbpi_part *part,
                             const bperc_i_counters *h);
/* At the end of a window: true when weights have left; rows and counters are
 * those of the others then. */
bool bperc_i_sbpi_part_leave(bperc_i_sbpi_part *part, bperc_i_rows *rows,
                             bperc_i_counters *h);
/* Brings part->weights up to date. */
void bperc_i_sbpi_part_weights(const bperc_i_sbpi_part *part,
                               const bperc_i_rows *rows,
                               const bperc_i_counters *h);

/* Hidden state of a column. */
int32_t bperc_i_sbpi_hidden(const bperc_i_counters *h, size_t column);

#endif
