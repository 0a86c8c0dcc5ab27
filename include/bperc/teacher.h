/* Theory of learning from a teacher: planted weights, labels that they give.
 *
 * Model    N weights of a teacher, each bit 1 with probability Q; alpha N
 *          random patterns with the teacher's labels, each label flipped with
 *          probability `noise`; the student knows all of this, N -> inf
 * Method   replica symmetry, which is exact on this (Nishimori) line; state
 *          evolution of approximate message passing
 * Source   Gyorgyi, Phys. Rev. A 41, 7097 (1990) for weights -1, +1;
 *          docs/theory.md 8
 * Threads  all calls are independent and keep no state
 */
#ifndef BPERC_TEACHER_H
#define BPERC_TEACHER_H

#include "bperc/theory.h"

BPERC_C_BEGIN

typedef struct {
  bperc_theory_weights weights; /* BPERC_THEORY_01 or BPERC_THEORY_ISING */
  double mean;      /* 0, 1: probability Q of a one; not used for ISING */
  int exact_inputs; /* 0, 1: every input has the same number of ones, so that
                       the mean weight adds nothing; else it is the part of a
                       sum that every student knows */
  double alpha;     /* patterns per weight; not used by thresholds */
  double fout;      /* probability of label 1; 0 stands for 1/2 */
  double noise;     /* probability of a wrong label, 0 to below 1/2 */
  double band;      /* above 0: label 1 wants |sum| <= band, in units of
                       sqrt(N variance of an input); then fout is not used */
} bperc_teacher_model;

/* A fixed point of state evolution. overlap = (1/N) sum_i <w_i> w*_i, from the
 * square of the mean weight up to the mean square weight. */
typedef struct {
  double overlap;
  double error_bayes; /* of the best guess of the label of a new pattern */
  double error_gibbs; /* of one student drawn from the posterior */
  double entropy;     /* per weight: log of the weight of this state over that
                         of the teacher alone; without noise the entropy of
                         compatible weights */
} bperc_teacher_state;

typedef struct {
  bperc_teacher_state best; /* of the largest entropy: Bayes-optimal */
  bperc_teacher_state amp;  /* reached from no knowledge */
  double alpha_it;          /* from here on the teacher is the best state */
  double alpha_amp;         /* above it message passing finds the teacher */
  double residual, quadrature_error;
} bperc_teacher_answer;

/* Thresholds of the model, and its states at model->alpha. */
BPERC_API bperc_status
bperc_teacher_generalisation(const bperc_teacher_model *model,
                             bperc_teacher_answer *out, bperc_error *error);

/* State evolution: overlap and errors before the first step and after each of n
 * steps, n + 1 states, entropies NaN. With a band the first step starts from
 * a sign known by chance: a relative overlap of `start`. */
BPERC_API bperc_status bperc_teacher_evolution(const bperc_teacher_model *model,
                                               double start, size_t n,
                                               bperc_teacher_state *states,
                                               bperc_error *error);

BPERC_C_END

#endif
