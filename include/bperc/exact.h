/* Exact solution spaces: count or list every solution, and measure them.
 *
 * Search    depth-first with pruning tables, docs/exact.md; up to 128 weights
 *           that are not fixed, in instances of any size
 * Lists     sorted words, bit j is the j-th weight that is not fixed
 * Measures  marginals, correlations [BZ eqs. 6-8], clusters under single flips
 *           with x* [BZ eq. 10] and overlaps, neighbours at a distance
 *           [BZ eq. 5], distances of pairs
 * Cost      clusters, overlaps and correlations are linear in the solutions
 *
 * Nothing here depends on the number of threads.
 */
#ifndef BPERC_EXACT_H
#define BPERC_EXACT_H

#include "bperc/instance.h"
#include "bperc/options.h"
#include "bperc/order.h"

#include <stdbool.h>

#include <stdio.h>

BPERC_C_BEGIN

/* name, default, value of the paper, range, meaning */
#define BPERC_EXACT_OPTIONS(X)                                                 \
  X(CHOICE, method, 0, 0, "search|gray",                                       \
    "search prunes; gray sweeps every configuration as in [BZ app. G]")        \
  X(INT, limit, 0, 0, 0, 1e18, "stop after so many solutions; 0: no limit")    \
  X(REAL, memory, 8, 8, 0.001, 1e6, "most gigabytes for the list of solutions")

BPERC_OPTIONS_DECLARE(bperc_exact_options, BPERC_EXACT_OPTIONS);
/* Their table; constant. */
BPERC_API bperc_option_table bperc_exact_option_table(void);

enum { BPERC_EXACT_SEARCH, BPERC_EXACT_GRAY };

/* Told now and then how far a search is: the share of the search tree that is
 * done, every branching halving the share of its node, and the solutions met.
 * The share never falls and ends at 1. Called by one thread at a time. */
typedef struct {
  void (*tell)(void *context, double share, double found);
  void *context;
} bperc_exact_watch;

/* ---- numbers of solutions: up to 2^128 */

typedef struct {
  uint64_t word[3]; /* least significant first */
} bperc_count;

enum { BPERC_COUNT_TEXT = 64 };

/* A count from a number, its logarithm, and the nearest double. */
BPERC_API bperc_count bperc_count_from(uint64_t x);
BPERC_API double bperc_count_log(bperc_count c); /* -infinity for 0 */
BPERC_API double bperc_count_real(bperc_count c);
/* Decimal digits; returns text. */
BPERC_API const char *bperc_count_text(bperc_count c,
                                       char text[BPERC_COUNT_TEXT]);

typedef struct {
  bperc_count count;
  bool complete;      /* false: a limit was reached, there may be more */
  bool contradiction; /* seen without search: */
  size_t conflicting_pattern; /* this pattern cannot be satisfied */
  uint64_t nodes; /* nodes of the search tree, 0 when none was needed */
} bperc_exact_answer;

/* How the work on a solution space is done; what a function has no use for is
 * not looked at. All zero, or NULL in place of it: nothing is fixed, all cores,
 * nobody is told. */
typedef struct {
  const int8_t *fixed; /* n values 0, 1 or -1 (not fixed); NULL: all -1 */
  uint64_t seed;       /* of what is drawn */
  unsigned threads;    /* 0: all cores */
  const bperc_exact_watch *watch; /* NULL: nobody */
} bperc_space_options;

/* After a failure *out counts nothing and is not complete. */
BPERC_API bperc_status bperc_exact_count(const bperc_instance *in,
                                         const bperc_exact_options *options,
                                         const bperc_space_options *how,
                                         bperc_exact_answer *out,
                                         bperc_error *error);

/* Counts, and draws so many solutions, uniformly and with replacement, from
 * spaces that may be too large to list: weights gets count bit vectors of n
 * bits each, nothing when there is no solution. The same seed draws the same
 * ones for any number of threads. After a failure *out counts nothing, and
 * weights hold nothing of use. */
BPERC_API bperc_status bperc_exact_sample(const bperc_instance *in,
                                          const bperc_space_options *how,
                                          size_t count, uint64_t *weights,
                                          bperc_exact_answer *out,
                                          bperc_error *error);

/* ---- the least number of errors */

typedef struct {
  uint64_t cost;  /* of the best weights met; the bound `below` when none */
  uint64_t floor; /* no weights cost less; equal to cost when proven */
  bool found;     /* weights were found */
  bool proven;    /* the search came to its end */
  uint64_t nodes;
} bperc_least_errors;

/* All zero, or NULL in place of it: nothing is fixed, every pattern counts 1,
 * the search goes on until it is proven. */
typedef struct {
  const int8_t *fixed;  /* n values 0, 1 or -1 (not fixed); NULL: all -1 */
  const uint32_t *cost; /* m positive numbers; NULL: every pattern counts 1 */
  uint64_t below;       /* only weights that cost less are looked for; 0: any */
  uint64_t max_nodes;   /* 0: until proven */
} bperc_least_options;

/* Weights that violate patterns of the least cost in all, by branch and bound:
 * for up to about 60 weights that are not fixed, at most 128. weights: room for
 * a bit vector of n bits, written when found; or NULL. After a failure nothing
 * is found. */
BPERC_API bperc_status bperc_exact_least_errors(const bperc_instance *in,
                                                const bperc_least_options *how,
                                                uint64_t *weights,
                                                bperc_least_errors *out,
                                                bperc_error *error);

/* ---- proofs that others can check */

typedef struct {
  int proven;
  uint64_t errors; /* the fewest: of the best weights met; m: none were */
  uint64_t conflicts;
} bperc_proof_result;

/* Writes a proof in the format of VeriPB into a stream: that the instance, as
 * BPERC_FORMAT_OPB writes it, has no solution; or, fewest not 0, of the fewest
 * errors, the objective of BPERC_FORMAT_OPB_SOFT. weights: a bit vector to
 * begin with, which gets the best weights met; or NULL. Any number of weights;
 * it ends when proven or when bperc_cancel() is called, or when there is a
 * solution, so that nothing is to be proven. */
BPERC_API bperc_status bperc_exact_prove(const bperc_instance *in, int fewest,
                                         uint64_t *weights, FILE *stream,
                                         bperc_proof_result *out,
                                         bperc_error *error);

/* ---- lists of solutions */

typedef struct bperc_solutions {
  size_t n;         /* weights of the instance */
  size_t columns;   /* weights described by the words */
  uint32_t *column; /* their indices, ascending */
  int8_t *fixed;    /* n: 0, 1, or -1 where the words say */
  uint64_t live[2]; /* columns that count as not fixed: all, until filtered */
  size_t unfixed;   /* how many these are */
  size_t words;     /* 64-bit words per solution: 1, or 2 above 64 columns */
  size_t count;
  uint64_t *bits; /* count * words, ascending */
  bool complete;  /* false: a limit was reached, these are some of them */
} bperc_solutions;

/* At most 128 weights may be left unfixed. A limit gives a list that is not
 * complete, and BPERC_OK. After a failure *out is NULL. */
BPERC_API bperc_status bperc_exact_list(const bperc_instance *in,
                                        const bperc_exact_options *options,
                                        const bperc_space_options *how,
                                        bperc_solutions **out,
                                        bperc_error *error);
BPERC_API void bperc_solutions_free(bperc_solutions *s); /* NULL is fine */

/* Those with w_weight = value, which is fixed from then on. origin: NULL, or
 * gets the position in s of every solution kept (room for s->count). */
BPERC_API bperc_status bperc_solutions_filter(const bperc_solutions *s,
                                              size_t weight, int value,
                                              bperc_solutions **out,
                                              uint32_t *origin);
/* All n weights of solution k, as a bit vector. */
BPERC_API void bperc_solutions_weights(const bperc_solutions *s, size_t k,
                                       uint64_t *weights);
/* Position of a configuration of all n weights; SIZE_MAX if it is not there. */
BPERC_API size_t bperc_solutions_find(const bperc_solutions *s,
                                      const uint64_t *weights);
/* NULL when all is well, otherwise what is wrong: order, padding, and (unless
 * in is NULL) every solution by plain sums. */
BPERC_API const char *bperc_solutions_check(const bperc_solutions *s,
                                            const bperc_instance *in);
/* HDF5: /solutions uint8 count x columns (packed 8 weights to a byte, first
 * weight in the lowest bit), /columns, /fixed, attributes n, count, complete;
 * /clusters when given. Appears only when complete. */
struct bperc_clusters;
BPERC_API bperc_status bperc_solutions_write(
    const bperc_solutions *s, const struct bperc_clusters *clusters,
    const char *path, bperc_error *error);
BPERC_API bperc_status bperc_solutions_read(const char *path,
                                            bperc_solutions **out,
                                            bperc_error *error);

/* ---- marginals and correlations */

/* n_i: solutions with w_i = 1, per column. */
BPERC_API void bperc_solutions_ones(const bperc_solutions *s, uint64_t *ones);

/* NAN where a mean of nothing is asked. */
typedef struct {
  double log_count, entropy; /* log |S|; per unfixed weight */
  double xcorr_mean;         /* [BZ eq. 8] */
  double xcorr_mean_square;  /* [BZ eq. 7] */
} bperc_moments;

/* marginals: NULL or room for one per column. correlations: NULL or columns x
 * columns, c_ij [BZ eq. 6]. Means are over ordered pairs of unfixed weights. */
BPERC_API bperc_status bperc_solutions_moments(const bperc_solutions *s,
                                               bperc_moments *out,
                                               double *marginals,
                                               double *correlations);

/* ---- clusters: solutions connected by flips of single unfixed weights */

typedef struct bperc_clusters {
  size_t count;
  size_t solutions;
  uint32_t *of;   /* which cluster solution k belongs to */
  uint32_t *size; /* descending; equal sizes by their first solution */
  double parisi_x, q_same, q_diff; /* NAN where undefined */
} bperc_clusters;

/* Release with bperc_clusters_free. BPERC_E_MEMORY, BPERC_E_INTERRUPTED. */
BPERC_API bperc_status bperc_clusters_new(const bperc_solutions *s,
                                          bperc_clusters **out);
/* The same for solutions connected by steps of at most so many flips, 1 or
 * 2. */
BPERC_API bperc_status bperc_clusters_within(const bperc_solutions *s,
                                             size_t flips,
                                             bperc_clusters **out);
BPERC_API void bperc_clusters_free(bperc_clusters *c); /* NULL is fine */
/* Frozen weights: out[g] is how many unfixed weights have one value in all of
 * cluster g; room for c->count. */
BPERC_API bperc_status bperc_clusters_frozen(const bperc_clusters *c,
                                             const bperc_solutions *s,
                                             uint32_t *out);
/* Mean overlap between solutions of clusters g and h, for the `most` largest:
 * out is most x most, pairs drawn with replacement. */
BPERC_API bperc_status bperc_clusters_overlaps(const bperc_clusters *c,
                                               const bperc_solutions *s,
                                               size_t most, double *out);
/* k index [BZ eq. 11]: mean log size of the clusters c of the solutions listed
 * in origin (NULL: of all), per weight of the instance. */
BPERC_API double bperc_clusters_k_index(const bperc_clusters *c, size_t n,
                                        const uint32_t *origin, size_t count);

/* ---- neighbours */

typedef enum {
  BPERC_NEAR_CHOOSE,    /* by cost */
  BPERC_NEAR_PAIRS,     /* all pairs */
  BPERC_NEAR_TREE,      /* pairs of branches of the list that can meet */
  BPERC_NEAR_TRANSFORM, /* over all configurations, column by column */
} bperc_near_method;

/* out[k * (most + 1) + d]: solutions at distance d from solution k, d = 0 ..
 * most; room for count * (most + 1). */
BPERC_API bperc_status bperc_solutions_near(const bperc_solutions *s,
                                            size_t most,
                                            bperc_near_method method,
                                            uint32_t *out);
/* The same around any configuration of all n weights; weights fixed in the
 * list count towards the distance. out: most + 1. */
BPERC_API void bperc_solutions_around(const bperc_solutions *s,
                                      const uint64_t *weights, size_t most,
                                      uint64_t *out);
/* Local entropy [BZ eq. 5] at distances 1 .. most, averaged over the solutions
 * listed in origin (NULL: all), near from bperc_solutions_near; out: most. */
BPERC_API void bperc_near_entropy(const uint32_t *near, size_t most, size_t n,
                                  const uint32_t *origin, size_t count,
                                  double *out);
/* Unordered pairs of different solutions by distance: out has columns + 1. */
BPERC_API bperc_status bperc_solutions_distances(const bperc_solutions *s,
                                                 bperc_near_method method,
                                                 uint64_t *out);

/* ---- exact measures along an order */

/* NAN where undefined or not known. */
typedef struct {
  size_t fixed; /* weights fixed */
  bperc_count count;
  double log_count, entropy; /* entropy per unfixed weight */
  double xcorr_mean, xcorr_mean_square;
  double parisi_x, q_same, q_diff;
  size_t clusters;
  uint32_t largest;        /* largest cluster */
  double k_index;          /* needs the full space */
  double local_entropy[3]; /* at distances 1, 2, 3; needs the full space */
} bperc_exact_step;

/* What is taken in the full space s besides the measures of each subspace. */
typedef enum {
  BPERC_ALONG_ALONE,    /* nothing: s is not the full space */
  BPERC_ALONG_FULL,     /* k index and local entropies */
  BPERC_ALONG_CLUSTERS, /* k index only: cheaper */
} bperc_along;

/* Measures of the solutions left when the first from, from + 1, ... weights of
 * an order are fixed: steps has room for order->fixed - from + 1. s is the list
 * with the first `from` of them fixed. order NULL: of s alone, one step. Orders
 * may name weights that s has fixed already; BPERC_E_ARGUMENT if at another
 * value. After a failure the steps before it are done. */
BPERC_API bperc_status bperc_exact_along(const bperc_solutions *s,
                                         bperc_along full,
                                         const bperc_order *order, size_t from,
                                         bperc_exact_step *steps,
                                         bperc_error *error);

BPERC_C_END

#endif
