/* What `enumerate` measures of a solution space, and how it says so. */
#ifndef BPERC_CLI_SPACE_H
#define BPERC_CLI_SPACE_H

#include "cli.h"

/* Without --full, what costs more than all the rest is measured only up to so
 * many solutions, or weights of a space that is listed for its sake alone. */
enum {
  CLI_SPACE_LOCAL = 100000,           /* solutions: local entropies */
  CLI_SPACE_CORRELATED = 10000000,    /* solutions: correlations */
  CLI_SPACE_FULL_SOLUTIONS = 1000000, /* with --fix: solutions and */
  CLI_SPACE_FULL_WEIGHTS = 40         /* weights of the full space */
};

#define CLI_SPACE_ROWS(X)                                                      \
  X(FLAG, count_only, 0, 0, "only count, list nothing")                        \
  X(FLAG, pairs, 0, 0, "histogram of the distances of all pairs")              \
  X(INT, distance, 3, 3, 0, 128,                                               \
    "local entropies up to this distance; 0: none")                            \
  X(FLAG, correlations, 0, 0, "the full matrix of correlations, key `xcorr`")  \
  X(OPEN_INT, overlaps, 0, 0, 4096, "default: none",                           \
    "mean overlaps between so many of the largest clusters")                   \
  X(INT, flips, 1, 1, 1, 2,                                                    \
    "clusters: solutions connected by steps of up to so many flips")           \
  X(INT, sample, 0, 0, 0, 1e8,                                                 \
    "count, and draw so many solutions uniformly; 0: list all")                \
  X(FLAG, full, 0, 0,                                                          \
    "local entropies, correlations and k index whatever they cost")            \
  X(TEXT, list, "F.h5", "write all solutions and their clusters to this file") \
  X(TEXT, around, "WEIGHTS",                                                   \
    "also count the solutions at each distance from these weights")
BPERC_OPTIONS_DECLARE(cli_space_wishes, CLI_SPACE_ROWS);

/* The full space, of which the one asked about may be a part. */
typedef struct {
  bperc_solutions *s;
  bperc_clusters *c;
  uint32_t *origin; /* position in s of every solution asked about */
} cli_full_space;

typedef struct {
  const bperc_instance *in;
  const cli_space_wishes *wish;
  const bperc_solutions *s;
  bperc_clusters *c;
  uint32_t *frozen;    /* weights, per cluster */
  cli_full_space full; /* empty when nothing is fixed, or not listed */
  bool partial;        /* some weights are fixed */
  bperc_moments moments;
  double k_index;
  double *marginals, *correlations, *overlaps;
  double *entropy; /* local; NULL when not measured */
  uint32_t *near;  /* rows of the full space */
  uint64_t *distances, *around;
  size_t shown; /* clusters in the table of overlaps */
} cli_space;

/* Everything that is wished for. search and threads are for the full space. */
bperc_status cli_space_measure(cli_space *x, const bperc_exact_options *search,
                               unsigned threads, bperc_error *error);
void cli_space_clear(cli_space *x);

/* Position of solution k in the list that `near` is about. */
static inline size_t cli_space_row(const cli_space *x, size_t k) {
  return x->full.origin ? x->full.origin[k] : k;
}

void cli_space_json(json_t *root, const cli_space *x);
void cli_space_print(const cli_space *x);

#endif
