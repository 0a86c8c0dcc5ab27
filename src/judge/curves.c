/* Selected cells cut into series, ordered along x. */
#include "judge/curves.h"

#include "base/alloc.h"
#include "numeric/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bperc_i_curves_clear(bperc_i_curves *c) {
  for (size_t k = 0; c->places && k < c->selection.count; k++)
    bperc_i_cell_clear(&c->places[k].own);
  bperc_i_selection_clear(&c->selection);
  bperc_i_free(c->group);
  bperc_i_free(c->places);
  bperc_i_free(c->cells);
  bperc_i_free(c->xs);
}

/* Keys of the series: those named in by=, else all but x and k. */
static void series_keys(const bperc_i_judgement *j, bperc_i_curves *c) {
  const bperc_i_table *t = c->selection.table;
  const bperc_i_names *by = &j->test->by;
  if (!by->given)
    c->key_count =
        bperc_i_other_keys(t, j->test->x ? j->test->x : "", c->keys, 32);
  for (size_t k = 0; k < by->count; k++) {
    long key = bperc_i_table_key(t, by->names[k]);
    if (key >= 0)
      c->keys[c->key_count++] = (size_t)key;
  }
}

int bperc_i_curves_open(bperc_i_judgement *j, bperc_i_curves *c) {
  const bperc_i_source *s = &j->test->a;
  const char *x = j->test->x;
  size_t n;
  memset(c, 0, sizeof *c);
  if (bperc_i_select(j->tables, s->table, s->column, &s->where, &c->selection,
                     j->wrong, sizeof j->wrong) != BPERC_OK)
    return 0;
  if (x && !bperc_i_table_has(c->selection.table, x)) {
    snprintf(j->wrong, sizeof j->wrong, "table '%s' has no column '%s'",
             c->selection.table->name, x);
    bperc_i_curves_clear(c);
    return 0;
  }
  n = c->selection.count;
  c->group = bperc_i_alloc(n, sizeof *c->group);
  c->places = bperc_i_calloc(n, sizeof *c->places);
  c->cells = bperc_i_alloc(n, sizeof *c->cells);
  c->xs = bperc_i_alloc(n, sizeof *c->xs);
  if (!c->group || !c->places || !c->cells || !c->xs) {
    snprintf(j->wrong, sizeof j->wrong, "no memory");
    bperc_i_curves_clear(c);
    return 0;
  }
  series_keys(j, c);
  c->groups =
      bperc_i_group_rows(&c->selection, c->keys, c->key_count, c->group);
  return 1;
}

static void forget_pools(bperc_i_curves *c) {
  for (size_t k = 0; k < c->selection.count; k++)
    bperc_i_cell_clear(&c->places[k].own);
}

/* Rows with the same x become one cell, instance by instance. */
static size_t unite(bperc_i_place *p, size_t count,
                    const bperc_i_cell **scratch) {
  size_t kept = 0;
  for (size_t k = 0; k < count;) {
    size_t same = 1;
    scratch[0] = p[k].cell;
    while (k + same < count && p[k + same].x == p[k].x) {
      scratch[same] = p[k + same].cell;
      same++;
    }
    p[kept].x = p[k].x;
    p[kept].cell = p[k].cell;
    p[kept].rows = same;
    if (same > 1) {
      bperc_i_pool(scratch, same, &p[kept].own);
      p[kept].cell = NULL;
    }
    kept++;
    k += same;
  }
  return kept;
}

void bperc_i_curves_load(const bperc_i_judgement *j, bperc_i_curves *c,
                         size_t g) {
  const bperc_i_selection *s = &c->selection;
  const char *x = j->test->x;
  forget_pools(c);
  c->count = 0;
  c->label[0] = 0;
  for (size_t k = 0; k < s->count; k++) {
    double at = x ? bperc_i_table_number(s->table, x, s->rows[k]) : 0;
    if (c->group[k] != g || !isfinite(at) || !isfinite(s->cells[k]->mean))
      continue;
    if (c->count == 0)
      bperc_i_row_label(s->table, s->rows[k], c->keys, c->key_count, c->label,
                        sizeof c->label);
    c->places[c->count].x = at;
    c->places[c->count++].cell = s->cells[k];
  }
  qsort(c->places, c->count, sizeof *c->places, bperc_i_ascending);
  c->count = unite(c->places, c->count, c->cells);
  for (size_t k = 0; k < c->count; k++) {
    c->xs[k] = c->places[k].x;
    c->cells[k] = c->places[k].cell ? c->places[k].cell : &c->places[k].own;
  }
}
