/* Derived tables: one row for every curve of another table. */
#include "lab/table/derive.h"

#include "lab/base/memory.h"
#include "lab/table/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const double *x;
  size_t count;
  double sign;
  int want_position;
} curve;

/* The place of the largest sign * y; count when there is none. */
static size_t highest(const curve *c, const double *y) {
  size_t top = c->count;
  for (size_t k = 0; k < c->count; k++)
    if (isfinite(y[k]) &&
        (top == c->count || c->sign * y[k] > c->sign * y[top]))
      top = k;
  return top;
}

/* Position or height of the largest y, by the parabola through the highest
 * point and its neighbours. */
static double peak(const void *context, const double *y) {
  const curve *c = context;
  size_t top = highest(c, y);
  double left, right, at_left, at_right, bend, tilt;
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
  double sign;
} recipe;

static int copy_cell(bperc_i_table_cell *to, const bperc_i_table_cell *from) {
  *to = *from;
  to->values = NULL;
  to->instances = NULL;
  if (!from->values)
    return 1;
  if (!bperc_i_cell_room(to, from->n))
    return 0;
  memcpy(to->values, from->values, from->n * sizeof(double));
  memcpy(to->instances, from->instances, from->n * sizeof(uint32_t));
  return 1;
}

static double best_place(const void *context, const double *y) {
  const curve *c = context;
  size_t best = highest(c, y);
  return best < c->count ? c->x[best] : NAN;
}

/* The row itself, with its instances. scratch: a number per place. */
static int copy_best(const curve *c, const bperc_i_table_cell *const *cells,
                     double *scratch, bperc_i_table_cell *out) {
  size_t best;
  for (size_t k = 0; k < c->count; k++)
    scratch[k] = cells[k]->mean;
  best = highest(c, scratch);
  return best == c->count || copy_cell(out, cells[best]);
}

/* x and y of one curve; 0 when memory lacks. */
static int fill_curve(const recipe *r, const bperc_i_curves *from,
                      bperc_i_table_cell *x, bperc_i_table_cell *y) {
  curve c = {from->xs, from->count, r->sign, 1};
  bperc_i_function *f = !strcmp(r->rule, "best")       ? best_place
                        : !strcmp(r->rule, "steepest") ? steepest
                                                       : peak;
  if (!bperc_i_batch_cell(from->cells, from->count, f, &c, x))
    return 0;
  if (f == best_place)
    return copy_best(&c, from->cells, from->xs, y);
  c.want_position = 0;
  return bperc_i_batch_cell(from->cells, from->count, f, &c, y);
}

/* Row g gets the keys of the first selected row of its group. */
static int set_curve_keys(bperc_i_table *t, const bperc_i_curves *c, size_t g) {
  const bperc_i_selection *s = &c->selection;
  const bperc_i_table_row *first =
      &s->table->rows[s->rows[c->order[c->starts[g]]]];
  for (size_t k = 0; k < c->key_count; k++)
    if (!bperc_i_row_set(t, g, k, first->texts[c->keys[k]]))
      return 0;
  return 1;
}

static bperc_i_table *empty_table(bperc_tables *tables, const recipe *r,
                                  const bperc_i_curves *c, const char *name) {
  const char *keys[BPERC_I_KEYS];
  bperc_i_table *t;
  for (size_t k = 0; k < c->key_count; k++)
    keys[k] = c->selection.table->keys[c->keys[k]];
  t = bperc_i_table_add(tables, name, keys, c->key_count, c->groups);
  return t && bperc_i_column_add(t, r->x) && bperc_i_column_add(t, r->y) ? t
                                                                         : NULL;
}

/* A row for every curve; 0 when memory lacks. */
static int follow(bperc_tables *tables, const recipe *r, bperc_i_curves *c,
                  const char *name) {
  bperc_i_table *t = empty_table(tables, r, c, name);
  int good = t != NULL;
  for (size_t g = 0; good && g < c->groups; g++) {
    bperc_i_curves_rows(c, g);
    good = set_curve_keys(t, c, g) &&
           fill_curve(r, c, &t->columns[0].cells[g], &t->columns[1].cells[g]);
  }
  return good;
}

static recipe read_recipe(const bperc_i_section *s) {
  recipe r = {.rule = bperc_i_ini_get(s, "rule", ""),
              .x = bperc_i_ini_get(s, "x", ""),
              .y = bperc_i_ini_get(s, "y", "")};
  const char *direction =
      bperc_i_ini_get(s, "direction", strcmp(r.rule, "best") ? "up" : "down");
  r.sign = strcmp(direction, "down") == 0 ? -1 : 1;
  return r;
}

bperc_status bperc_i_table_derive(bperc_tables *t, const bperc_i_section *s,
                                  bperc_error *error) {
  const bperc_i_names all = {0};
  recipe r = read_recipe(s);
  bperc_i_table_source source = {.table = bperc_i_ini_get(s, "from", ""),
                                 .column = r.y};
  const bperc_i_table *from = bperc_i_table_find(t, source.table);
  bperc_i_curves curves;
  bperc_status status;
  char wrong[200];
  if (from && from->column_count == 0)
    return BPERC_OK; /* nothing measured yet */
  bperc_i_filter_parse(bperc_i_ini_get(s, "where", ""), &source.where);
  status =
      bperc_i_curves_open(t, &source, r.x, &all, &curves, wrong, sizeof wrong);
  if (status == BPERC_E_FORMAT)
    return bperc_i_ini_bad(&t->x->plan, s->line, error, "%s", wrong);
  if (status == BPERC_OK && !follow(t, &r, &curves, s->name))
    status = BPERC_E_MEMORY;
  if (status == BPERC_E_MEMORY)
    bperc_error_set(error, status, "no memory for a table");
  bperc_i_curves_clear(&curves);
  return status;
}
