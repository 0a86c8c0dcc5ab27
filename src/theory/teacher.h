/* Parts of the theory of teacher and student: private.
 *
 * Everything is written for bits b with P(1) = Q. Weights -1, +1 are Q = 1/2
 * with inputs without mean weight: w = 2b - 1.
 */
#ifndef BPERC_SRC_THEORY_TEACHER_H
#define BPERC_SRC_THEORY_TEACHER_H

#include "bperc/teacher.h"

/* What the integrals need of a model. */
typedef struct {
  double mean;  /* Q */
  double known; /* Q^2 when the sums do not feel the mean weight, else 0 */
  double alpha, noise;
  double threshold; /* of a sum of variance 1 */
  double band;      /* of a sum whose variance is <b^2> - known; 0: none */
} bperc_i_planted;

bperc_status bperc_i_planted_make(const bperc_teacher_model *model,
                                  bperc_i_planted *out, bperc_error *error);

/* Weights after a message of strength r. gap = <b^2> - overlap. */
typedef struct {
  double gap, free; /* free: log of the partition function per weight */
} bperc_i_planted_site;

bperc_i_planted_site bperc_i_planted_weights(const bperc_i_planted *p, double r,
                                             int finer);

/* Labels, at this gap. */
typedef struct {
  double information; /* sum over labels of Int DV P'^2/P: r = alpha times this
                         over gap */
  double log_p;       /* sum over labels of Int DV P log P */
} bperc_i_planted_labels;

bperc_i_planted_labels bperc_i_planted_patterns(const bperc_i_planted *p,
                                                double gap, int finer);

/* Errors on a new pattern whose label is not flipped. */
bperc_status bperc_i_planted_errors(const bperc_i_planted *p, double gap,
                                    double *bayes, double *gibbs);

#endif
