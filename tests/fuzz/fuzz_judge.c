/* Claims that are read are judged on tables that are fixed: every verdict comes
 * with its numbers, the verdict of a claim is that of its tests, and a fault
 * changes no answer that is given. */
#include "fuzz.h"
#include "lab/plan/plan.h"
#include "toy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The answers to an input without a fault, one after the other, and those of
 * the same input with one. */
static struct {
  char *text;
  size_t size, at;
  int lost; /* an answer was refused: those after it are not compared */
} right;

static void begin_answers(void) {
  if (!fuzz_is_faulty())
    right.size = 0;
  right.at = 0;
  right.lost = 0;
}

static void check_answer(const char *text, size_t size) {
  if (right.lost)
    return;
  if (fuzz_is_faulty()) {
    assert(right.at + size <= right.size &&
           memcmp(right.text + right.at, text, size) == 0);
  } else {
    right.text = realloc(right.text, right.size + size + 1);
    assert(right.text);
    memcpy(right.text + right.size, text, size);
    right.size += size;
  }
  right.at += size;
}

/* The values behind a claim: a table with a heading. */
static void list(const bperc_judge *j, const char *id, bperc_status expected) {
  char *text = NULL;
  size_t size = 0;
  bperc_error error = {BPERC_OK, ""};
  FILE *out = open_memstream(&text, &size);
  assert(out);
  bperc_status status = bperc_judge_list(j, fuzz_toy_tables(), id, out, &error);
  fclose(out);
  assert(status == expected || (status == BPERC_E_MEMORY && fuzz_is_faulty()));
  assert(status == BPERC_E_MEMORY || (status == BPERC_OK) == (size > 0));
  right.lost |= status == BPERC_E_MEMORY;
  if (status == BPERC_OK)
    check_answer(text, size);
  free(text);
}

/* The same claims from a folder (its file is the input: memory.c). */
static void read_folder(const uint8_t *data, size_t size) {
  bperc_error error = {BPERC_OK, ""};
  bperc_experiment x = *fuzz_toy();
  bperc_judge *j;
  char folder[] = FUZZ_FOLDER;
  x.folder = folder;
  fuzz_file(data, size);
  bperc_status status = bperc_judge_read(&x, &j, &error);
  fuzz_check_answer(status, j, &error);
  int mentioned = bperc_claims_mention(folder, "A");
  assert(mentioned >= 0 || (mentioned == BPERC_E_MEMORY && fuzz_is_faulty()));
  assert(!j || !bperc_judge_has(j, "A") || mentioned || fuzz_is_faulty());
  bperc_judge_free(j);
}

static void run(const uint8_t *data, size_t size) {
  bperc_error error = {BPERC_OK, ""};
  bperc_claims claims = {0};
  bperc_judge *j;
  bperc_status status = bperc_judge_parse(fuzz_toy(), "fuzz",
                                          (const char *)data, size, &j, &error);
  fuzz_check_answer(status, j, &error);
  read_folder(data, size);
  if (!j)
    return;
  begin_answers();
  status = bperc_judge_claims(j, fuzz_toy_tables(), &claims, &error);
  assert(status == BPERC_OK || (error.text[0] && fuzz_is_faulty()));
  for (size_t k = 0; status == BPERC_OK && k < claims.count; k++) {
    char *measured = bperc_claim_measured(&claims.claims[k]);
    assert(measured ? measured[0] : fuzz_is_faulty());
    right.lost |= !measured;
    if (measured)
      check_answer(measured, strlen(measured));
    bperc_free(measured);
  }
  for (size_t k = 0; status == BPERC_OK && k < claims.count; k++) {
    const bperc_claim *c = &claims.claims[k];
    assert(c->test_count);
    assert(c->verdict == worst(c));
    assert(bperc_judge_has(j, c->id));
    list(j, c->id, BPERC_OK);
  }
  list(j, "no such claim", BPERC_E_ARGUMENT);
  bperc_claims_clear(&claims);
  bperc_judge_free(j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_toy_tables();
  return size > 2000 ? 0 : fuzz_run(data, size, run);
}
