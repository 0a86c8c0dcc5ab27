/* Claims that are read are judged on tables that are fixed: every verdict comes
 * with its numbers, and the verdict of a claim is that of its tests. */
#include "fuzz.h"
#include "toy.h"

static bperc_claim_verdict worst(const bperc_claim *c) {
  bperc_claim_verdict v = BPERC_HOLDS;
  for (size_t k = 0; k < c->test_count; k++) {
    if (c->tests[k].verdict == BPERC_FAILS)
      return BPERC_FAILS;
    if (c->tests[k].verdict == BPERC_UNDECIDED)
      v = BPERC_UNDECIDED;
  }
  return v;
}

static void run(const uint8_t *data, size_t size) {
  bperc_error error = {BPERC_OK, ""};
  bperc_claims claims = {0};
  bperc_judge *j;
  bperc_status status = bperc_judge_parse(fuzz_toy(), "fuzz",
                                          (const char *)data, size, &j, &error);
  fuzz_check_answer(status, j, &error);
  if (!j)
    return;
  status = bperc_judge_claims(j, fuzz_toy_tables(), &claims, &error);
  assert(status == BPERC_OK || error.text[0]);
  for (size_t k = 0; status == BPERC_OK && k < claims.count; k++) {
    const bperc_claim *c = &claims.claims[k];
    assert(c->test_count && c->measured && c->measured[0]);
    assert(c->verdict == worst(c));
  }
  bperc_claims_clear(&claims);
  bperc_judge_free(j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_toy_tables();
  return size > 2000 ? 0 : fuzz_run(data, size, run);
}
