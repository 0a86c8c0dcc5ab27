/* What the rules of judges share: the count of evidence and
 * the words for numbers. Every comparison is one-sided at 1 %; a rule that
 * looks at many points shares this chance among them before it says `fails`.
 */
#include "judge/judge.h"

#include <math.h>

void bperc_i_tally_add(bperc_i_tally *t, bperc_i_estimate e, size_t among) {
  double z = bperc_i_evidence(e);
  double against = bperc_i_z_of(BPERC_I_SIGNIFICANCE / (double)among);
  t->count++;
  if (!isnan(z))
    t->sum_z += fmin(fmax(z, -1e3), 1e3);
  if (z >= bperc_i_z_of(BPERC_I_SIGNIFICANCE))
    t->clear++;
  else if (z <= -against)
    t->against++;
  else
    t->open++;
}

bperc_claim_verdict bperc_i_tally_finish(const bperc_i_tally *t, int pooled) {
  if (t->against)
    return BPERC_FAILS;
  if (t->count == 0)
    return BPERC_UNDECIDED;
  if (pooled)
    return t->sum_z / sqrt((double)t->count) >=
                   bperc_i_z_of(BPERC_I_SIGNIFICANCE)
               ? BPERC_HOLDS
               : BPERC_UNDECIDED;
  return t->clear == t->count ? BPERC_HOLDS : BPERC_UNDECIDED;
}

bperc_claim_verdict bperc_i_within(bperc_i_estimate e, double tolerance) {
  double margin = bperc_i_z_of(BPERC_I_SIGNIFICANCE) * e.sem;
  double off = fabs(e.value);
  if (!isfinite(off) || !(e.sem >= 0))
    return BPERC_UNDECIDED;
  if (off + margin <= tolerance)
    return BPERC_HOLDS;
  return off - margin > tolerance ? BPERC_FAILS : BPERC_UNDECIDED;
}

/* An error of rounding alone is none. */
void bperc_i_say_estimate(bperc_i_text *t, bperc_i_estimate e) {
  if (e.sem > 1e-12 * fabs(e.value))
    bperc_i_text_format(t, "%.4g +- %.2g", e.value, e.sem);
  else
    bperc_i_text_format(t, "%.4g", e.value);
}
