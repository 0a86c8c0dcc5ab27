/* What is left of an instance once some weights are fixed.
 *
 * A pattern is a set of literals: its inputs that are not 0, each on when its
 * weight has the right bit (1 for a positive input, 0 for a negative one).
 * Patterns that can no longer be violated are dropped; patterns without any
 * room force their literals (off for label 0, on for label 1), which is
 * repeated until nothing changes. Sound: the solutions of the residual system
 * are exactly those of the instance with the given weights fixed.
 */
#ifndef BPERC_EXACT_RESIDUAL_H
#define BPERC_EXACT_RESIDUAL_H

#include "bperc/instance.h"
#include "bperc/status.h"
#include "exact/search/word.h"

#include <stdbool.h>

enum { BPERC_I_FREE = -1, BPERC_I_WIDEST = 128 };

typedef struct bperc_i_search_residual {
  size_t n;
  int8_t *given;      /* n: as fixed by the caller: 0, 1 or BPERC_I_FREE */
  int8_t *value;      /* n: also what these force */
  size_t columns;     /* weights that the words of this system describe */
  uint32_t *column;   /* their indices, ascending */
  bperc_i_word base;  /* forced ones among the columns */
  bperc_i_word open;  /* columns that the search decides */
  size_t m;           /* patterns that can still be violated */
  bperc_i_word *mask; /* columns of the open literals */
  bperc_i_word *sign; /* of these, on when the bit is 1 */
  int *bound; /* label 0: at most, label 1: at least this many literals on */
  uint8_t *label;
  size_t *pattern;            /* which pattern of the instance */
  bool monotone;              /* every literal is on when the bit is 1 */
  bool contradiction;         /* no solution at all */
  size_t conflicting_pattern; /* a pattern that cannot be satisfied */
} bperc_i_search_residual;

/* given: n values 0, 1 or BPERC_I_FREE; NULL leaves every weight free.
 * Words describe all weights that are not given when these are at most 128,
 * otherwise only those that nothing forces; more than 128 of these is
 * BPERC_E_ARGUMENT. */
bperc_status bperc_i_residual_init(bperc_i_search_residual *r,
                                   const bperc_instance *inst,
                                   const int8_t *given, bperc_error *error);
/* The same without any consequence: nothing is forced, and patterns that
 * cannot be satisfied are left out; the words describe all weights that are
 * not given. */
bperc_status bperc_i_residual_plain(bperc_i_search_residual *r,
                                    const bperc_instance *inst,
                                    const int8_t *given, bperc_error *error);
void bperc_i_residual_clear(bperc_i_search_residual *r);

/* Patterns as bounds on what may be lost, and sums of two of them.
 *
 * A literal of a label-1 pattern is lost when it is off, one of a label-0
 * pattern when it is on; the slack of a pattern is how many it may lose. In
 * the sum of two patterns literals that contradict each other cancel: exactly
 * one of the two is lost, whatever the weight. So much less can be lost than
 * by the two apart, and the sum excludes what neither pattern does.
 */

enum { BPERC_I_MAX_SLACK = INT8_MAX };

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

#endif
