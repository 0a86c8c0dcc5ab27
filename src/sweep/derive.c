/* Columns and tables computed from others, as a plan asks:
 *
 *   [table bpd.steps]
 *   column gap = q_same - q_diff          formula over the means of a row
 *
 *   [derive optimum]                      one row per curve of another table
 *   from = sbpi
 *   rule = argmax                         argmax argmin best crossing
 *                                         steepest
 *   x = a
 *   y = capacity
 *
 * Errors by jackknife over instances.
 */
#include "sweep/expression.h"
#include "sweep/filter.h"
#include "sweep/statistic.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const rules[] = {"argmax", "argmin", "best", "crossing",
                                    "steepest"};
static const char *const rule_keys[] = {"from",  "rule",  "x",        "y",
                                        "where", "level", "direction"};

/* ---- checking a plan */

static int is_one_of(const char *word, const char *const *list, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (strcmp(word, list[k]) == 0)
      return 1;
  return 0;
}

static bperc_status check_derive(const bperc_i_ini *plan,
                                 const bperc_i_section *s, bperc_error *error) {
  const char *needed[] = {"from", "rule", "x", "y"}, *wrong;
  bperc_i_filter filter;
  for (size_t k = 0; k < s->count; k++)
    if (!is_one_of(s->entries[k].key, rule_keys, 7))
      return bperc_i_ini_bad(plan, s->entries[k].line, error,
                             "a derived table has no key '%.60s'",
                             s->entries[k].key);
  for (size_t k = 0; k < 4; k++)
    if (!bperc_i_ini_get(s, needed[k], NULL))
      return bperc_i_ini_bad(plan, s->line, error,
                             "derived table '%s' needs '%s'", s->name,
                             needed[k]);
  if (!is_one_of(bperc_i_ini_get(s, "rule", ""), rules, 5))
    return bperc_i_ini_bad(plan, s->line, error,
                           "rule is argmax, argmin, best, crossing or "
                           "steepest");
  wrong = bperc_i_filter_parse(bperc_i_ini_get(s, "where", ""), &filter);
  return wrong ? bperc_i_ini_bad(plan, s->line, error, "where: %s", wrong)
               : BPERC_OK;
}

static bperc_status check_columns(const bperc_i_ini *plan,
                                  const bperc_i_section *s,
                                  bperc_error *error) {
  bperc_i_expression e;
  for (size_t k = 0; k < s->count; k++) {
    const char *wrong = NULL;
    if (strncmp(s->entries[k].key, "column ", 7) != 0)
      wrong = "a table section has lines 'column NAME = formula'";
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

/* ---- columns */

static double evaluate(const void *context, const double *means) {
  return bperc_i_expression_value(context, means);
}

static void set_cell(bperc_i_cell *cell, bperc_i_estimate e, size_t n) {
  cell->mean = cell->median = e.value;
  cell->sem = e.sem;
  cell->n = isfinite(e.value) ? n : 0;
}

/* The cell of a name: a column, or a key as a number without error. */
static int variable_cell(const bperc_i_table *t, const char *name, size_t row,
                         const bperc_i_cell **out, bperc_i_cell *scratch) {
  long column = bperc_i_table_column(t, name), key = bperc_i_table_key(t, name);
  if (column >= 0)
    *out = &t->columns[column].cells[row];
  else if (key >= 0) {
    *scratch = (bperc_i_cell){.mean = t->rows[row].numbers[key]};
    *out = scratch;
  }
  return column >= 0 || key >= 0;
}

typedef struct {
  bperc_i_expression e;
  const bperc_i_cell *cells[BPERC_I_EXPRESSION_NAMES];
  bperc_i_cell scratch[BPERC_I_EXPRESSION_NAMES];
  uint32_t *who; /* instances behind any row, ascending */
  size_t n;
} formula;

/* The cells that a formula has at a row; the name that is none, else NULL. */
static const char *load_row(formula *f, const bperc_i_table *t, size_t row) {
  for (size_t v = 0; v < f->e.name_count; v++)
    if (!variable_cell(t, f->e.names[v], row, &f->cells[v], &f->scratch[v]))
      return f->e.names[v];
  return NULL;
}

static void mark(const bperc_i_cell *c, uint8_t *seen) {
  for (size_t i = 0; c->values && i < c->n; i++)
    seen[c->instances[i]] = 1;
}

static uint32_t most_of(const bperc_i_table *t) {
  uint32_t most = 0;
  for (size_t c = 0; c < t->column_count; c++)
    for (size_t r = 0; r < t->row_count; r++) {
      const bperc_i_cell *cell = &t->columns[c].cells[r];
      if (cell->values && cell->n && cell->instances[cell->n - 1] >= most)
        most = cell->instances[cell->n - 1] + 1;
    }
  return most;
}

/* f->who; 0 when memory lacks. */
static int find_instances(formula *f, const bperc_i_table *t) {
  uint32_t most = most_of(t);
  uint8_t *seen = bperc_i_calloc(most, 1);
  f->who = bperc_i_alloc(most, sizeof *f->who);
  for (size_t r = 0; seen && f->who && r < t->row_count; r++) {
    load_row(f, t, r);
    for (size_t v = 0; v < f->e.name_count; v++)
      mark(f->cells[v], seen);
  }
  for (uint32_t i = 0; seen && f->who && i < most; i++)
    if (seen[i])
      f->who[f->n++] = i;
  bperc_i_free(seen);
  return f->who && (seen || !most);
}

static bperc_status add_column(bperc_i_table *t, const bperc_i_ini *plan,
                               const bperc_i_entry *entry, bperc_error *error) {
  formula f = {0};
  bperc_i_column *column;
  const char *name = entry->key + 7 + strspn(entry->key + 7, " \t"), *wrong;
  int good;
  bperc_i_expression_parse(entry->value, &f.e);
  wrong = t->row_count ? load_row(&f, t, 0) : NULL;
  if (wrong)
    return bperc_i_ini_bad(plan, entry->line, error,
                           "table '%s' has no column '%s'", t->name, wrong);
  good = find_instances(&f, t) && (column = bperc_i_column_add(t, name));
  for (size_t r = 0; good && r < t->row_count; r++) {
    load_row(&f, t, r);
    good = bperc_i_jackknife_cell(f.cells, f.e.name_count, evaluate, &f.e,
                                  f.who, f.n, &column->cells[r]);
  }
  bperc_i_free(f.who);
  return good ? BPERC_OK
              : bperc_error_set(error, BPERC_E_MEMORY, "no memory for a table");
}

static bperc_status add_columns(bperc_tables *t, const bperc_i_section *s,
                                bperc_error *error) {
  const bperc_i_ini *plan = &t->x->plan;
  bperc_i_table *table = (bperc_i_table *)bperc_i_table_find(t, s->name);
  bperc_status status = BPERC_OK;
  if (!table) /* nothing measured yet */
    return BPERC_OK;
  for (size_t k = 0; k < s->count && status == BPERC_OK; k++)
    if (table->column_count)
      status = add_column(table, plan, &s->entries[k], error);
  return status;
}

/* ---- derived tables */

typedef struct {
  const double *x;
  size_t count;
  double sign, level;
  int want_position;
} curve;

/* Position or height of the largest sign * y, by the parabola through the
 * highest point and its neighbours. */
static double peak(const void *context, const double *y) {
  const curve *c = context;
  size_t top = c->count;
  double left, right, at_left, at_right, bend, tilt;
  for (size_t k = 0; k < c->count; k++)
    if (isfinite(y[k]) &&
        (top == c->count || c->sign * y[k] > c->sign * y[top]))
      top = k;
  if (top == c->count)
    return NAN;
  if (!c->want_position || top == 0 || top + 1 == c->count ||
      !isfinite(y[top - 1]) || !isfinite(y[top + 1]))
    return c->want_position ? c->x[top] : y[top];
  left = c->x[top - 1] - c->x[top];
  right = c->x[top + 1] - c->x[top];
  at_left = (y[top - 1] - y[top]) / left;
  at_right = (y[top + 1] - y[top]) / right;
  bend = (at_left - at_right) / (left - right);
  tilt = at_left - bend * left;
  return bend == 0 ? c->x[top]
                   : c->x[top] + fmin(fmax(-tilt / (2 * bend), left), right);
}

/* First x where y comes to the level, from below or (sign -1) above. */
static double crossing(const void *context, const double *y) {
  const curve *c = context;
  for (size_t k = 0; k < c->count; k++) {
    double here = c->sign * (y[k] - c->level), before;
    if (!(here >= 0))
      continue;
    if (k == 0)
      return c->x[0];
    before = c->sign * (y[k - 1] - c->level);
    return c->x[k - 1] + (c->x[k] - c->x[k - 1]) * (-before) / (here - before);
  }
  return NAN;
}

/* Middle and slope of the steepest rise (sign -1: fall) between neighbours. */
static double steepest(const void *context, const double *y) {
  const curve *c = context;
  double most = -INFINITY, where = NAN;
  for (size_t k = 1; k < c->count; k++) {
    double slope = (y[k] - y[k - 1]) / (c->x[k] - c->x[k - 1]);
    if (!(c->sign * slope > most))
      continue;
    most = c->sign * slope;
    where = (c->x[k] + c->x[k - 1]) / 2;
  }
  return c->want_position ? where : isfinite(most) ? c->sign * most : NAN;
}

typedef struct {
  const char *rule, *x, *y;
  double level, sign;
  size_t keys[32], key_count;
  const bperc_i_selection *selection;
} recipe;

typedef struct {
  double x;
  const bperc_i_cell *cell;
} place;

static int by_x(const void *a, const void *b) {
  const place *p = a, *q = b;
  return p->x < q->x ? -1 : p->x > q->x;
}

/* The cells of one group in the order of x; returns how many. */
static size_t gather(const recipe *r, const size_t *group, size_t wanted,
                     place *places) {
  size_t count = 0;
  for (size_t k = 0; k < r->selection->count; k++)
    if (group[k] == wanted) {
      places[count].x = bperc_i_table_number(r->selection->table, r->x,
                                             r->selection->rows[k]);
      places[count++].cell = r->selection->cells[k];
    }
  qsort(places, count, sizeof *places, by_x);
  return count;
}

static void copy_cell(bperc_i_cell *to, const bperc_i_cell *from) {
  *to = *from;
  to->values = bperc_i_alloc(from->n, sizeof(double));
  to->instances = bperc_i_alloc(from->n, sizeof(uint32_t));
  if (to->values && to->instances && from->values) {
    memcpy(to->values, from->values, from->n * sizeof(double));
    memcpy(to->instances, from->instances, from->n * sizeof(uint32_t));
    return;
  }
  bperc_i_cell_clear(to);
}

static void fill_best(const recipe *r, const place *places, size_t count,
                      bperc_i_cell *x, bperc_i_cell *y) {
  size_t best = count;
  for (size_t k = 0; k < count; k++)
    if (isfinite(places[k].cell->mean) &&
        (best == count ||
         r->sign * places[k].cell->mean > r->sign * places[best].cell->mean))
      best = k;
  if (best == count)
    return;
  copy_cell(y, places[best].cell);
  set_cell(x, (bperc_i_estimate){places[best].x, 0, INFINITY}, y->n);
}

static void fill(const recipe *r, const place *places, size_t count, double *xs,
                 const bperc_i_cell **cells, bperc_i_cell *x, bperc_i_cell *y) {
  curve c = {xs, count, r->sign, r->level, 1};
  bperc_i_estimate level = {r->level, 0, INFINITY};
  size_t n = SIZE_MAX;
  for (size_t k = 0; k < count; k++) {
    xs[k] = places[k].x;
    cells[k] = places[k].cell;
    n = cells[k]->n < n ? cells[k]->n : n;
  }
  if (strcmp(r->rule, "best") == 0) {
    fill_best(r, places, count, x, y);
  } else if (strcmp(r->rule, "crossing") == 0) {
    set_cell(x, bperc_i_jackknife(cells, count, crossing, &c), n);
    set_cell(y, level, n);
  } else {
    bperc_i_function *f = strcmp(r->rule, "steepest") ? peak : steepest;
    set_cell(x, bperc_i_jackknife(cells, count, f, &c), n);
    c.want_position = 0;
    set_cell(y, bperc_i_jackknife(cells, count, f, &c), n);
  }
}

static int fill_table(bperc_tables *tables, const recipe *r, const char *name,
                      const size_t *group, size_t groups) {
  const bperc_i_table *from = r->selection->table;
  const char *keys[32];
  size_t count = r->selection->count;
  place *places = bperc_i_alloc(count, sizeof *places);
  double *xs = bperc_i_alloc(count, sizeof *xs);
  const bperc_i_cell **cells = bperc_i_alloc(count, sizeof *cells);
  bperc_i_table *t = NULL;
  int good = places && xs && cells;
  for (size_t k = 0; k < r->key_count; k++)
    keys[k] = from->keys[r->keys[k]];
  if (good)
    t = bperc_i_table_add(tables, name, keys, r->key_count, groups);
  good = t && bperc_i_column_add(t, r->x) && bperc_i_column_add(t, r->y);
  for (size_t g = 0; good && g < groups; g++) {
    size_t first = 0, some = gather(r, group, g, places);
    while (group[first] != g)
      first++;
    for (size_t k = 0; k < r->key_count && good; k++)
      good = bperc_i_row_set(
          t, g, k, from->rows[r->selection->rows[first]].texts[r->keys[k]]);
    if (good)
      fill(r, places, some, xs, cells, &t->columns[0].cells[g],
           &t->columns[1].cells[g]);
  }
  bperc_i_free(places);
  bperc_i_free(xs);
  bperc_i_free(cells);
  return good;
}

static bperc_status derive(bperc_tables *t, const bperc_i_section *s,
                           bperc_error *error) {
  bperc_i_selection selection;
  char wrong[200];
  recipe r = {.rule = bperc_i_ini_get(s, "rule", ""),
              .x = bperc_i_ini_get(s, "x", ""),
              .y = bperc_i_ini_get(s, "y", ""),
              .level = strtod(bperc_i_ini_get(s, "level", "0"), NULL),
              .selection = &selection};
  const char *direction =
      bperc_i_ini_get(s, "direction", strcmp(r.rule, "best") ? "up" : "down");
  size_t *group, groups;
  bperc_status status = BPERC_OK;
  const bperc_i_table *from =
      bperc_i_table_find(t, bperc_i_ini_get(s, "from", ""));
  if (from && from->column_count == 0)
    return BPERC_OK; /* nothing measured yet */
  r.sign = strcmp(direction, "down") == 0 || !strcmp(r.rule, "argmin") ? -1 : 1;
  if (bperc_i_select(t, bperc_i_ini_get(s, "from", ""), r.y,
                     bperc_i_ini_get(s, "where", ""), &selection, wrong,
                     sizeof wrong) != BPERC_OK)
    return bperc_i_ini_bad(&t->x->plan, s->line, error, "%s", wrong);
  if (bperc_i_table_key(from, r.x) < 0 && bperc_i_table_column(from, r.x) < 0)
    status = bperc_i_ini_bad(&t->x->plan, s->line, error,
                             "table '%s' has no column '%s'", from->name, r.x);
  group = bperc_i_alloc(selection.count, sizeof *group);
  if (status == BPERC_OK && group) {
    r.key_count = bperc_i_other_keys(from, r.x, r.keys, 32);
    groups = bperc_i_group_rows(&selection, r.keys, r.key_count, group);
    if (!fill_table(t, &r, s->name, group, groups))
      group = (bperc_i_free(group), NULL);
  }
  if (status == BPERC_OK && !group)
    status = bperc_error_set(error, BPERC_E_MEMORY, "no memory for a table");
  bperc_i_free(group);
  bperc_i_selection_clear(&selection);
  return status;
}

bperc_status bperc_i_tables_derive(bperc_tables *t, bperc_error *error) {
  const bperc_i_ini *plan = &t->x->plan;
  bperc_status status = BPERC_OK;
  for (size_t k = 1; k < plan->count && status == BPERC_OK; k++) {
    if (strcmp(plan->sections[k].kind, "table") == 0)
      status = add_columns(t, &plan->sections[k], error);
    else if (strcmp(plan->sections[k].kind, "derive") == 0)
      status = derive(t, &plan->sections[k], error);
  }
  return status;
}
