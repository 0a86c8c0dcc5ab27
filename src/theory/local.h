/* Local entropies over a list of distances: what both kinds share. */
#ifndef BPERC_SRC_THEORY_LOCAL_H
#define BPERC_SRC_THEORY_LOCAL_H

#include "bperc/theory.h"

double bperc_i_binary_entropy(double p);

/* Check the distances and set the points to "not found". */
bperc_status bperc_i_local_prepare(const double *distances, size_t n,
                                   bperc_theory_local *points,
                                   bperc_error *error);

/* Solve one point; BPERC_E_NUMERIC leaves it "not found". */
typedef bperc_status bperc_i_local_step(void *context,
                                        bperc_theory_local *point);

typedef struct {
  bperc_i_local_step *visit;
  void *down, *up; /* contexts for distances below and above the start */
  double start;
} bperc_i_local_walk;

/* Visit the points below the start in falling order, the others in rising
 * order. BPERC_E_NUMERIC when at least one was not found. */
bperc_status bperc_i_local_visit(const bperc_i_local_walk *walk,
                                 bperc_theory_local *points, size_t n);

/* Sentence for the outcome of a walk; returns status. */
bperc_status bperc_i_local_report(bperc_status status, const char *what,
                                  double ended, bperc_error *error);

#endif
