/* What messages are worth: contradictions, and entropies that cannot be.
 *
 * A Bethe entropy is taken for an answer where it lies between 0 and log 2
 * within its error. On trees it is exact. Centred messages take the sum over
 * the inputs 0 of a pattern for a Gaussian; where that sum hardly varies they
 * have fixed points that mean nothing. docs/bp.md has the measurements behind
 * the numbers below. */
#include "base/alloc.h"
#include "base/bits.h"
#include "bp/factor.h"
#include "bp/graph.h"
#include "bp/method.h"
#include "bp/state.h"
#include "model/implied.h"

#include <math.h>
#include <string.h>

/* A field beyond this, in nats, forces a weight. */
#define FORCING (BPERC_I_FORCED / 2)
/* Rounding of an entropy per weight, by kernel. */
#define PLAIN_ROUNDING 1e-9
#define FAST_ROUNDING 1e-4
/* Centred: least variance of the sum over the inputs 0 of a pattern, and of the
 * sum of all weights; error of the entropy in all, and of that per weight. */
#define LEAST_ZEROS_VARIANCE 0.25
#define LEAST_VARIANCE 1.0
#define CENTRED_ERROR 2.0
#define CENTRED_ERROR_PER_WEIGHT 0.005
/* Centred beats plain messages above this share of inputs 1, from this N on. */
#define DENSE 0.3
#define DENSE_WEIGHTS 30

const char *bperc_bp_outcome_name(bperc_bp_outcome outcome) {
  static const char *const names[] = {"converged", "unconverged",
                                      "contradiction", "doubtful"};
  return names[outcome];
}

/* ---- contradictions */

size_t bperc_bp_contradiction(bperc_bp *bp) {
  if (bp->violated == bp->in->m)
    bp->violated = bperc_i_implied_violation(bp->in, bp->fixed, bp->known);
  return bp->violated;
}

static void note_forced(const bperc_bp *bp, size_t mu, uint64_t *up,
                        uint64_t *down) {
  bperc_i_bp_workspace *w = &bp->work[0];
  const uint32_t *literals = bperc_i_bp_literals(bp, mu, w->literals);
  size_t degree = bperc_i_bp_row(bp, mu, w->slots);
  for (size_t k = 0; k < degree; k++) {
    size_t at = bp->factor[mu].at + w->slots[k];
    double u = bp->fast ? (double)bp->u32[at] : bp->u[at];
    size_t i = bp->weight_of[bperc_i_bp_column(bp, literals[k])];
    if (literals[k] >= bp->half)
      u = -u;
    if (fabs(u) > FORCING)
      bperc_i_bit_set(u > 0 ? up : down, i, 1);
  }
}

int bperc_i_bp_is_torn(const bperc_bp *bp) {
  uint64_t *up = bp->known, *down = bp->known + bp->in->words;
  if (bp->opt.centred) /* rows have messages to all weights: judged by sums */
    return 0;
  memset(up, 0, 2 * bp->in->words * sizeof *up);
  for (size_t mu = 0; mu < bp->in->m; mu++)
    if (bp->factor[mu].live)
      note_forced(bp, mu, up, down);
  for (size_t k = 0; k < bp->in->words; k++)
    if (up[k] & down[k])
      return 1;
  return 0;
}

/* ---- trees */

static size_t find_root(uint32_t *parent, size_t k) {
  while (parent[k] != k)
    k = parent[k] = parent[parent[k]];
  return k;
}

/* Whether adding the row's edges closes no cycle. Weights come first. */
static int joins_row(const bperc_bp *bp, size_t mu, uint32_t *parent) {
  bperc_i_bp_workspace *w = &bp->work[0];
  const uint32_t *literals = bperc_i_bp_literals(bp, mu, w->literals);
  size_t factor = bp->in->n + mu;
  for (size_t k = 0; k < bp->factor[mu].degree; k++) {
    size_t i = bp->weight_of[bperc_i_bp_column(bp, literals[k])];
    size_t a = find_root(parent, i), b = find_root(parent, factor);
    if (a == b)
      return 0;
    parent[a] = (uint32_t)b;
  }
  return 1;
}

/* Without memory: no. */
static int is_forest(const bperc_bp *bp) {
  size_t nodes = bp->in->n + bp->in->m;
  uint32_t *parent;
  int forest;
  if (bp->edges >= nodes || nodes > UINT32_MAX)
    return 0;
  parent = bperc_i_alloc(nodes, sizeof *parent);
  forest = parent != NULL;
  for (size_t k = 0; forest && k < nodes; k++)
    parent[k] = (uint32_t)k;
  for (size_t mu = 0; forest && mu < bp->in->m; mu++)
    if (bp->factor[mu].live)
      forest = joins_row(bp, mu, parent);
  bperc_i_free(parent);
  return forest;
}

/* ---- centred */

static double weight_variance(const bperc_bp *bp, size_t i) {
  double p = 1 / (1 + exp(-bp->field[i]));
  return bp->fixed[i] < 0 ? p * (1 - p) : 0;
}

/* Whether the weights as a whole and, for every pattern, those of its inputs 0
 * vary enough for a Gaussian. */
static int sums_vary(const bperc_bp *bp) {
  double all = 0;
  for (size_t i = 0; i < bp->in->n; i++)
    all += weight_variance(bp, i);
  for (size_t mu = 0; all >= LEAST_VARIANCE && mu < bp->in->m; mu++) {
    const uint64_t *row = bperc_instance_pattern(bp->in, mu);
    double zeros = 0;
    if (!bp->factor[mu].live)
      continue;
    for (size_t i = 0; i < bp->in->n && zeros < LEAST_ZEROS_VARIANCE; i++)
      zeros += bperc_i_bit(row, i) ? 0 : weight_variance(bp, i);
    if (zeros < LEAST_ZEROS_VARIANCE)
      return 0;
  }
  return all >= LEAST_VARIANCE;
}

int bperc_bp_centred_helps(const bperc_bp *bp) {
  double unfixed = (double)bp->unfixed, rows = (double)bp->live;
  return bp->in->inputs == BPERC_INPUTS_01 && !bp->opt.centred &&
         bp->unfixed >= DENSE_WEIGHTS && bp->live > 1 &&
         (double)bp->edges >= DENSE * unfixed * rows && sums_vary(bp);
}

/* Entropy per weight of independent weights with these marginals: no
 * distribution with them has more. */
static double independent_entropy(const bperc_bp *bp) {
  double sum = 0;
  for (size_t i = 0; i < bp->in->n; i++) {
    double h = fabs(bp->field[i]);
    if (bp->fixed[i] < 0)
      sum += log1p(exp(-h)) + h / (1 + exp(h));
  }
  return sum / (double)bp->unfixed;
}

/* ---- the judgement */

static double entropy_error(const bperc_bp *bp) {
  if (bp->opt.centred)
    return CENTRED_ERROR_PER_WEIGHT + CENTRED_ERROR / (double)bp->unfixed;
  return bperc_i_bp_all_exact(bp) && is_forest(bp) ? 0 : NAN;
}

static int is_possible(const bperc_bp *bp, const bperc_bp_judgement *j) {
  double rounding = bp->fast ? FAST_ROUNDING : PLAIN_ROUNDING;
  double slack = rounding + (bp->opt.centred ? j->error : 0);
  double most = bp->opt.centred ? independent_entropy(bp) : M_LN2;
  return j->entropy >= -slack && j->entropy <= most + slack;
}

static bperc_bp_judgement judge_messages(bperc_bp *bp, int converged) {
  bperc_bp_judgement j = {.outcome = BPERC_BP_CONTRADICTION,
                          .entropy = NAN,
                          .error = NAN,
                          .violated = bperc_bp_contradiction(bp)};
  if (j.violated < bp->in->m || bperc_i_bp_is_torn(bp))
    return j;
  j.outcome = converged ? BPERC_BP_CONVERGED : BPERC_BP_UNCONVERGED;
  j.entropy = bperc_bp_entropy(bp);
  j.error = converged && bp->unfixed ? entropy_error(bp) : NAN;
  if (bp->unfixed && !(is_possible(bp, &j) &&
                       (!bp->opt.centred || !converged || sums_vary(bp)))) {
    j.outcome = converged ? BPERC_BP_DOUBTFUL : BPERC_BP_UNCONVERGED;
    j.entropy = j.error = NAN;
  }
  return j;
}

bperc_bp_judgement bperc_bp_judge(bperc_bp *bp, const bperc_bp_report *report) {
  return judge_messages(bp, report->converged);
}
