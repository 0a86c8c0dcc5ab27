/* Rules that turn selected cells into a verdict with numbers. */
#ifndef BPERC_JUDGE_JUDGE_H
#define BPERC_JUDGE_JUDGE_H

#include "judge/claim.h"
#include "judge/statistic.h"
#include "sweep/text.h"

struct bperc_judge {
  bperc_i_claim_list claims;
};

typedef struct {
  const bperc_tables *tables;
  const bperc_i_test *test;
  bperc_i_text *measured; /* a rule appends one sentence */
  bperc_claim_verdict verdict;
  char wrong[240]; /* set when the test cannot be applied */
} bperc_i_judgement;

typedef void bperc_i_rule(bperc_i_judgement *j);

/* Chance of a verdict by accident, one-sided. */
#define BPERC_I_SIGNIFICANCE 0.01

/* What follows is in rules.c. "value +- error". */
void bperc_i_say_estimate(bperc_i_text *t, bperc_i_estimate e);

/* A rule counts its comparisons here; `finish` decides. */
typedef struct {
  size_t count, clear, against; /* significantly for, significantly against */
  double sum_z;                 /* for need=pooled */
  size_t open;                  /* neither */
} bperc_i_tally;

/* expected > 0: the estimate should be positive. among: how many comparisons
 * share the chance of a wrong `against`. */
void bperc_i_tally_add(bperc_i_tally *t, bperc_i_estimate e, size_t among);
bperc_claim_verdict bperc_i_tally_finish(const bperc_i_tally *t, int pooled);
/* Whether |estimate| is inside the tolerance, error included. */
bperc_claim_verdict bperc_i_within(bperc_i_estimate e, double tolerance);
enum { BPERC_I_VERDICTS = BPERC_UNDECIDED + 1 }; /* how many there are */

/* rule_curves.c: trend, extremum, near, bound; rule_pairs.c: order, overlap. */
bperc_i_rule bperc_i_rule_trend, bperc_i_rule_extremum, bperc_i_rule_order,
    bperc_i_rule_near, bperc_i_rule_overlap, bperc_i_rule_bound;

#endif
