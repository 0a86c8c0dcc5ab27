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
/* Shares the rate of every claim evenly among so many looks at data that grow
 * until a verdict is clear: whenever one stops, the chance of a wrong one stays
 * below the rate (the sum of those of all looks). Once, before judging. */
BPERC_API void bperc_judge_looks(bperc_judge *judge, unsigned looks);
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

/* Whose claim it is: two tallies, never one. */
typedef enum { BPERC_PAPER, BPERC_OURS } bperc_claim_source;
/* "paper", "ours"; constant. */
BPERC_API const char *bperc_claim_source_name(bperc_claim_source source);

/* What a test asks for (docs/sweeps.md). */
#define BPERC_RULES(X)                                                         \
  X(TREND, trend)                                                              \
  X(MAXIMUM, maximum)                                                          \
  X(MINIMUM, minimum)                                                          \
  X(ORDER, order)                                                              \
  X(NEAR, near)                                                                \
  X(OVERLAP, overlap)                                                          \
  X(BELOW, below)                                                              \
  X(ABOVE, above)

/* What a number stands for in its test. */
#define BPERC_NUMBER_ROLES(X)                                                  \
  X(SERIES, series)     /* one series of the table */                          \
  X(TOGETHER, together) /* all of them as one */                               \
  X(TOP, top)           /* the extremum of a series, then its two ends */      \
  X(FIRST, first)                                                              \
  X(LAST, last)                                                                \
  X(LEAST, least)     /* the least clear of all points */                      \
  X(LARGEST, largest) /* the largest difference of all points */

#define BPERC_NUMBER_KINDS(X)                                                  \
  X(MEAN, mean)                                                                \
  X(SHARE, share) /* of instances: `hits` of them */                           \
  X(MEDIAN, median)                                                            \
  X(SLOPE, slope)                                                              \
  X(DIFFERENCE, difference)                                                    \
  X(FEW_POINTS, few_points)     /* no number: too few points */                \
  X(SINGLE_VALUE, single_value) /* no number: a point has a single value */    \
  X(EMPTY, empty)               /* no number: no row has one */

/* How a number was compared with what it has to be. */
#define BPERC_NUMBER_METHODS(X)                                                \
  X(UNKNOWN, unknown) /* too little data, or not kept */                       \
  X(EXACT, exact)     /* nothing random in it */                               \
  X(STUDENT, student) /* Student's t with room for skewness */                 \
  X(BINOMIAL, binomial)                                                        \
  X(SHARES, shares)   /* two shares: McNemar's or Fisher's test */             \
  X(CHANCES, chances) /* signs, flips or exchanges */

#define BPERC_NAMED(name, word) BPERC_RULE_##name,
typedef enum { BPERC_RULES(BPERC_NAMED) BPERC_RULE_COUNT } bperc_rule;
#undef BPERC_NAMED
#define BPERC_NAMED(name, word) BPERC_ROLE_##name,
typedef enum {
  BPERC_NUMBER_ROLES(BPERC_NAMED) BPERC_ROLE_COUNT
} bperc_number_role;
#undef BPERC_NAMED
#define BPERC_NAMED(name, word) BPERC_KIND_##name,
typedef enum {
  BPERC_NUMBER_KINDS(BPERC_NAMED) BPERC_KIND_COUNT
} bperc_number_kind;
#undef BPERC_NAMED
#define BPERC_NAMED(name, word) BPERC_METHOD_##name,
typedef enum {
  BPERC_NUMBER_METHODS(BPERC_NAMED) BPERC_METHOD_COUNT
} bperc_number_method;
#undef BPERC_NAMED
/* "trend", "series", "mean", "student"; constant. */
BPERC_API const char *bperc_rule_name(bperc_rule rule);
BPERC_API const char *bperc_number_role_name(bperc_number_role role);
BPERC_API const char *bperc_number_kind_name(bperc_number_kind kind);
BPERC_API const char *bperc_number_method_name(bperc_number_method method);

/* Where a number stands: fin=0.3. Of the position k in a vector also what
 * stands there: distance, 0.012. */
typedef struct {
  char *name, *text;
  char *meaning; /* NULL: it is no position */
  double value;  /* of the meaning */
} bperc_number_key;

/* A number that a test looked at. NAN: there is none, or it was not kept. */
typedef struct {
  bperc_number_role role;
  bperc_number_kind kind;
  bperc_number_method method;
  bperc_number_key *keys;
  size_t key_count;
  double estimate, error; /* standard error; 0: nothing random */
  size_t instances;       /* behind it; 0: not kept, or nothing random */
  size_t hits;            /* of a share */
  double at;              /* place of an extremum */
  double critical;        /* what the estimate has to reach to be clear */
  double chance;          /* of as much or more on the edge, where a test has
                             this instead of a critical value */
  double rate;            /* allowed chance of a wrong `clear` */
  int side; /* 1: clearly as claimed, -1: clearly not, 0: neither, or it does
               not decide alone */
} bperc_claim_number;

/* A column of a table, and what this side of a comparison alone is held to. */
typedef struct {
  char *table, *column;
  char *where; /* "n=30"; "": nothing */
} bperc_claim_side;

typedef struct {
  bperc_rule rule;
  bperc_claim_verdict verdict;
  int direction;             /* of a trend: 1 up, -1 down */
  int pooled, median;        /* need=pooled, of=median */
  bperc_claim_side sides[4]; /* the table; or low and high; or a, b, and low and
                                high of a share. column NULL: not there */
  char *x;                   /* column along a trend or to an extremum; NULL */
  double value, tolerance, share, fraction; /* NAN: not asked for */
  size_t compared, clear, against; /* numbers; of overlap within and apart */
  double
      times; /* so many times the instances would decide it. 0: it is decided,
                NAN: too few for an estimate, INFINITY: 1024 would not */
  char *not_measured; /* why; NULL: it was */
  bperc_claim_number *numbers;
  size_t number_count;
} bperc_claim_test;

typedef struct {
  char *id, *text, *expected;
  bperc_claim_source source;
  char *quote, *place; /* words of the paper, and where they stand: section and
                          figure; "" when the claim gives none */
  char *why; /* why it fails, a sentence; "" when the claim gives none */
  bperc_claim_verdict verdict;
  bperc_claim_test *tests;
  size_t test_count;
  char *said; /* without tests: a sentence, as old tables keep it; NULL */
} bperc_claim;

/* The numbers of all tests in one sentence; what does not hold is marked. To be
 * freed; NULL: no memory. */
BPERC_API char *bperc_claim_measured(const bperc_claim *claim);

typedef struct {
  bperc_claim *claims;
  size_t count;
} bperc_claims;

/* How many claims of a source have a verdict. */
BPERC_API size_t bperc_claims_tally(const bperc_claims *claims,
                                    bperc_claim_source source,
                                    bperc_claim_verdict verdict);
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

/* Tells every block whose costly results (bperc/lab/measure.h) are measured and
 * named neither by a claim, nor by a formula or derived table of the plan, nor
 * by its `picture`. Of a plan that does not say what it draws, or of a part,
 * nothing is told: all tables may be wanted. */
typedef void bperc_unused_tell(void *context, const char *plan, size_t line,
                               const char *block,
                               const bperc_measure_costly *results);
BPERC_API void bperc_judge_unused(const bperc_judge *judge,
                                  const bperc_experiment *experiment,
                                  bperc_unused_tell *tell, void *context);

BPERC_C_END

#endif
