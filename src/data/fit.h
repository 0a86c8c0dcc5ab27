/* A fit at work, shared by its files. */
#ifndef BPERC_ANALYSIS_FIT_STATE_H
#define BPERC_ANALYSIS_FIT_STATE_H

#include "bperc/fit.h"
#include "data/polish.h"
#include "data/score.h"

#include <pthread.h>

enum {
  BPERC_I_FIT_GRID = 64,   /* most thresholds, and most margins */
  BPERC_I_FIT_CHOICES = 4, /* most settings that train on all patterns */
  BPERC_I_FIT_TRIALS = BPERC_I_FIT_GRID * BPERC_I_FIT_GRID + 4 /* refined */
};

typedef struct {
  bperc_score score;
  double cost; /* by class and row */
} bperc_i_fit_judged;

typedef struct {
  const bperc_instance *in;
  bperc_fit_options how;
  double low, high; /* sums that are possible */
  double cost[2];   /* of an error on label 0, 1 */
  size_t copies[2]; /* of each pattern while training */
  uint32_t *fold;   /* of each pattern */
  size_t folds;     /* 1: no validation */
  bperc_fit_trial *tried;
  size_t tried_count, tried_from; /* the trials of this round begin there */
  bperc_fit_trial choice[BPERC_I_FIT_CHOICES]; /* best first */
  size_t choices;
  bperc_i_fit_judged *judged; /* one per trial of the round and fold */
  uint64_t **weights;         /* of the final runs */
  bperc_i_quality *quality;
  int polish; /* runs end with smaller margins, for few training errors */
  uint8_t *row_copies;  /* of each pattern, by its weight; NULL: 1 */
  pthread_mutex_t lock; /* of what follows: the least training cost so far */
  uint64_t *so_far;
  bperc_fit_trial so_far_setting;
} bperc_i_fit;

/* ---- fit_runs.c */

bperc_status bperc_i_fit_costs(bperc_i_fit *f, bperc_error *error);
/* Whether errors of both labels cost the same: then the fewest errors are the
 * least cost, else copies only come near it. */
static inline int bperc_i_fit_equal(const bperc_i_fit *f) {
  return f->cost[0] == f->cost[1];
}
/* Equal shares of both labels, in an order drawn by seed. */
bperc_status bperc_i_fit_folds(bperc_i_fit *f, bperc_error *error);

typedef enum { BPERC_I_FIT_TRAINING, BPERC_I_FIT_HELD_OUT } bperc_i_fit_rows;

/* The patterns in or outside a fold (fold = folds: all of them), with another
 * threshold and margin. */
bperc_status bperc_i_fit_part(const bperc_i_fit *f, size_t fold,
                              bperc_i_fit_rows which,
                              const bperc_fit_trial *setting,
                              bperc_instance **out, bperc_error *error);
/* Of equal inputs with different labels the fewer ones are errors, whatever
 * weights and threshold. */
bperc_status bperc_i_fit_unavoidable(const bperc_instance *in, size_t *out);
/* The best weights of SBPI: with the fewest patterns inside the margin, or
 * polished, with the fewest errors. */
bperc_status bperc_i_fit_train(const bperc_i_fit *f, const bperc_instance *in,
                               uint64_t steps, uint64_t index,
                               uint64_t **weights, bperc_i_quality *quality,
                               bperc_error *error);
/* Weights that a run has found, finished or not: the best so far are kept. */
void bperc_i_fit_note(bperc_i_fit *f, const bperc_fit_trial *setting,
                      const uint64_t *weights);
/* Sums of held-out patterns, m of them or those of `others`. */
bperc_status bperc_i_fit_held_out(bperc_i_fit *f,
                                  const bperc_fit_trial *setting, int64_t *sums,
                                  bperc_error *error);
/* All settings of a round, over threads. */
bperc_status bperc_i_fit_round(bperc_i_fit *f, bperc_error *error);

/* ---- fit_settings.c */

/* Lower cost, or the larger margin of equal costs. */
int bperc_i_fit_better(const bperc_fit_trial *a, const bperc_fit_trial *b);
/* The best of the trials from one on, the first of equal ones. */
size_t bperc_i_fit_best(const bperc_i_fit *f, size_t from);
/* Tries a grid, then settings around the best of it. */
bperc_status bperc_i_fit_scan(bperc_i_fit *f, bperc_error *error);

#endif
