/* What the rules of judges share: the count of evidence and the words for
 * numbers. A test is wrong with its claim's rate at most (1 % unless said):
 * where every comparison must be clear each may have all of it, where one of
 * many decides they share it. */
#include "judge/judge.h"

#include <math.h>

void bperc_i_tally_add(const bperc_i_judgement *j, bperc_i_tally *t,
                       const bperc_i_estimate *e, size_t among) {
  t->count++;
  if (bperc_i_is_above(e, 0, j->rate))
    t->clear++;
  else if (bperc_i_is_below(e, 0, j->fail_rate / (double)among))
    t->against++;
}

bperc_claim_verdict bperc_i_tally_finish(const bperc_i_judgement *j,
                                         const bperc_i_tally *t,
                                         const bperc_i_estimate *together) {
  if (t->against)
    return BPERC_FAILS;
  if (t->count == 0)
    return BPERC_UNDECIDED;
  if (!together)
    return t->clear == t->count ? BPERC_HOLDS : BPERC_UNDECIDED;
  if (bperc_i_is_below(together, 0, j->fail_rate / (double)(t->count + 1)))
    return BPERC_FAILS;
  return bperc_i_is_above(together, 0, j->rate) ? BPERC_HOLDS : BPERC_UNDECIDED;
}

bperc_claim_verdict bperc_i_within(const bperc_i_estimate *e, double tolerance,
                                   double rate, double fail_rate) {
  if (e->method == BPERC_I_EXACT)
    return fabs(e->value) <= tolerance ? BPERC_HOLDS : BPERC_FAILS;
  if (bperc_i_is_below(e, tolerance, rate) &&
      bperc_i_is_above(e, -tolerance, rate))
    return BPERC_HOLDS;
  return bperc_i_is_above(e, tolerance, fail_rate / 2) ||
                 bperc_i_is_below(e, -tolerance, fail_rate / 2)
             ? BPERC_FAILS
             : BPERC_UNDECIDED;
}

void bperc_i_say_estimate(bperc_i_text *t, const bperc_i_estimate *e) {
  if (e->method == BPERC_I_SHARE && e->share[0].rows == 1)
    bperc_i_text_format(t, "%.4g (%.0f of %zu)", e->value,
                        round(e->value * (double)e->n), e->n);
  else if (e->sem > 0)
    bperc_i_text_format(t, "%.4g +- %.2g", e->value, e->sem);
  else
    bperc_i_text_format(t, "%.4g", e->value);
}
