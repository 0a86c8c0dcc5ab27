/* Formulas and conditions, one text read as both.
 *
 * Of a formula f with value v: (f) has the value v, and -(f) has -v. Conditions
 * are applied to every row of a table that is fixed; a condition and its
 * opposite never both hold. */
#include "base/alloc.h"
#include "fuzz.h"
#include "lab/table/expression.h"
#include "lab/table/filter.h"
#include "toy.h"

#include <math.h>
#include <stdio.h>

static int same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static double value_of(const bperc_i_expression *e) {
  double variables[BPERC_I_EXPRESSION_NAMES];
  for (int k = 0; k < BPERC_I_EXPRESSION_NAMES; k++)
    variables[k] = 0.75 * k - 1.5;
  return bperc_i_expression_value(e, variables);
}

static void read_formula(const char *text) {
  bperc_i_expression e, around;
  char longer[600];
  double value;
  if (bperc_i_expression_parse(text, &e))
    return;
  assert(e.count > 0);
  value = value_of(&e);
  for (int minus = 0; minus < 2; minus++) {
    snprintf(longer, sizeof longer, "%s(%s)", minus ? "-" : "", text);
    /* it may have become too long or too deep */
    if (!bperc_i_expression_parse(longer, &around))
      assert(same(value_of(&around), minus ? -value : value));
  }
}

static void apply(const bperc_i_filter *f, const bperc_i_table *t) {
  bperc_i_filter one = *f, other;
  if (bperc_i_filter_unknown(f, t))
    return;
  for (size_t row = 0; row < t->row_count; row++) {
    int pass = 1;
    for (size_t k = 0; k < f->count; k++) {
      one.count = 1;
      one.conditions[0] = f->conditions[k];
      pass &= bperc_i_filter_pass(&one, t, row);
      other = one;
      strcpy(other.conditions[0].op, "!=");
      if (!strcmp(one.conditions[0].op, "="))
        assert(!bperc_i_filter_pass(&one, t, row) ||
               !bperc_i_filter_pass(&other, t, row));
    }
    assert(pass == bperc_i_filter_pass(f, t, row));
  }
}

static void read_conditions(const char *text) {
  const bperc_tables *tables = fuzz_toy_tables();
  bperc_i_selection s;
  bperc_i_filter f;
  char wrong[200];
  bperc_status status;
  if (bperc_i_filter_parse(text, &f))
    return;
  for (size_t k = 0; k < tables->count; k++)
    apply(&f, tables->tables[k]);
  status = bperc_i_select(tables, "c", "y", &f, &s, wrong, sizeof wrong);
  assert(status == BPERC_OK || wrong[0]);
  if (status == BPERC_OK && s.count) {
    size_t keys[BPERC_I_KEYS], group[64];
    size_t count = bperc_i_other_keys(s.table, "x", keys);
    assert(s.count <= 64);
    assert(bperc_i_group_rows(&s, keys, count, group) <= s.count);
    bperc_i_row_label(s.table, s.rows[0], keys, count, wrong, sizeof wrong);
  }
  bperc_i_selection_clear(&s);
}

static void run(const uint8_t *data, size_t size) {
  char text[500];
  if (size >= sizeof text)
    size = sizeof text - 1;
  if (size)
    memcpy(text, data, size);
  text[size] = 0;
  read_formula(text);
  read_conditions(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_toy_tables();
  return fuzz_run(data, size, run);
}
