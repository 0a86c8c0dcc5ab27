/* Selected cells cut into series, ordered along x. */
#include "lab/table/curves.h"

#include "lab/base/memory.h"
#include "numeric/sample.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void forget_pools(bperc_i_curves *c) {
  for (size_t k = 0; c->places && k < c->loaded; k++)
    bperc_i_cell_clear(&c->places[k].own);
  c->count = c->loaded = 0;
}

void bperc_i_curves_clear(bperc_i_curves *c) {
  forget_pools(c);
  bperc_i_selection_clear(&c->selection);
  bperc_free(c->order);
  bperc_free(c->starts);
  bperc_free(c->places);
  bperc_free(c->cells);
  bperc_free(c->xs);
  *c = (bperc_i_curves){0};
}

static void series_keys(const bperc_i_names *by, bperc_i_curves *c) {
  const bperc_i_table *t = c->selection.table;
  if (!by->given)
    c->key_count = bperc_i_other_keys(t, c->x ? c->x : "", c->keys);
  for (size_t k = 0; k < by->count; k++) {
    long key = bperc_i_table_key(t, by->names[k]);
    if (key >= 0)
      c->keys[c->key_count++] = (size_t)key;
  }
}

/* Puts rows in the order of their series; 0 when memory lacks. */
static int sort_rows(bperc_i_curves *c) {
  size_t n = c->selection.count;
  size_t *group = bperc_alloc(n, sizeof *group);
  if (group)
    c->groups = bperc_i_group_rows(&c->selection, c->keys, c->key_count, group);
  c->order = bperc_alloc(n, sizeof *c->order);
  c->starts = bperc_calloc(c->groups + 2, sizeof *c->starts);
  if (!group || !c->order || !c->starts || (n && !c->groups)) {
    bperc_free(group);
    return 0;
  }
  for (size_t k = 0; k < n; k++)
    c->starts[group[k] + 2]++;
  for (size_t g = 2; g < c->groups + 2; g++)
    c->starts[g] += c->starts[g - 1];
  for (size_t k = 0; k < n; k++) /* leaves starts[g + 1] at the end of g */
    c->order[c->starts[group[k] + 1]++] = k;
  assert(c->starts[0] == 0 && c->starts[c->groups] == n);
  bperc_free(group);
  return 1;
}

bperc_status bperc_i_curves_open(const bperc_tables *tables,
                                 const bperc_i_table_source *s, const char *x,
                                 const bperc_i_names *by, bperc_i_curves *c,
                                 char *wrong, size_t size) {
  bperc_status status;
  size_t n;
  *c = (bperc_i_curves){.x = x};
  status = bperc_i_select(tables, s->table, s->column, &s->where, &c->selection,
                          wrong, size);
  if (status != BPERC_OK)
    return status;
  if (x && !bperc_i_table_has(c->selection.table, x)) {
    snprintf(wrong, size, "table '%s' has no column '%s'",
             c->selection.table->name, x);
    bperc_i_curves_clear(c);
    return BPERC_E_FORMAT;
  }
  n = c->selection.count;
  c->places = bperc_calloc(n, sizeof *c->places);
  c->cells = bperc_alloc(n, sizeof *c->cells);
  c->xs = bperc_alloc(n, sizeof *c->xs);
  series_keys(by, c);
  if (c->places && c->cells && c->xs && sort_rows(c))
    return BPERC_OK;
  snprintf(wrong, size, "no memory");
  bperc_i_curves_clear(c);
  return BPERC_E_MEMORY;
}

/* Rows with the same x become one cell, instance by instance. */
static size_t unite(bperc_i_place *p, size_t count,
                    const bperc_i_table_cell **scratch) {
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

/* The places of series g, in order; only those with numbers, or all. */
static void gather_places(bperc_i_curves *c, size_t g, int all) {
  const bperc_i_selection *s = &c->selection;
  assert(g < c->groups);
  forget_pools(c);
  for (size_t k = c->starts[g]; k < c->starts[g + 1]; k++) {
    size_t r = c->order[k];
    double at = c->x ? bperc_i_table_number(s->table, c->x, s->rows[r]) : 0;
    if (!all && (!isfinite(at) || !isfinite(s->cells[r]->mean)))
      continue;
    if (c->count == 0)
      c->row = s->rows[r];
    c->places[c->count].x = at;
    c->places[c->count++].cell = s->cells[r];
  }
  c->loaded = c->count;
  qsort(c->places, c->count, sizeof *c->places, bperc_i_ascending);
}

static void list_places(bperc_i_curves *c) {
  for (size_t k = 0; k < c->count; k++) {
    c->xs[k] = c->places[k].x;
    c->cells[k] = c->places[k].cell ? c->places[k].cell : &c->places[k].own;
  }
}

void bperc_i_curves_rows(bperc_i_curves *c, size_t g) {
  gather_places(c, g, 1);
  list_places(c);
}

void bperc_i_curves_load(bperc_i_curves *c, size_t g) {
  gather_places(c, g, 0);
  c->count = unite(c->places, c->count, c->cells);
  list_places(c);
  for (size_t k = 1; k < c->count; k++) /* slopes and peaks rely on it */
    assert(c->xs[k - 1] < c->xs[k]);
}
