/* Tables that were saved with an experiment: what is loaded names files and
 * gnuplot variables that are harmless, and saved again it loads the same. */
#include "base/alloc.h"
#include "fuzz.h"
#include "lab/page/figure.h"
#include "toy.h"

#include <ctype.h>
#include <stdlib.h>

static const bperc_judge *judge(void) {
  static const char claims[] = "[claim T]\ntext = t\nexpected = e\ntest = "
                               "trend table=c y=y x=x direction=up\n";
  static bperc_judge *j;
  bperc_error error;
  if (!j && bperc_judge_parse(fuzz_toy(), "claims", claims, strlen(claims), &j,
                              &error))
    assert(!"the claims of the target are wrong");
  return j;
}

static int load(const uint8_t *data, size_t size, bperc_i_figure *f) {
  bperc_error error = {BPERC_OK, ""};
  bperc_status status = bperc_i_figure_load(fuzz_toy(), judge(),
                                            fuzz_file(data, size), f, &error);
  fuzz_check_answer(status, status == BPERC_OK ? f : NULL, &error);
  return status == BPERC_OK;
}

static void check_harmless(const bperc_i_figure *f) {
  assert(!strpbrk(f->variables, "`<>|;$@!"));
  for (size_t k = 0; k < f->sheet_count; k++) {
    assert(f->sheets[k].name[0] && f->sheets[k].name[0] != '.');
    assert(!strchr(f->sheets[k].name, '/'));
  }
}

static int same_text(const char *a, const char *b) { return !strcmp(a, b); }

static void check_same(const bperc_i_figure *a, const bperc_i_figure *b) {
  assert(a->claims.count == b->claims.count);
  assert(a->sheet_count == b->sheet_count);
  assert(same_text(a->variables, b->variables));
  for (size_t k = 0; k < a->claims.count; k++) {
    const bperc_claim *p = &a->claims.claims[k], *q = &b->claims.claims[k];
    char *a_said = bperc_claim_measured(p), *b_said = bperc_claim_measured(q);
    assert(same_text(p->id, q->id));
    assert(!a_said || !b_said || same_text(a_said, b_said));
    bperc_free(a_said);
    bperc_free(b_said);
    assert(same_text(p->text, q->text) && same_text(p->quote, q->quote));
    assert(same_text(p->place, q->place));
    assert(p->verdict == q->verdict && p->source == q->source);
  }
  for (size_t k = 0; k < a->sheet_count; k++)
    assert(same_text(a->sheets[k].name, b->sheets[k].name) &&
           same_text(a->sheets[k].text, b->sheets[k].text));
}

static void run(const uint8_t *data, size_t size) {
  bperc_i_figure f, again;
  bperc_error error;
  const uint8_t *text;
  uint8_t *copy;
  if (!load(data, size, &f))
    return;
  check_harmless(&f);
  if (bperc_i_figure_save(&f, "out", &error) == BPERC_OK) {
    text = fuzz_written(&size);
    copy = malloc(size + 1);
    assert(copy);
    memcpy(copy, text, size);
    if (load(copy, size, &again)) {
      check_same(&f, &again);
      bperc_i_figure_clear(&again);
    } else
      assert(fuzz_is_faulty());
    free(copy);
  } else
    assert(fuzz_is_faulty());
  bperc_i_figure_clear(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  judge();
  return fuzz_run(data, size, run);
}
