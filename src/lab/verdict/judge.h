/* Rules that turn selected cells into a verdict with numbers. */
#ifndef BPERC_JUDGE_JUDGE_H
#define BPERC_JUDGE_JUDGE_H

#include "lab/verdict/claim.h"
#include "lab/verdict/statistic.h"

struct bperc_judge {
  bperc_i_claim_list claims;
};

typedef struct {
  const bperc_tables *tables;
  const bperc_i_test *test;
  /* Chance of a wrong `holds`, and of a wrong `fails`: tests of one claim share
   * the latter, for one of them is enough to make it fail. */
  double rate, fail_rate;
  double times; /* judged as if there were so many times the instances */
  int unknown;  /* set when a comparison had too few for an estimate */
  bperc_claim_test *out;    /* that a rule fills; NULL: the verdict is enough */
  bperc_claim_number spare; /* what is filled then */
  bperc_claim_verdict verdict;
  char wrong[240]; /* set when the test cannot be applied */
} bperc_i_judgement;

typedef void bperc_i_verdict_rule(bperc_i_judgement *j);

/* What follows is in rules.c. Adds a number to the test; e NULL: it has none.
 * Only until the next one is added, and never NULL. */
bperc_claim_number *bperc_i_number_add(bperc_i_judgement *j,
                                       bperc_number_role role,
                                       bperc_number_kind kind,
                                       const bperc_i_estimate *e);
/* Where it stands: these keys of a row. */
void bperc_i_number_place(bperc_i_judgement *j, bperc_claim_number *n,
                          const bperc_i_table *t, size_t row,
                          const size_t *keys, size_t key_count);
/* How it was compared: sign (1, -1) times the number less `bound` is e, which
 * has to be positive. */
void bperc_i_number_compare(bperc_claim_number *n, const bperc_i_estimate *e,
                            int sign, double bound, double rate);

/* The number has to be within the tolerance of the bound; e is what it is above
 * that. */
void bperc_i_number_within(bperc_claim_number *n, const bperc_i_estimate *e,
                           double tolerance, double rate);

/* A rule counts its comparisons here; `finish` decides. */
typedef struct {
  size_t count, clear, against; /* significantly for, significantly against */
} bperc_i_evidence;

/* The estimate as it is to be judged: with `times` as many instances. */
bperc_i_estimate bperc_i_judged(bperc_i_judgement *j,
                                const bperc_i_estimate *e);
/* e should be positive. among: how many comparisons share the chance of a wrong
 * `against`. 1: clearly is, -1: clearly is not, 0: neither. */
int bperc_i_evidence_add(bperc_i_judgement *j, bperc_i_evidence *t,
                         const bperc_i_estimate *e, size_t among);
/* The verdict: every comparison must be clear; together: all as one,
 * need=pooled, NULL when not asked for. */
void bperc_i_evidence_finish(bperc_i_judgement *j, const bperc_i_evidence *t,
                             const bperc_i_estimate *together);
/* Whether the estimate is inside +-tolerance: yes, no, or neither. */
bperc_claim_verdict bperc_i_within(bperc_i_judgement *j,
                                   const bperc_i_estimate *e, double tolerance,
                                   double rate, double fail_rate);
enum { BPERC_I_VERDICTS = BPERC_UNDECIDED + 1 }; /* how many there are */

/* rule_curves.c: trend, extremum, near, bound; rule_pairs.c: order, overlap. */
bperc_i_verdict_rule bperc_i_rule_trend, bperc_i_rule_extremum,
    bperc_i_rule_order, bperc_i_rule_near, bperc_i_rule_overlap,
    bperc_i_rule_bound;

#endif
