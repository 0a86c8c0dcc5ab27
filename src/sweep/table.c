/* Tables from the store, and tables as text. */
#include "sweep/table.h"

#include "base/alloc.h"
#include "sweep/statistic.h"
#include "sweep/store.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the structure */

static void free_texts(char **texts, size_t count) {
  for (size_t k = 0; texts && k < count; k++)
    bperc_i_free(texts[k]);
  bperc_i_free(texts);
}

static void clear_table(bperc_i_table *t) {
  for (size_t r = 0; t->rows && r < t->row_count; r++) {
    free_texts(t->rows[r].texts, t->key_count);
    bperc_i_free(t->rows[r].numbers);
  }
  for (size_t c = 0; c < t->column_count; c++) {
    for (size_t r = 0; r < t->row_count; r++)
      bperc_i_cell_clear(&t->columns[c].cells[r]);
    bperc_i_free(t->columns[c].cells);
    bperc_i_free(t->columns[c].name);
  }
  bperc_i_free(t->columns);
  bperc_i_free(t->rows);
  free_texts(t->keys, t->key_count);
  bperc_i_free(t->name);
  bperc_i_free(t);
}

void bperc_tables_free(bperc_tables *t) {
  if (!t)
    return;
  for (size_t k = 0; k < t->count; k++)
    clear_table(t->tables[k]);
  bperc_i_free(t->tables);
  bperc_i_free(t);
}

static int allocate_rows(bperc_i_table *t) {
  t->rows = bperc_i_calloc(t->row_count, sizeof *t->rows);
  for (size_t r = 0; t->rows && r < t->row_count; r++) {
    t->rows[r].texts = bperc_i_calloc(t->key_count, sizeof(char *));
    t->rows[r].numbers = bperc_i_calloc(t->key_count, sizeof(double));
    if (!t->rows[r].texts || !t->rows[r].numbers)
      return 0;
  }
  return t->rows != NULL;
}

bperc_i_table *bperc_i_table_add(bperc_tables *tables, const char *name,
                                 const char *const *keys, size_t key_count,
                                 size_t rows) {
  bperc_i_table *t;
  int bad;
  if (tables->count == tables->room) {
    size_t room = tables->room ? 2 * tables->room : 8;
    bperc_i_table **list = bperc_i_realloc(
        tables->tables, tables->count * sizeof *list, room * sizeof *list);
    if (!list)
      return NULL;
    tables->tables = list;
    tables->room = room;
  }
  t = bperc_i_alloc(1, sizeof *t);
  if (!t)
    return NULL;
  tables->tables[tables->count++] = t;
  *t = (bperc_i_table){.key_count = key_count, .row_count = rows};
  t->name = bperc_i_strdup(name);
  t->keys = bperc_i_calloc(key_count, sizeof *t->keys);
  bad = !t->name || !t->keys || !allocate_rows(t);
  for (size_t k = 0; !bad && k < key_count; k++)
    bad = !(t->keys[k] = bperc_i_strdup(keys[k]));
  return bad ? NULL : t;
}

bperc_i_column *bperc_i_column_add(bperc_i_table *t, const char *name) {
  bperc_i_column *c = bperc_i_realloc(t->columns, t->column_count * sizeof *c,
                                      (t->column_count + 1) * sizeof *c);
  if (!c)
    return NULL;
  t->columns = c;
  c += t->column_count;
  c->plain = 0;
  c->name = bperc_i_strdup(name);
  c->cells = bperc_i_calloc(t->row_count, sizeof *c->cells);
  if (!c->name || !c->cells) {
    bperc_i_free(c->name);
    bperc_i_free(c->cells);
    return NULL;
  }
  t->column_count++;
  for (size_t r = 0; r < t->row_count; r++)
    c->cells[r] = (bperc_i_cell){.mean = NAN, .sem = NAN, .median = NAN};
  return c;
}

int bperc_i_row_set(bperc_i_table *t, size_t row, size_t key,
                    const char *text) {
  char *end;
  t->rows[row].texts[key] = bperc_i_strdup(text);
  t->rows[row].numbers[key] = strtod(text, &end);
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

double bperc_i_table_number(const bperc_i_table *t, const char *name,
                            size_t row) {
  long k = bperc_i_table_key(t, name);
  if (k >= 0)
    return t->rows[row].numbers[k];
  k = bperc_i_table_column(t, name);
  return k >= 0 ? t->columns[k].cells[row].mean : NAN;
}

/* ---- from the store */

typedef struct {
  bperc_tables *tables;
  const bperc_i_block *block;
  bperc_i_points points;
  bperc_record **records; /* point-major, NULL where there is none */
  size_t instances;
  size_t *found, *failed; /* per point */
} collection;

static bperc_record *record_at(const collection *c, size_t point, size_t i) {
  return c->records[point * c->instances + i];
}

static bperc_status fetch(collection *c, bperc_store *store, uint64_t seed,
                          bperc_error *error) {
  for (size_t p = 0; p < c->points.count; p++)
    for (size_t i = 0; i < c->instances; i++) {
      bperc_i_stored stored;
      int found;
      bperc_i_identity id =
          bperc_i_point_identity(&c->points.points[p], seed, (uint32_t)i);
      bperc_status status =
          bperc_i_store_get(store, id.key, &stored, &found, error);
      if (status != BPERC_OK)
        return status;
      c->records[p * c->instances + i] = stored.record;
      c->found[p] += found > 0;
      c->failed[p] += found < 0;
      c->tables->missing += found == 0;
      c->tables->failed += found < 0;
    }
  return BPERC_OK;
}

static size_t group_length(const char *name) {
  const char *slash = strchr(name, '/');
  return slash ? (size_t)(slash - name) : 0;
}

/* Whether item k of a record belongs to the group ("" for scalars). */
static int in_group(const bperc_record *r, size_t k, const char *group) {
  const char *name = bperc_record_name(r, k);
  size_t length = group_length(name), count;
  int is_vector;
  bperc_record_values(r, k, &count, &is_vector);
  if (!*group)
    return !is_vector;
  return is_vector && length == strlen(group) &&
         strncmp(name, group, length) == 0;
}

static const char *short_name(const char *name) {
  size_t length = group_length(name);
  return name + length + (length > 0);
}

static size_t longest(const collection *c, size_t point, const char *group) {
  size_t most = 0;
  for (size_t i = 0; i < c->instances; i++) {
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

static const double *item_named(const bperc_record *r, const char *group,
                                const char *name, size_t *count) {
  int is_vector;
  for (size_t k = 0; r && k < bperc_record_count(r); k++)
    if (in_group(r, k, group) &&
        strcmp(short_name(bperc_record_name(r, k)), name) == 0)
      return bperc_record_values(r, k, count, &is_vector);
  *count = 0;
  return NULL;
}

/* The cell of one column at one point and position. */
static int fill_cell(const collection *c, size_t point, size_t position,
                     const char *group, const char *name, bperc_i_cell *cell) {
  cell->values = bperc_i_alloc(c->instances, sizeof(double));
  cell->instances = bperc_i_alloc(c->instances, sizeof(uint32_t));
  if (!cell->values || !cell->instances)
    return 0;
  for (size_t i = 0; i < c->instances; i++) {
    size_t count;
    const double *v = item_named(record_at(c, point, i), group, name, &count);
    if (v && position < count && isfinite(v[position])) {
      cell->values[cell->n] = v[position];
      cell->instances[cell->n++] = (uint32_t)i;
    }
  }
  bperc_i_cell_finish(cell, !c->block->measurement->seeded_by);
  return 1;
}

static int add_columns(const collection *c, bperc_i_table *t,
                       const char *group) {
  for (size_t q = 0; q < c->points.count * c->instances; q++) {
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
    bperc_i_cell *c = &column->cells[r];
    c->mean = c->median = (double)counts[r];
    c->sem = 0;
    c->n = 1;
  }
  return 1;
}

/* Rows of one point: its parameters, its position, its cells. */
static int fill_rows(const collection *c, bperc_i_table *t, const char *group,
                     size_t point, size_t first, size_t count) {
  const bperc_i_point *p = &c->points.points[point];
  char text[32];
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
    if (*group && !bperc_i_row_set(t, r, key, text))
      return 0;
    for (size_t k = 0; k < t->column_count; k++)
      if (!fill_cell(c, point, r - first, group, t->columns[k].name,
                     &t->columns[k].cells[r]))
        return 0;
  }
  return 1;
}

static int make_table(collection *c, const char *group) {
  const char *keys[64];
  char name[160];
  size_t key_count = 0, rows = 0, row = 0;
  bperc_i_table *t;
  for (size_t k = 0; k < c->block->parameter_count && key_count < 62; k++)
    if (c->block->parameters[k].is_list)
      keys[key_count++] = c->block->parameters[k].name;
  if (*group)
    keys[key_count++] = "k";
  for (size_t p = 0; p < c->points.count; p++)
    rows += *group ? longest(c, p, group) : 1;
  snprintf(name, sizeof name, "%s%s%s", c->block->name, *group ? "." : "",
           group);
  t = bperc_i_table_add(c->tables, name, keys, key_count, rows);
  if (!t || !add_columns(c, t, group))
    return 0;
  t->block = c->block;
  for (size_t p = 0; p < c->points.count; p++) {
    size_t count = *group ? longest(c, p, group) : 1;
    if (!fill_rows(c, t, group, p, row, count))
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
  for (size_t q = 0; q < c->points.count * c->instances; q++) {
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
  collection c = {.tables = t, .block = b, .instances = b->instances[t->scale]};
  bperc_status status =
      bperc_i_points_expand(t->x, b, t->scale, &c.points, error);
  if (status != BPERC_OK)
    return status;
  c.records = bperc_i_calloc(c.points.count * c.instances, sizeof *c.records);
  c.found = bperc_i_calloc(c.points.count, sizeof *c.found);
  c.failed = bperc_i_calloc(c.points.count, sizeof *c.failed);
  if (!c.records || !c.found || !c.failed)
    status = bperc_error_set(error, BPERC_E_MEMORY, "no memory for a table");
  else
    status = fetch(&c, store, t->seed, error);
  if (status == BPERC_OK && !make_tables(&c))
    status = bperc_error_set(error, BPERC_E_MEMORY, "no memory for a table");
  for (size_t q = 0; c.records && q < c.points.count * c.instances; q++)
    bperc_record_free(c.records[q]);
  bperc_i_free(c.records);
  bperc_i_free(c.found);
  bperc_i_free(c.failed);
  bperc_i_points_clear(&c.points);
  return status;
}

bperc_status bperc_tables_collect(const bperc_experiment *x, bperc_store *store,
                                  bperc_scale scale, uint64_t seed,
                                  bperc_tables **out, bperc_error *error) {
  bperc_tables *t = bperc_i_calloc(1, sizeof *t);
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
    status = bperc_i_tables_derive(t, error);
  if (status == BPERC_OK)
    *out = t;
  else
    bperc_tables_free(t);
  return status;
}

/* ---- as text */

size_t bperc_tables_count(const bperc_tables *t) { return t->count; }

const char *bperc_tables_name(const bperc_tables *t, size_t k) {
  return t->tables[k]->name;
}

static void print_number(double value, FILE *out) {
  if (isfinite(value))
    fprintf(out, "%.9g", value == 0 ? 0.0 : value);
  else
    fprintf(out, "nan");
}

static void print_head(const bperc_i_table *t, FILE *out) {
  const char *tab = "";
  for (size_t k = 0; k < t->key_count; k++, tab = "\t")
    fprintf(out, "%s%s", tab, t->keys[k]);
  for (size_t c = 0; c < t->column_count; c++, tab = "\t") {
    const char *name = t->columns[c].name;
    fprintf(out, "%s%s", tab, name);
    if (!t->columns[c].plain)
      fprintf(out, "\t%s_sem\t%s_median\t%s_n", name, name, name);
  }
  fputc('\n', out);
}

static void print_row(const bperc_i_table *t, size_t r, FILE *out) {
  const char *tab = "";
  for (size_t k = 0; k < t->key_count; k++, tab = "\t")
    fprintf(out, "%s%s", tab, t->rows[r].texts[k]);
  for (size_t c = 0; c < t->column_count; c++, tab = "\t") {
    const bperc_i_cell *cell = &t->columns[c].cells[r];
    fputs(tab, out);
    print_number(cell->mean, out);
    if (t->columns[c].plain)
      continue;
    fputc('\t', out);
    print_number(cell->sem, out);
    fputc('\t', out);
    print_number(cell->median, out);
    fprintf(out, "\t%zu", cell->n);
  }
  fputc('\n', out);
}

void bperc_tables_print(const bperc_tables *tables, size_t number, FILE *out) {
  const bperc_i_table *t = tables->tables[number];
  print_head(t, out);
  for (size_t r = 0; r < t->row_count; r++)
    print_row(t, r, out);
}

static void print_identifier(const char *name, FILE *out) {
  for (; *name; name++)
    fputc(isalnum((unsigned char)*name) ? *name : '_', out);
}

/* Different texts of a key, in the order of rows. */
static void print_values(const bperc_i_table *t, size_t key, FILE *out) {
  const char *blank = "";
  for (size_t r = 0; r < t->row_count; r++) {
    int seen = 0;
    for (size_t s = 0; s < r && !seen; s++)
      seen = strcmp(t->rows[s].texts[key], t->rows[r].texts[key]) == 0;
    if (!seen)
      fprintf(out, "%s%s", blank, t->rows[r].texts[key]);
    blank = " ";
  }
}

void bperc_tables_print_gnuplot(const bperc_tables *tables, FILE *out) {
  fprintf(out, "scale = \"%s\"\n", bperc_scale_name(tables->scale));
  for (size_t n = 0; n < tables->count; n++) {
    const bperc_i_table *t = tables->tables[n];
    print_identifier(t->name, out);
    fprintf(out, " = \"%s.tsv\"\n", t->name);
    for (size_t k = 0; k < t->key_count; k++) {
      if (strcmp(t->keys[k], "k") == 0)
        continue;
      print_identifier(t->name, out);
      fputc('_', out);
      print_identifier(t->keys[k], out);
      fprintf(out, " = \"");
      print_values(t, k, out);
      fprintf(out, "\"\n");
    }
    for (size_t k = 0; t->block && k < t->block->parameter_count; k++) {
      const bperc_i_parameter *q = &t->block->parameters[k];
      if (q->is_list)
        continue;
      print_identifier(t->name, out);
      fputc('_', out);
      print_identifier(q->name, out);
      fprintf(out, " = \"%s\"\n", q->values[tables->scale][0]);
    }
  }
}
