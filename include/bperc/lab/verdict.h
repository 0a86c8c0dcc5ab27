/* Judges: tables in, verdicts out.
 *
 * A judge has the claims of an experiment (docs/sweeps.md). It also computes
 * what the plan derives from its tables, for claims ask about that.
 */
#ifndef BPERC_LAB_VERDICT_H
#define BPERC_LAB_VERDICT_H

#include "bperc/lab/table.h"

BPERC_C_BEGIN

typedef struct bperc_judge bperc_judge;

/* Reads `claims` in the folder of the experiment; without it nothing is
 * claimed. */
BPERC_API bperc_status bperc_judge_read(const bperc_experiment *x,
                                        bperc_judge **out, bperc_error *error);
/* From memory; claims may be NULL. `path` is for messages. */
BPERC_API bperc_status bperc_judge_parse(const bperc_experiment *x,
                                         const char *path, const char *claims,
                                         size_t size, bperc_judge **out,
                                         bperc_error *error);
BPERC_API void bperc_judge_free(bperc_judge *judge); /* NULL is fine */
/* Whether the claims in a folder have one of this id, in capitals or not:
 * looked up without reading the plan or checking anything. 0 or 1, or
 * BPERC_E_MEMORY. */
BPERC_API int bperc_claims_mention(const char *folder, const char *id);
/* Whether one of the claims has this id, in capitals or not. */
BPERC_API int bperc_judge_has(const bperc_judge *judge, const char *id);
/* Leaves out all claims but these, and all blocks of x that they do not need.
 * A part has no picture, for that shows all blocks. */
BPERC_API void bperc_judge_narrow(bperc_judge *judge, bperc_experiment *x,
                                  const char *const *ids, size_t count);

/* The tables of a store with all that the plan computes from them. */
BPERC_API bperc_status bperc_judge_tables(const bperc_experiment *x,
                                          bperc_store *store, bperc_scale scale,
                                          uint64_t seed, bperc_tables **out,
                                          bperc_error *error);

/* ---- claims */

typedef enum {
  BPERC_HOLDS,
  BPERC_FAILS,
  BPERC_UNDECIDED,
} bperc_claim_verdict;
/* "holds", "fails", "undecided"; constant. */
BPERC_API const char *bperc_claim_verdict_name(bperc_claim_verdict verdict);

typedef struct {
  char *measured; /* numbers with error bars, a sentence */
  bperc_claim_verdict verdict;
} bperc_claim_test;

typedef struct {
  char *id, *text, *expected;
  char *quote;    /* words of the paper; "" when the claim gives none */
  size_t line;    /* of the paper; 0 when the claim gives none */
  char *measured; /* of all tests; what does not hold is marked */
  bperc_claim_verdict verdict;
  bperc_claim_test *tests; /* none in tables that were saved */
  size_t test_count;
} bperc_claim;

typedef struct {
  bperc_claim *claims;
  size_t count;
} bperc_claims;

/* Verdicts on all claims of the judge; clear *out with bperc_claims_clear.
 * BPERC_E_MEMORY. */
BPERC_API bperc_status bperc_judge_claims(const bperc_judge *judge,
                                          const bperc_tables *tables,
                                          bperc_claims *out,
                                          bperc_error *error);
BPERC_API void bperc_claims_clear(bperc_claims *claims);
/* The tasks behind a claim: one line per instance and number. BPERC_E_ARGUMENT
 * when there is no such claim, BPERC_E_MEMORY in the middle of the list. */
BPERC_API bperc_status bperc_judge_list(const bperc_judge *judge,
                                        const bperc_tables *tables,
                                        const char *id, FILE *out,
                                        bperc_error *error);

/* Tells every block whose costly results (bperc/measure.h) are measured and
 * named neither by a claim, nor by a formula or derived table of the plan, nor
 * by its plot script. Without a script, or of a part, nothing is told: all
 * tables may be wanted. */
typedef void bperc_unused_tell(void *context, const char *plan, size_t line,
                               const char *block,
                               const bperc_measure_costly *results);
BPERC_API void bperc_judge_unused(const bperc_judge *judge,
                                  const bperc_experiment *experiment,
                                  bperc_unused_tell *tell, void *context);

/* ---- how often the rules are wrong */

typedef struct {
  size_t draws; /* of each row; 0: 2000 */
  uint64_t seed;
} bperc_null_options;

/* One rule on one kind of made-up data with so many instances; the truth is on
 * the edge of what the rule asks for. */
typedef struct {
  const char *rule, *data;
  size_t instances, draws, holds, fails; /* both verdicts are wrong */
  double rate;                           /* what the rule states of either */
} bperc_null_rate;
typedef void bperc_null_watch(void *context, const bperc_null_rate *row);

/* Calls watch with every row. options NULL: the defaults. */
BPERC_API bperc_status bperc_judge_null_rates(const bperc_null_options *options,
                                              bperc_null_watch *watch,
                                              void *context,
                                              bperc_error *error);

BPERC_C_END

#endif
