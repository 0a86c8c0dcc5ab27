/* Patterns as bounds on what may be lost, and sums of two of them.
 *
 * A literal of a label-1 pattern is lost when it is off, one of a label-0
 * pattern when it is on; the slack of a pattern is how many it may lose. In
 * the sum of two patterns literals that contradict each other cancel: exactly
 * one of the two is lost, whatever the weight. So much less can be lost than
 * by the two apart, and the sum excludes what neither pattern does.
 */
#ifndef BPERC_EXACT_ROWS_H
#define BPERC_EXACT_ROWS_H

#include "exact/search/tail.h"

enum { BPERC_I_MOST_SLACK = INT8_MAX };

/* Lost: one for a column of `once`, two for one of `twice`, when the weight is
 * as `at` says; at most slack in all. */
typedef struct {
  bperc_i_word once, twice, at;
  int slack;              /* -1: no weights keep this row */
  double tightness;       /* (mean loss - slack) / its standard deviation */
  size_t number;          /* pattern of the residual; later rows are pairs */
  uint16_t first, second; /* of a pair: positions of its patterns */
} bperc_i_search_row;

/* All patterns, then the tightest pairs, each tightest first; *out is to be
 * freed, also on failure. */
bperc_status bperc_i_rows_make(const bperc_i_search_residual *r,
                               bperc_i_search_row **out, size_t *total);
/* Columns of `which`, those in many patterns first. */
void bperc_i_rows_order(const bperc_i_search_residual *r, bperc_i_word which,
                        bperc_i_word *bit);
/* What every row loses when the column `bit` is set to value. */
void bperc_i_rows_losses(const bperc_i_search_row *rows, size_t count,
                         bperc_i_word bit, size_t value, int8_t *loss);
/* out[s]: configurations of the tail that lose at most s of a pattern. */
void bperc_i_row_leaf(const bperc_i_search_row *x, const bperc_i_word *bit,
                      size_t count, bperc_i_leaf out[BPERC_I_TAIL + 1]);

#endif
