/* Tables in memory: adding tables, columns and rows, and finding them. */
#include "lab/table/table.h"

#include "base/number.h"
#include "lab/base/memory.h"
#include "numeric/sample.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells */

int bperc_i_cell_room(bperc_i_table_cell *c, size_t instances) {
  c->values = bperc_alloc(instances, sizeof *c->values);
  c->instances = bperc_alloc(instances, sizeof *c->instances);
  if (c->values && c->instances)
    return 1;
  bperc_i_cell_clear(c);
  return 0;
}

int bperc_i_cell_finish(bperc_i_table_cell *c, int exact) {
  double *sorted = bperc_alloc(c->n, sizeof *sorted);
  for (size_t k = 1; k < c->n; k++) /* cells are searched by instance */
    assert(c->instances[k - 1] < c->instances[k]);
  if (!sorted)
    return 0;
  bperc_i_mean(c->values, c->n, &c->mean, &c->sem);
  c->exact = exact && c->n;
  if (c->exact)
    c->sem = 0;
  memcpy(sorted, c->values, c->n * sizeof *sorted);
  c->median = bperc_i_median(sorted, c->n);
  bperc_free(sorted);
  return 1;
}

void bperc_i_cell_clear(bperc_i_table_cell *c) {
  bperc_free(c->values);
  bperc_free(c->instances);
  c->values = NULL;
  c->instances = NULL;
}

/* ---- making */

static void free_texts(char **texts, size_t count) {
  for (size_t k = 0; texts && k < count; k++)
    bperc_free(texts[k]);
  bperc_free(texts);
}

static void clear_table(bperc_i_table *t) {
  for (size_t r = 0; t->rows && r < t->row_count; r++) {
    free_texts(t->rows[r].texts, t->key_count);
    bperc_free(t->rows[r].numbers);
  }
  for (size_t c = 0; c < t->column_count; c++) {
    for (size_t r = 0; r < t->row_count; r++)
      bperc_i_cell_clear(&t->columns[c].cells[r]);
    bperc_free(t->columns[c].cells);
    bperc_free(t->columns[c].name);
  }
  bperc_free(t->columns);
  bperc_free(t->rows);
  free_texts(t->keys, t->key_count);
  bperc_free(t->name);
  bperc_free(t);
}

void bperc_tables_free(bperc_tables *t) {
  if (!t)
    return;
  for (size_t k = 0; k < t->count; k++)
    clear_table(t->tables[k]);
  bperc_free(t->tables);
  bperc_free(t);
}

static int allocate_rows(bperc_i_table *t) {
  t->rows = bperc_calloc(t->row_count, sizeof *t->rows);
  for (size_t r = 0; t->rows && r < t->row_count; r++) {
    t->rows[r].texts = bperc_calloc(t->key_count, sizeof(char *));
    t->rows[r].numbers = bperc_calloc(t->key_count, sizeof(double));
    if (!t->rows[r].texts || !t->rows[r].numbers)
      return 0;
  }
  return t->rows != NULL;
}

bperc_i_table *bperc_i_table_add(bperc_tables *tables, const char *name,
                                 const char *const *keys, size_t key_count,
                                 size_t rows) {
  bperc_i_table *t, **list;
  int bad;
  assert(key_count <= BPERC_I_KEYS);
  list = bperc_i_lab_grow(tables->tables, tables->count, sizeof *list);
  if (!list)
    return NULL;
  tables->tables = list;
  t = bperc_alloc(1, sizeof *t);
  if (!t)
    return NULL;
  tables->tables[tables->count++] = t;
  *t = (bperc_i_table){.key_count = key_count, .row_count = rows};
  t->name = bperc_strdup(name);
  t->keys = bperc_calloc(key_count, sizeof *t->keys);
  bad = !t->name || !t->keys || !allocate_rows(t);
  for (size_t k = 0; !bad && k < key_count; k++)
    bad = !(t->keys[k] = bperc_strdup(keys[k]));
  return bad ? NULL : t;
}

bperc_i_column *bperc_i_column_add(bperc_i_table *t, const char *name) {
  bperc_i_column *c = bperc_i_lab_grow(t->columns, t->column_count, sizeof *c);
  if (!c)
    return NULL;
  t->columns = c;
  c += t->column_count;
  c->plain = 0;
  c->name = bperc_strdup(name);
  c->cells = bperc_calloc(t->row_count, sizeof *c->cells);
  if (!c->name || !c->cells) {
    bperc_free(c->name);
    bperc_free(c->cells);
    return NULL;
  }
  t->column_count++;
  for (size_t r = 0; r < t->row_count; r++)
    c->cells[r] = (bperc_i_table_cell){.mean = NAN, .sem = NAN, .median = NAN};
  return c;
}

int bperc_i_row_set(bperc_i_table *t, size_t row, size_t key,
                    const char *text) {
  char *end;
  assert(row < t->row_count && key < t->key_count && !t->rows[row].texts[key]);
  t->rows[row].texts[key] = bperc_strdup(text);
  t->rows[row].numbers[key] = bperc_i_strtod(text, &end);
  if (*end)
    t->rows[row].numbers[key] = NAN;
  return t->rows[row].texts[key] != NULL;
}

const bperc_i_table *bperc_i_table_find(const bperc_tables *t,
                                        const char *name) {
  for (size_t k = 0; k < t->count; k++)
    if (strcmp(t->tables[k]->name, name) == 0)
      return t->tables[k];
  return NULL;
}

long bperc_i_table_key(const bperc_i_table *t, const char *name) {
  for (size_t k = 0; k < t->key_count; k++)
    if (strcmp(t->keys[k], name) == 0)
      return (long)k;
  return -1;
}

long bperc_i_table_column(const bperc_i_table *t, const char *name) {
  for (size_t k = 0; k < t->column_count; k++)
    if (strcmp(t->columns[k].name, name) == 0)
      return (long)k;
  return -1;
}

int bperc_i_table_has(const bperc_i_table *t, const char *name) {
  return bperc_i_table_key(t, name) >= 0 || bperc_i_table_column(t, name) >= 0;
}

double bperc_i_table_number(const bperc_i_table *t, const char *name,
                            size_t row) {
  long k = bperc_i_table_key(t, name);
  if (k >= 0)
    return t->rows[row].numbers[k];
  k = bperc_i_table_column(t, name);
  return k >= 0 ? t->columns[k].cells[row].mean : NAN;
}

/* The fewest batches that any of the cells can have; 0: none has batches. */
size_t bperc_i_most_batches(const bperc_i_table_cell *const *cells,
                            size_t count) {
  size_t most = 0;
  for (size_t k = 0; k < count; k++)
    if (cells[k]->most && (!most || cells[k]->most < most))
      most = cells[k]->most;
  return most;
}

static void pool_means(const bperc_i_table_cell *const *cells, size_t count,
                       bperc_i_table_cell *out) {
  double sum = 0, square = 0;
  size_t n = 0, fewest = SIZE_MAX;
  for (size_t k = 0; k < count; k++)
    if (isfinite(cells[k]->mean)) {
      sum += cells[k]->mean;
      square += cells[k]->sem * cells[k]->sem;
      fewest = cells[k]->n < fewest ? cells[k]->n : fewest;
      n++;
    }
  out->mean = out->median = n ? sum / (double)n : NAN;
  out->sem = n ? sqrt(square) / (double)n : NAN;
  out->n = n ? fewest : 0;
}

static void pool_instance(const bperc_i_table_cell *const *cells, size_t count,
                          uint32_t instance, bperc_i_table_cell *out) {
  double sum = 0, y;
  size_t rows = 0;
  for (size_t k = 0; k < count; k++)
    if (bperc_i_cell_value(cells[k], instance, &y)) {
      sum += y;
      rows++;
    }
  if (rows && 2 * rows >= count) {
    assert(!out->n || out->instances[out->n - 1] < instance);
    out->values[out->n] = sum / (double)rows;
    out->instances[out->n++] = instance;
  }
}

int bperc_i_cell_value(const bperc_i_table_cell *c, uint32_t instance,
                       double *value) {
  size_t low = 0, high = c->values ? c->n : 0;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (c->instances[middle] < instance)
      low = middle + 1;
    else
      high = middle;
  }
  if (!c->values || low == c->n || c->instances[low] != instance)
    return 0;
  *value = c->values[low];
  return 1;
}

uint32_t bperc_i_most_instances(const bperc_i_table_cell *const *cells,
                                size_t count) {
  uint32_t most = 0;
  for (size_t k = 0; k < count; k++)
    if (cells[k]->values && cells[k]->n &&
        cells[k]->instances[cells[k]->n - 1] >= most)
      most = cells[k]->instances[cells[k]->n - 1] + 1;
  return most;
}

int bperc_i_pool(const bperc_i_table_cell *const *cells, size_t count,
                 bperc_i_table_cell *out) {
  uint32_t most = bperc_i_most_instances(cells, count);
  int by_instance = most > 0;
  *out =
      (bperc_i_table_cell){.mean = NAN, .sem = NAN, .median = NAN, .exact = 1};
  for (size_t k = 0; k < count; k++) {
    out->exact &= cells[k]->exact;
    by_instance &= cells[k]->values || !cells[k]->n;
  }
  if (!by_instance || out->exact) {
    pool_means(cells, count, out);
    return 1;
  }
  if (!bperc_i_cell_room(out, most))
    return 0;
  for (uint32_t i = 0; i < most; i++)
    pool_instance(cells, count, i, out);
  bperc_i_cell_finish(out, 0);
  out->most = bperc_i_most_batches(cells, count);
  return 1;
}
