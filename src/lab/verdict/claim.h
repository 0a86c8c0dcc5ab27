/* Claims as they are read: every test is checked and typed once, here.
 *
 *   [claim F2.2]
 *   text = A_opt falls with f_in
 *   expected = decreases
 *   quote = the optimal threshold decreases with the coding level
 *   source = paper
 *   place = section II, figure 2b
 *   test = trend table=optimum y=a x=fin direction=down
 */
#ifndef BPERC_JUDGE_CLAIM_H
#define BPERC_JUDGE_CLAIM_H

#include "bperc/lab/verdict.h"
#include "lab/table/filter.h"

typedef struct {
  bperc_rule rule;
  const char *name; /* of the rule */
  size_t line;
  bperc_i_table_source a;    /* table and y, or the low side, or a */
  bperc_i_table_source b;    /* the high side, or b */
  bperc_i_table_source c, d; /* low and high of a share */
  const char *x;             /* NULL: none */
  bperc_i_names by, match;
  double value, tolerance, fraction, share; /* NAN: not given */
  int sign;                                 /* direction: 1 up, -1 down */
  int pooled, median;
  char *words; /* that the names point into */
} bperc_i_test;

typedef struct {
  const char *id, *text, *expected;
  bperc_claim_source source;
  const char *quote, *place, *why; /* "": none */
  double rate;                     /* chance of a wrong verdict */
  bperc_i_test *tests;
  size_t count;
} bperc_i_claim;

typedef struct {
  bperc_i_ini ini; /* that texts point into */
  bperc_i_claim *claims;
  size_t count;
} bperc_i_claim_list;

/* Reads a text of claims; names of tables must come from the plan. */
bperc_status bperc_i_claims_parse(const bperc_experiment *x, const char *path,
                                  const char *text, size_t size,
                                  bperc_i_claim_list *out, bperc_error *error);
void bperc_i_claims_clear(bperc_i_claim_list *list);
void bperc_i_claim_clear(bperc_i_claim *claim);

/* One test, "rule key=value ...": test.c. */
bperc_status bperc_i_test_parse(const bperc_i_ini *ini, const bperc_i_entry *e,
                                bperc_i_test *out, bperc_error *error);
/* Whether a table "b.order" comes from block or derived table b. */
int bperc_i_comes_from(const char *table, const char *name);
/* The sources a test has; returns how many. */
size_t bperc_i_test_sources(const bperc_i_test *t,
                            const bperc_i_table_source *out[4]);

#endif
