/* A verdict as JSON: every test of a claim with its numbers. */
#include "lab.h"

static json_t *text_or_null(const char *text) {
  return text ? json_string(text) : json_null();
}

static json_t *sides_json(const bperc_claim_test *t) {
  json_t *list = json_array();
  for (size_t k = 0; k < 4; k++)
    if (t->sides[k].column)
      json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "table",
                                            t->sides[k].table, "column",
                                            t->sides[k].column, "where",
                                            t->sides[k].where));
  return list;
}

/* The position k of a vector by what stands there, too. */
static json_t *point_json(const bperc_claim_number *n) {
  json_t *object = json_object();
  for (size_t k = 0; k < n->key_count; k++) {
    const bperc_number_key *key = &n->keys[k];
    json_object_set_new(object, key->name, json_string(key->text));
    if (key->meaning)
      json_object_set_new(object, key->meaning, cli_json_real(key->value));
  }
  return object;
}

static json_t *count_or_null(size_t count, bool there) {
  return there ? json_integer((json_int_t)count) : json_null();
}

static json_t *number_json(const bperc_claim_number *n) {
  return json_pack(
      "{s:s, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i}",
      "role", bperc_number_role_name(n->role), "point", point_json(n), "kind",
      bperc_number_kind_name(n->kind), "method",
      bperc_number_method_name(n->method), "estimate",
      cli_json_real(n->estimate), "error", cli_json_real(n->error), "instances",
      count_or_null(n->instances, n->instances > 0), "hits",
      count_or_null(n->hits, n->kind == BPERC_KIND_SHARE), "at",
      cli_json_real(n->at), "critical", cli_json_real(n->critical), "chance",
      cli_json_real(n->chance), "rate", cli_json_real(n->rate), "side",
      n->side);
}

static json_t *direction_json(const bperc_claim_test *t) {
  return t->rule != BPERC_RULE_TREND
             ? json_null()
             : json_string(t->direction > 0 ? "up" : "down");
}

static json_t *test_json(const bperc_claim_test *t) {
  json_t *numbers = json_array();
  for (size_t k = 0; k < t->number_count; k++)
    json_array_append_new(numbers, number_json(&t->numbers[k]));
  return json_pack(
      "{s:s, s:s, s:o, s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:I, "
      "s:o, s:o, s:o}",
      "rule", bperc_rule_name(t->rule), "verdict",
      bperc_claim_verdict_name(t->verdict), "sides", sides_json(t), "x",
      text_or_null(t->x), "direction", direction_json(t), "need",
      t->pooled ? "pooled" : "all", "of", t->median ? "median" : "mean",
      "value", cli_json_real(t->value), "tolerance",
      cli_json_real(t->tolerance), "share", cli_json_real(t->share), "fraction",
      cli_json_real(t->fraction), "compared", (json_int_t)t->compared, "clear",
      (json_int_t)t->clear, "against", (json_int_t)t->against,
      "times_instances", cli_json_real(t->times), "not_measured",
      text_or_null(t->not_measured), "numbers", numbers);
}

json_t *lab_tests_json(const bperc_claim *c) {
  json_t *list = json_array();
  for (size_t k = 0; k < c->test_count; k++)
    json_array_append_new(list, test_json(&c->tests[k]));
  return list;
}
