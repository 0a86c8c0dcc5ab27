/* Columns and tables computed from others, as a plan asks:
 *
 *   [table bpd.steps]
 *   column gap = q_same - q_diff          formula over the means of a row
 *
 *   [derive optimum]                      one row per curve of another table
 *   from = sbpi
 *   rule = argmax                         argmax best steepest
 *   x = a
 *   y = capacity
 *
 * Errors of columns by jackknife over instances, of curves by batches of them.
 */
#include "lab/table/derive.h"

#include "lab/table/expression.h"
#include "lab/table/filter.h"

#include <stdlib.h>
#include <string.h>

static const char *const rules[] = {"argmax", "best", "steepest"};
static const char *const keys[] = {"from",  "rule",      "x",    "y",
                                   "where", "direction", "label"};
static const char *const directions[] = {"up", "down"};
enum { RULES = 3, KEYS = 7, NEEDED = 4, DIRECTIONS = 2 };

static bperc_status check_derive(const bperc_i_ini *plan,
                                 const bperc_i_section *s, bperc_error *error) {
  const char *rule = bperc_i_ini_get(s, "rule", ""), *wrong;
  const char *direction = bperc_i_ini_get(s, "direction", "up");
  bperc_i_filter filter;
  if (!bperc_i_ini_good_name(s->name, 0))
    return bperc_i_ini_bad(plan, s->line, error,
                           "a derived table needs a name of letters, digits "
                           "and '_'");
  if (bperc_i_ini_keys(plan, s, "a derived table has no key", keys, KEYS,
                       error) != BPERC_OK)
    return BPERC_E_FORMAT;
  for (size_t k = 0; k < NEEDED; k++)
    if (!bperc_i_ini_get(s, keys[k], NULL))
      return bperc_i_ini_bad(plan, s->line, error,
                             "derived table '%s' needs '%s'", s->name, keys[k]);
  if (bperc_i_word_find(rule, rules, RULES) < 0)
    return bperc_i_ini_unknown(plan, bperc_i_ini_line(s, "rule"),
                               "rule is argmax, best or steepest, not", rule,
                               rules, RULES, error);
  if (bperc_i_word_find(direction, directions, DIRECTIONS) < 0)
    return bperc_i_ini_unknown(plan, bperc_i_ini_line(s, "direction"),
                               "direction is up or down, not", direction,
                               directions, DIRECTIONS, error);
  wrong = bperc_i_filter_parse(bperc_i_ini_get(s, "where", ""), &filter);
  return wrong ? bperc_i_ini_bad(plan, bperc_i_ini_line(s, "where"), error,
                                 "where: %s", wrong)
               : BPERC_OK;
}

static bperc_status check_columns(const bperc_i_ini *plan,
                                  const bperc_i_section *s,
                                  bperc_error *error) {
  bperc_i_expression e;
  if (!bperc_i_ini_good_name(s->name, 1))
    return bperc_i_ini_bad(plan, s->line, error,
                           "[table NAME]: the name of a table is letters, "
                           "digits, '_' and '.'");
  for (size_t k = 0; k < s->count; k++) {
    const char *wrong = NULL;
    if (strncmp(s->entries[k].key, "column ", 7) != 0)
      wrong = "a table section has lines 'column NAME = formula'";
    else if (!bperc_i_ini_good_name(s->entries[k].key + 7, 0))
      wrong = "a column has a name of letters, digits and '_'";
    else
      wrong = bperc_i_expression_parse(s->entries[k].value, &e);
    if (wrong)
      return bperc_i_ini_bad(plan, s->entries[k].line, error, "%s", wrong);
  }
  return BPERC_OK;
}

bperc_status bperc_i_derived_check(const bperc_i_ini *plan,
                                   bperc_error *error) {
  bperc_status status = BPERC_OK;
  for (size_t k = 1; k < plan->count && status == BPERC_OK; k++) {
    if (strcmp(plan->sections[k].kind, "derive") == 0)
      status = check_derive(plan, &plan->sections[k], error);
    else if (strcmp(plan->sections[k].kind, "table") == 0)
      status = check_columns(plan, &plan->sections[k], error);
  }
  return status;
}

bperc_status bperc_i_tables_derive(bperc_tables *t, bperc_error *error) {
  const bperc_i_ini *plan = &t->x->plan;
  bperc_status status = BPERC_OK;
  for (size_t k = 1; k < plan->count && status == BPERC_OK; k++) {
    if (strcmp(plan->sections[k].kind, "table") == 0)
      status = bperc_i_columns_add(t, &plan->sections[k], error);
    else if (strcmp(plan->sections[k].kind, "derive") == 0)
      status = bperc_i_table_derive(t, &plan->sections[k], error);
  }
  return status;
}
