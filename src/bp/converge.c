/* Iterating to a fixed point. */
#include "bp/graph.h"
#include "bp/state.h"

#include <math.h>

/* Damping when none is given: the uniform mode apart allows large steps; the
 * paper's values otherwise [BZ appendix B]. */
#define SPLIT_DAMPING 0.4
/* Split updates are given up when the residual has not fallen to the second of
 * these for so many iterations: slower than that nothing would come of them. */
#define PATIENCE 200
#define FALL 0.9
/* Plain damping is given up after so many times 1/f, and not before so many
 * iterations; only by the residual: the criteria of [BZ] run to their end. */
#define DAMPED_PATIENCE 20
#define LEAST_PATIENCE 400

static double damping(const bperc_bp_options *opt, const bperc_instance *in,
                      int split) {
  if (opt->damping > 0)
    return opt->damping;
  if (split)
    return SPLIT_DAMPING;
  if (in->a > 0 && in->a <= 12)
    return 0.02;
  return in->n >= 2500 ? 0.002 : 0.05;
}

double bperc_i_bp_damping(const bperc_bp *bp, int split) {
  return damping(&bp->opt, bp->in, split);
}

static double tolerance(const bperc_bp_options *opt, int fast) {
  if (opt->tolerance > 0)
    return opt->tolerance;
  switch (opt->criterion) {
  case BPERC_BP_ENTROPY:
    return BPERC_I_ENTROPY_CHANGE;
  case BPERC_BP_FIELDS:
    return 6.5e-5;
  default:
    return fast ? 1e-4 : 1e-10;
  }
}

void bperc_i_bp_choose(const bperc_instance *in, bperc_bp_options *opt) {
  int fast = bperc_i_bp_is_fast(opt, in);
  opt->damping = damping(opt, in, opt->update == BPERC_BP_SPLIT);
  opt->tolerance = tolerance(opt, fast);
  if (in->m > 0) /* the choice of the kernel depends on the patterns */
    opt->kernel = fast ? BPERC_BP_KERNEL_FAST : BPERC_BP_KERNEL_PLAIN;
}

void bperc_bp_step(bperc_bp *bp) {
  int split = bp->opt.update == BPERC_BP_SPLIT;
  double f = bperc_i_bp_damping(bp, split);
  bperc_i_bp_sweep(bp, f, 0);
  bperc_i_bp_relax(bp, f, split);
}

/* Whether the last sweep meets the criterion; *last is the entropy before. */
static int converged(const bperc_bp *bp, double *last) {
  double now = bperc_i_bp_swept_entropy(bp);
  double change = fabs(now - *last), least = tolerance(&bp->opt, bp->fast);
  switch (bp->opt.criterion) {
  case BPERC_BP_ENTROPY:
    *last = now;
    return change < least;
  case BPERC_BP_FIELDS:
    return bp->moved < least;
  default:
    return bp->residual < least;
  }
}

static uint64_t patience(const bperc_bp *bp, int split, double f) {
  if (split)
    return PATIENCE;
  if (bp->opt.criterion != BPERC_BP_RESIDUAL)
    return UINT64_MAX;
  return (uint64_t)fmax(LEAST_PATIENCE, DAMPED_PATIENCE / f);
}

/* Up to `most` iterations in one way; 1 when converged. */
static int iterate(bperc_bp *bp, int split, uint64_t most,
                   bperc_bp_report *report) {
  double f = bperc_i_bp_damping(bp, split), last = INFINITY, best = INFINITY;
  uint64_t since = 0, longest = patience(bp, split, f);
  int entropy = bp->opt.criterion == BPERC_BP_ENTROPY;
  for (uint64_t t = 0; t < most && !bperc_cancelled(); t++) {
    bperc_i_bp_sweep(bp, f, entropy);
    report->iterations++;
    if (converged(bp, &last))
      return 1;
    bperc_i_bp_relax(bp, f, split);
    since++;
    if (bp->residual < FALL * best) {
      best = bp->residual;
      since = 0;
    }
    if (!isfinite(bp->residual) || since > longest) {
      report->stalled = 1;
      return 0;
    }
  }
  return 0;
}

bperc_status bperc_bp_converge(bperc_bp *bp, bperc_bp_report *report) {
  bperc_bp_report mine = {.method = BPERC_BP_BY_NONE};
  uint64_t most = (uint64_t)bp->opt.max_iterations;
  int split = bp->opt.update == BPERC_BP_SPLIT;
  if (split && iterate(bp, 1, most, &mine))
    mine.method = BPERC_BP_BY_SPLIT;
  if (!isfinite(bp->residual))
    bperc_bp_restart(bp, 0);
  if (mine.method == BPERC_BP_BY_NONE && mine.iterations < most) {
    mine.stalled = 0;
    if (iterate(bp, 0, most, &mine))
      mine.method = BPERC_BP_BY_DAMPED;
  }
  mine.converged = mine.method != BPERC_BP_BY_NONE;
  mine.residual = bp->residual;
  if (report)
    *report = mine;
  return bperc_cancelled() ? BPERC_E_INTERRUPTED : BPERC_OK;
}
