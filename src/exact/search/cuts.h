/* Conflict-driven search with cutting planes, for any number of weights.
 *
 * A constraint is sum_k a_k l_k >= d with literals l (a variable or its
 * negation), a_k > 0. Variables are decided and what constraints force is
 * propagated; from a conflict a constraint is derived that would have
 * prevented it: the reason of every forced literal is weakened, divided with
 * rounding up, and added until one literal of the last decision is left
 * [Elffers2018]. Constraints so learned prune where single patterns do not, as
 * sums of patterns do, and every derivation is a line of a proof that others
 * can check (proof.h).
 */
#ifndef BPERC_EXACT_CUTS_H
#define BPERC_EXACT_CUTS_H

#include "bperc/instance.h"
#include "bperc/status.h"
#include "exact/search/proof.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Literal of variable v: 2 v, its negation 2 v + 1. */
typedef struct {
  uint32_t literal;
  int64_t factor; /* > 0 */
} bperc_i_cut_term;

typedef enum {
  BPERC_I_CUTS_MORE, /* the budget is spent */
  BPERC_I_CUTS_SOLVED,
  BPERC_I_CUTS_REFUTED,
  BPERC_I_CUTS_FAILED /* no memory, or cancelled */
} bperc_i_cuts_outcome;

typedef struct bperc_i_cuts bperc_i_cuts;

/* proof: NULL, or where derivations are written; borrowed. */
bperc_status bperc_i_cuts_new(size_t variables, bperc_i_proof *proof,
                              bperc_i_cuts **out);
void bperc_i_cuts_free(bperc_i_cuts *c); /* NULL is fine */

/* Adds a constraint that the proof knows by this number. Every variable at
 * most once. Between runs, too. */
bperc_status bperc_i_cuts_add(bperc_i_cuts *c, const bperc_i_cut_term *terms,
                              size_t count, int64_t degree, uint64_t id);
/* The value that a variable is first tried with. */
void bperc_i_cuts_prefer(bperc_i_cuts *c, size_t variable, bool value);

/* The patterns of an instance, constraint mu + 1 each, on its n weights. soft:
 * variable n + mu at 1 leaves pattern mu out. Room for n, or n + m variables.
 */
bperc_status bperc_i_cuts_load(bperc_i_cuts *c, const bperc_instance *in,
                               bool soft);

/* Searches until so many more conflicts. */
bperc_i_cuts_outcome bperc_i_cuts_run(bperc_i_cuts *c, uint64_t conflicts);
/* Of a solution. */
bool bperc_i_cuts_value(const bperc_i_cuts *c, size_t variable);
uint64_t bperc_i_cuts_conflicts(const bperc_i_cuts *c);

#endif
