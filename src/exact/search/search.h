/* Driving the search kernel: prefixes of the tree as tasks, limits, progress.
 *
 * The tree is cut into prefixes in the order of the search; these run on any
 * number of threads and what they find is put together in that order. */
#ifndef BPERC_EXACT_SEARCH_H
#define BPERC_EXACT_SEARCH_H

#include "bperc/exact.h"
#include "exact/search/parts.h"

typedef struct {
  bperc_i_mode mode;
  unsigned threads;
  uint64_t limit; /* most solutions */
  const bperc_exact_watch *watch;
  /* Answers. */
  bperc_i_word count; /* BPERC_I_COUNT: times 2^shift */
  size_t shift;
  bool complete;
  double share, met; /* when interrupted: share of the tree, solutions */
  uint64_t nodes;
  bool found; /* BPERC_I_FIRST */
  bperc_i_word first;
  uint64_t *list; /* BPERC_I_LIST: words of 8 or 16 bytes, in search order */
  size_t used;
} bperc_i_search;

/* Words of a list over so many columns. */
static inline size_t bperc_i_list_words(size_t columns) {
  return columns > 64 ? 2 : 1;
}

/* Draws so many solutions, uniformly and with replacement. */
typedef struct {
  size_t count;
  uint64_t seed;
  bperc_i_word *word; /* count: in the order of the draws */
} bperc_i_draw;

/* draw: NULL, or filled after a count without limit (BPERC_I_COUNT). */
bperc_status bperc_i_search_run(bperc_i_search *s,
                                const bperc_i_search_residual *r,
                                bperc_i_draw *draw);

/* Counts by merging equal states, all at once: pays when there are few
 * patterns, and gives counts that no search could visit. False when there
 * would be too many states. */
bool bperc_i_states_fit(const bperc_i_search_residual *r);
bperc_status bperc_i_states_count(const bperc_i_search_residual *r,
                                  bperc_i_word *count);
/* The same, and draws; columns that nothing binds are 0 in these. */
bperc_status bperc_i_states_draw(const bperc_i_search_residual *r,
                                 bperc_i_word *count, bperc_i_draw *draw);

/* The plain sweep: every configuration in the order of a Gray code. */
bperc_status bperc_i_gray(const bperc_instance *in, const int8_t *fixed,
                          uint64_t limit, bool keep, uint64_t *count,
                          uint64_t **list, bperc_error *error);

#endif
