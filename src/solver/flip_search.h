/* Weighted local search: flips of some bits, patterns with weights.
 *
 * The energy of bits is the sum over violated patterns of weight times how far
 * they are violated. A step makes the flip with the lowest energy after it
 * (also when that is higher than before), among those that were not made in the
 * last two to four steps. Where no flip lowers the energy, violated patterns
 * get heavier by 1; now and then all heavier ones get lighter by 1.
 *
 * What every flip would change is kept up to date: a step costs the patterns
 * that begin or cease to be violated or tight (slack 0), not all of them.
 */
#ifndef BPERC_SOLVER_FLIP_SEARCH_H
#define BPERC_SOLVER_FLIP_SEARCH_H

#include "bperc/instance.h"
#include "bperc/stream.h"
#include "kernels/flip_kernels.h"

#include <stdbool.h>

typedef struct {
  const bperc_i_flip_kernels *kernels;
  size_t most_sites, most_rows; /* room */
  size_t sites, rows;           /* in use */
  size_t site_words, row_words;
  /* Whether bit 1 instead of 0 raises or lowers the slack: as rows over sites,
   * and as columns over rows. */
  uint64_t *raise_row, *lower_row, *raise_site, *lower_site;
  int64_t *first_slack;               /* of a row, when it was loaded */
  bperc_i_sliced slack;               /* negative: violated */
  uint64_t *violated, *tight;         /* rows: slack < 0, slack <= 0 */
  uint64_t *was_violated, *was_tight; /* before the last flip */
  int32_t *up, *down;  /* change of the energy by 0 -> 1, 1 -> 0 */
  uint8_t *weight;     /* of a row */
  double *field;       /* of a site: what its sign should be */
  uint64_t *free_at;   /* step at which it may flip again */
  uint8_t *now, *best; /* bits; those with fewest violated */
  size_t fewest;       /* patterns that best violates */
} bperc_i_flip_search;

bperc_status bperc_i_flip_search_init(bperc_i_flip_search *s, size_t most_sites,
                                      size_t most_rows);
void bperc_i_flip_search_clear(bperc_i_flip_search *s);

/* Bits `site` (ascending or not) of these weights, all others fixed, patterns
 * that flips of them can violate. False when one is violated whatever they do;
 * the search cannot run then. Where patterns are spread over
 * processes each gets all that can be reached. fields (of all weights; NULL:
 * none) are leanings towards their signs. */
bool bperc_i_flip_search_load(bperc_i_flip_search *s, const bperc_instance *in,
                              const uint64_t *weights, const uint32_t *site,
                              size_t count, const double *fields);
/* At most so many flips; fewer when all patterns hold. True when fewer are
 * violated than at the start. Returns flips made in *made, if not NULL. */
bool bperc_i_flip_search_run(bperc_i_flip_search *s, size_t flips,
                             bperc_stream *stream, size_t *made);

#endif
