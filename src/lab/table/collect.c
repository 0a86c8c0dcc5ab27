/* Tables from the store: per block one of the scalars and one for each group
 * of vectors. What a plan computes from them: judge/derive.c. */
#include "lab/table/table.h"

#include "lab/base/memory.h"
#include "lab/store/store.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct {
  bperc_tables *tables;
  const bperc_i_block *block;
  const bperc_i_points *points;
  bperc_record **records; /* point-major, NULL where there is none */
  size_t instances;
  size_t *found, *failed; /* per point */
} collection;

static bperc_record *record_at(const collection *c, size_t point, size_t i) {
  assert(point < c->points->count && i < c->instances);
  return c->records[point * c->instances + i];
}

static bperc_status fetch(collection *c, bperc_store *store, uint64_t seed,
                          bperc_error *error) {
  for (size_t p = 0; p < c->points->count; p++)
    for (size_t i = 0; i < c->instances && !bperc_cancelled(); i++) {
      int found;
      bperc_i_identity id =
          bperc_i_point_identity(&c->points->points[p], seed, (uint32_t)i);
      bperc_status status = bperc_i_store_get(
          store, id.key, &c->records[p * c->instances + i], &found, error);
      if (status != BPERC_OK)
        return status;
      c->found[p] += found > 0;
      c->failed[p] += found < 0;
    }
  return BPERC_OK;
}

/* A result "group/name" or "name": the length of its group, and its name. */
static size_t group_length(const char *result) {
  const char *slash = strchr(result, '/');
  return slash ? (size_t)(slash - result) : 0;
}

static const char *short_name(const char *result) {
  size_t length = group_length(result);
  return result + length + (length > 0);
}

/* Whether item k of a record belongs to the group ("" for scalars). */
static int in_group(const bperc_record *r, size_t k, const char *group) {
  const char *result = bperc_record_name(r, k);
  size_t length = strlen(group), count;
  int is_vector;
  bperc_record_values(r, k, &count, &is_vector);
  return is_vector == (length > 0) && group_length(result) == length &&
         strncmp(result, group, length) == 0;
}

/* Positions of the longest vector of a point; scalars have one. */
static size_t longest(const collection *c, size_t point, const char *group) {
  size_t most = *group == 0;
  for (size_t i = 0; *group && i < c->instances; i++) {
    bperc_record *r = record_at(c, point, i);
    for (size_t k = 0; r && k < bperc_record_count(r); k++) {
      size_t count;
      int is_vector;
      bperc_record_values(r, k, &count, &is_vector);
      if (in_group(r, k, group) && count > most)
        most = count;
    }
  }
  return most;
}

/* The cell of one column at one point and position. */
static int fill_cell(const collection *c, size_t point, size_t position,
                     const char *group, const char *name,
                     bperc_i_table_cell *cell) {
  if (!bperc_i_cell_room(cell, c->instances))
    return 0;
  for (size_t i = 0; i < c->instances; i++) {
    const bperc_record *r = record_at(c, point, i);
    const double *v = NULL;
    size_t count = 0;
    int is_vector;
    for (size_t k = 0; r && !v && k < bperc_record_count(r); k++)
      if (in_group(r, k, group) &&
          strcmp(short_name(bperc_record_name(r, k)), name) == 0)
        v = bperc_record_values(r, k, &count, &is_vector);
    if (v && position < count && isfinite(v[position])) {
      cell->values[cell->n] = v[position];
      cell->instances[cell->n++] = (uint32_t)i;
    }
  }
  return bperc_i_cell_finish(cell, !c->block->measurement->seeded_by);
}

static int add_columns(const collection *c, bperc_i_table *t,
                       const char *group) {
  for (size_t q = 0; q < c->points->count * c->instances; q++) {
    const bperc_record *r = c->records[q];
    for (size_t k = 0; r && k < bperc_record_count(r); k++) {
      const char *name = short_name(bperc_record_name(r, k));
      if (in_group(r, k, group) && bperc_i_table_column(t, name) < 0 &&
          !bperc_i_column_add(t, name))
        return 0;
    }
  }
  return 1;
}

/* A column of counts, one per point. */
static int add_counts(bperc_i_table *t, const char *name,
                      const size_t *counts) {
  bperc_i_column *column = bperc_i_column_add(t, name);
  if (!column)
    return 0;
  column->plain = 1;
  for (size_t r = 0; r < t->row_count; r++) {
    bperc_i_table_cell *c = &column->cells[r];
    c->mean = c->median = (double)counts[r];
    c->sem = 0;
    c->n = 1;
  }
  return 1;
}

/* Rows of one point: its parameters, its position, its cells. */
static int fill_rows(const collection *c, bperc_i_table *t, const char *group,
                     size_t point, size_t first, size_t count) {
  const bperc_i_point *p = &c->points->points[point];
  char text[32];
  assert(first + count <= t->row_count);
  for (size_t r = first; r < first + count; r++) {
    size_t key = 0;
    t->rows[r].point = point;
    for (size_t k = 0; k < c->block->parameter_count; k++) {
      const bperc_i_parameter *q = &c->block->parameters[k];
      if (q->is_list &&
          !bperc_i_row_set(t, r, key++,
                           q->values[c->tables->scale][p->choice[k]]))
        return 0;
    }
    snprintf(text, sizeof text, "%zu", r - first);
    if (*group && !bperc_i_row_set(t, r, key++, text))
      return 0;
    assert(key == t->key_count);
    for (size_t k = 0; k < t->column_count; k++)
      if (!fill_cell(c, point, r - first, group, t->columns[k].name,
                     &t->columns[k].cells[r]))
        return 0;
  }
  return 1;
}

static int make_table(collection *c, const char *group) {
  const char *keys[BPERC_I_KEYS];
  char name[160];
  size_t key_count = 0, rows = 0, row = 0;
  bperc_i_table *t;
  for (size_t k = 0; k < c->block->parameter_count; k++)
    if (c->block->parameters[k].is_list) {
      assert(key_count + 1 < BPERC_I_KEYS);
      keys[key_count++] = c->block->parameters[k].name;
    }
  if (*group)
    keys[key_count++] = "k";
  for (size_t p = 0; p < c->points->count; p++)
    rows += longest(c, p, group);
  snprintf(name, sizeof name, "%s%s%s", c->block->name, *group ? "." : "",
           group);
  t = bperc_i_table_add(c->tables, name, keys, key_count, rows);
  if (!t || !add_columns(c, t, group))
    return 0;
  t->block = c->block;
  for (size_t p = 0; p < c->points->count; p++) {
    size_t count = longest(c, p, group);
    if (bperc_cancelled() || !fill_rows(c, t, group, p, row, count))
      return 0;
    row += count;
  }
  return *group || (add_counts(t, "results", c->found) &&
                    add_counts(t, "failures", c->failed));
}

/* One table of scalars and one per group of vectors. */
static int make_tables(collection *c) {
  char name[160], group[64];
  if (!make_table(c, ""))
    return 0;
  for (size_t q = 0; q < c->points->count * c->instances; q++) {
    const bperc_record *r = c->records[q];
    for (size_t k = 0; r && k < bperc_record_count(r); k++) {
      size_t length = group_length(bperc_record_name(r, k));
      if (length == 0 || length >= sizeof group)
        continue;
      memcpy(group, bperc_record_name(r, k), length);
      group[length] = 0;
      snprintf(name, sizeof name, "%s.%s", c->block->name, group);
      if (!bperc_i_table_find(c->tables, name) && !make_table(c, group))
        return 0;
    }
  }
  return 1;
}

static bperc_status collect_block(bperc_tables *t, const bperc_i_block *b,
                                  bperc_store *store, bperc_error *error) {
  collection c = {.tables = t,
                  .block = b,
                  .points = &b->points[t->scale],
                  .instances = b->instances[t->scale]};
  bperc_status status;
  c.records = bperc_calloc(c.points->count * c.instances, sizeof *c.records);
  c.found = bperc_calloc(c.points->count, sizeof *c.found);
  c.failed = bperc_calloc(c.points->count, sizeof *c.failed);
  if (!c.records || !c.found || !c.failed)
    status = bperc_error_set(error, BPERC_E_MEMORY, "no memory for a table");
  else
    status = fetch(&c, store, t->seed, error);
  if (status == BPERC_OK && !make_tables(&c))
    status = bperc_error_set(error, BPERC_E_MEMORY, "no memory for a table");
  if (bperc_cancelled())
    status = bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  for (size_t q = 0; c.records && q < c.points->count * c.instances; q++)
    bperc_record_free(c.records[q]);
  bperc_free(c.records);
  bperc_free(c.found);
  bperc_free(c.failed);
  return status;
}

bperc_status bperc_tables_collect(const bperc_experiment *x, bperc_store *store,
                                  bperc_scale scale, uint64_t seed,
                                  bperc_tables **out, bperc_error *error) {
  bperc_tables *t = bperc_calloc(1, sizeof *t);
  bperc_status status = BPERC_OK;
  *out = NULL;
  if (!t)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for tables");
  t->x = x;
  t->scale = scale;
  t->seed = seed;
  for (size_t k = 0; k < x->block_count && status == BPERC_OK; k++)
    status = collect_block(t, &x->blocks[k], store, error);
  if (status == BPERC_OK)
    *out = t;
  else
    bperc_tables_free(t);
  return status;
}

/* Whether any task of a block is in the store. */
static bperc_status find_any(const bperc_i_points *points, bperc_store *store,
                             uint64_t seed, int *found, bperc_error *error) {
  bperc_status status = BPERC_OK;
  *found = 0;
  for (size_t p = 0; p < points->count; p++)
    for (uint32_t i = 0; i < points->points[p].instances; i++) {
      bperc_i_identity id = bperc_i_point_identity(&points->points[p], seed, i);
      status = bperc_i_store_has(store, id.key, found, error);
      if (status != BPERC_OK || *found)
        return status;
    }
  return status;
}

bperc_status bperc_experiment_measured(const bperc_experiment *x,
                                       bperc_store *store, bperc_scale scale,
                                       uint64_t seed, int *measured,
                                       bperc_error *error) {
  bperc_status status = BPERC_OK;
  *measured = 1;
  for (size_t b = 0; b < x->block_count && *measured && status == BPERC_OK; b++)
    status =
        find_any(&x->blocks[b].points[scale], store, seed, measured, error);
  return status;
}
