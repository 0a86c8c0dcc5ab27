/* Verdicts as data: names, clearing. */
#include "bperc/lab/verdict.h"

#include "lab/verdict/verdict.h"

#include "lab/base/memory.h"

#include <assert.h>
#include <string.h>

#define WORD(name, word) #word,
static const char *const rule_words[] = {BPERC_RULES(WORD)};
static const char *const role_words[] = {BPERC_NUMBER_ROLES(WORD)};
static const char *const kind_words[] = {BPERC_NUMBER_KINDS(WORD)};
static const char *const method_words[] = {BPERC_NUMBER_METHODS(WORD)};
static const char *const verdict_words[] = {"holds", "fails", "undecided"};
#undef WORD

const char *bperc_rule_name(bperc_rule rule) {
  assert((size_t)rule < BPERC_RULE_COUNT);
  return rule_words[rule];
}

const char *bperc_number_role_name(bperc_number_role role) {
  assert((size_t)role < BPERC_ROLE_COUNT);
  return role_words[role];
}

const char *bperc_number_kind_name(bperc_number_kind kind) {
  assert((size_t)kind < BPERC_KIND_COUNT);
  return kind_words[kind];
}

const char *bperc_number_method_name(bperc_number_method method) {
  assert((size_t)method < BPERC_METHOD_COUNT);
  return method_words[method];
}

const char *bperc_claim_verdict_name(bperc_claim_verdict verdict) {
  assert((size_t)verdict <= BPERC_UNDECIDED);
  return verdict_words[verdict];
}

const char *bperc_claim_source_name(bperc_claim_source source) {
  return source == BPERC_PAPER ? "paper" : "ours";
}

size_t bperc_claims_tally(const bperc_claims *c, bperc_claim_source source,
                          bperc_claim_verdict verdict) {
  size_t count = 0;
  for (size_t k = 0; k < c->count; k++)
    count += c->claims[k].source == source && c->claims[k].verdict == verdict;
  return count;
}

bperc_claim_verdict bperc_i_verdict_worse(bperc_claim_verdict a,
                                          bperc_claim_verdict b) {
  static const int rank[] = {0, 2, 1}; /* holds, fails, undecided */
  return rank[a] >= rank[b] ? a : b;
}

static void clear_number(bperc_claim_number *n) {
  for (size_t k = 0; k < n->key_count; k++) {
    bperc_free(n->keys[k].name);
    bperc_free(n->keys[k].text);
    bperc_free(n->keys[k].meaning);
  }
  bperc_free(n->keys);
}

static void clear_test(bperc_claim_test *t) {
  for (size_t k = 0; k < t->number_count; k++)
    clear_number(&t->numbers[k]);
  bperc_free(t->numbers);
  for (size_t k = 0; k < 4; k++) {
    bperc_free(t->sides[k].table);
    bperc_free(t->sides[k].column);
    bperc_free(t->sides[k].where);
  }
  bperc_free(t->x);
  bperc_free(t->not_measured);
}

void bperc_claims_clear(bperc_claims *c) {
  for (size_t k = 0; k < c->count; k++) {
    bperc_claim *one = &c->claims[k];
    for (size_t t = 0; t < one->test_count; t++)
      clear_test(&one->tests[t]);
    bperc_free(one->tests);
    bperc_free(one->id);
    bperc_free(one->text);
    bperc_free(one->expected);
    bperc_free(one->quote);
    bperc_free(one->place);
    bperc_free(one->why);
    bperc_free(one->said);
  }
  bperc_free(c->claims);
  *c = (bperc_claims){0};
}
