/* What the rules of judges share: the count of evidence and the words for
 * numbers. A test is wrong with its claim's rate at most (1 % unless said):
 * where every comparison must be clear each may have all of it, where one of
 * many decides they share it. */
#include "lab/verdict/judge.h"

#include <math.h>

bperc_i_estimate bperc_i_judged(bperc_i_judgement *j,
                                const bperc_i_estimate *e) {
  j->unknown |= e->method == BPERC_I_UNKNOWN;
  return j->times > 1 ? bperc_i_with_more(*e, j->times) : *e;
}

void bperc_i_tally_add(bperc_i_judgement *j, bperc_i_evidence *t,
                       const bperc_i_estimate *e, size_t among) {
  bperc_i_estimate judged = bperc_i_judged(j, e);
  t->count++;
  if (bperc_i_is_above(&judged, 0, j->rate))
    t->clear++;
  else if (bperc_i_is_below(&judged, 0, j->fail_rate / (double)among))
    t->against++;
}

bperc_claim_verdict bperc_i_tally_finish(bperc_i_judgement *j,
                                         const bperc_i_evidence *t,
                                         const bperc_i_estimate *together) {
  bperc_i_estimate all;
  if (t->against)
    return BPERC_FAILS;
  if (t->count == 0)
    return BPERC_UNDECIDED;
  if (!together)
    return t->clear == t->count ? BPERC_HOLDS : BPERC_UNDECIDED;
  all = bperc_i_judged(j, together);
  if (bperc_i_is_below(&all, 0, j->fail_rate / (double)(t->count + 1)))
    return BPERC_FAILS;
  return bperc_i_is_above(&all, 0, j->rate) ? BPERC_HOLDS : BPERC_UNDECIDED;
}

bperc_claim_verdict bperc_i_within(bperc_i_judgement *j,
                                   const bperc_i_estimate *e, double tolerance,
                                   double rate, double fail_rate) {
  bperc_i_estimate judged = bperc_i_judged(j, e);
  if (e->method == BPERC_I_EXACT)
    return fabs(e->value) <= tolerance ? BPERC_HOLDS : BPERC_FAILS;
  if (bperc_i_is_below(&judged, tolerance, rate) &&
      bperc_i_is_above(&judged, -tolerance, rate))
    return BPERC_HOLDS;
  return bperc_i_is_above(&judged, tolerance, fail_rate / 2) ||
                 bperc_i_is_below(&judged, -tolerance, fail_rate / 2)
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
