/* Tables as text: tab-separated columns, and names for gnuplot. */
#include "lab/table/table.h"

#include "base/number.h"
#include "lab/base/memory.h"
#include "lab/base/text.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- what a table has */

size_t bperc_tables_count(const bperc_tables *t) { return t->count; }

size_t bperc_table_rows(const bperc_tables *t, size_t k) {
  return t->tables[k]->row_count;
}

size_t bperc_table_keys(const bperc_tables *t, size_t k) {
  return t->tables[k]->key_count;
}

size_t bperc_table_columns(const bperc_tables *t, size_t k) {
  return t->tables[k]->column_count;
}

const char *bperc_table_key_name(const bperc_tables *t, size_t k, size_t key) {
  assert(key < t->tables[k]->key_count);
  return t->tables[k]->keys[key];
}

const char *bperc_table_key(const bperc_tables *t, size_t k, size_t row,
                            size_t key) {
  assert(row < t->tables[k]->row_count && key < t->tables[k]->key_count);
  return t->tables[k]->rows[row].texts[key];
}

const char *bperc_table_column_name(const bperc_tables *t, size_t k,
                                    size_t column) {
  assert(column < t->tables[k]->column_count);
  return t->tables[k]->columns[column].name;
}

int bperc_table_is_count(const bperc_tables *t, size_t k, size_t column) {
  assert(column < t->tables[k]->column_count);
  return t->tables[k]->columns[column].plain;
}

bperc_table_cell bperc_table_value(const bperc_tables *t, size_t k, size_t row,
                                   size_t column) {
  const bperc_i_table_cell *c;
  assert(row < t->tables[k]->row_count && column < t->tables[k]->column_count);
  c = &t->tables[k]->columns[column].cells[row];
  return (bperc_table_cell){c->mean, c->sem,    c->median,
                            c->n,    c->values, c->instances};
}

const char *bperc_tables_name(const bperc_tables *t, size_t k) {
  return t->tables[k]->name;
}

static void add_number_text(bperc_i_text *out, double value) {
  if (isfinite(value))
    bperc_i_text_format(out, "%.9g", value == 0 ? 0.0 : value);
  else
    bperc_i_text_add(out, "nan");
}

static void add_head(const bperc_i_table *t, bperc_i_text *out) {
  const char *tab = "";
  for (size_t k = 0; k < t->key_count; k++, tab = "\t")
    bperc_i_text_format(out, "%s%s", tab, t->keys[k]);
  for (size_t c = 0; c < t->column_count; c++, tab = "\t") {
    const char *name = t->columns[c].name;
    bperc_i_text_format(out, "%s%s", tab, name);
    if (!t->columns[c].plain)
      bperc_i_text_format(out, "\t%s_sem\t%s_median\t%s_n", name, name, name);
  }
  bperc_i_text_add(out, "\n");
}

static void add_table_row(const bperc_i_table *t, size_t r, bperc_i_text *out) {
  const char *tab = "";
  for (size_t k = 0; k < t->key_count; k++, tab = "\t")
    bperc_i_text_format(out, "%s%s", tab, t->rows[r].texts[k]);
  for (size_t c = 0; c < t->column_count; c++, tab = "\t") {
    const bperc_i_table_cell *cell = &t->columns[c].cells[r];
    bperc_i_text_add(out, tab);
    add_number_text(out, cell->mean);
    if (t->columns[c].plain)
      continue;
    bperc_i_text_add(out, "\t");
    add_number_text(out, cell->sem);
    bperc_i_text_add(out, "\t");
    add_number_text(out, cell->median);
    bperc_i_text_format(out, "\t%zu", cell->n);
  }
  bperc_i_text_add(out, "\n");
}

char *bperc_table_text(const bperc_tables *tables, size_t number) {
  const bperc_i_table *t = tables->tables[number];
  bperc_i_text out = {0};
  add_head(t, &out);
  for (size_t r = 0; r < t->row_count; r++)
    add_table_row(t, r, &out);
  return bperc_i_text_take(&out);
}

static void add_identifier(const char *name, bperc_i_text *out) {
  for (; *name; name++)
    bperc_i_text_add_bytes(out, isalnum((unsigned char)*name) ? name : "_", 1);
}

/* Whether the set has the text; adds it. slots: a power of two, never full. */
static int seen_before(const char **set, size_t slots, const char *text) {
  size_t at = (size_t)bperc_i_hash_word(text) & (slots - 1);
  for (; set[at]; at = (at + 1) & (slots - 1))
    if (strcmp(set[at], text) == 0)
      return 1;
  set[at] = text;
  return 0;
}

/* The same without memory for a set: by looking through the rows before. */
static int stood_before(const bperc_i_table *t, size_t key, size_t row) {
  for (size_t r = 0; r < row; r++)
    if (strcmp(t->rows[r].texts[key], t->rows[row].texts[key]) == 0)
      return 1;
  return 0;
}

/* Different texts of a key, in the order of rows. */
static void add_values(const bperc_i_table *t, size_t key, bperc_i_text *out) {
  const char *blank = "", **set, *before = NULL;
  size_t slots = 2;
  while (slots < 2 * t->row_count)
    slots *= 2;
  set = bperc_calloc(slots, sizeof *set);
  for (size_t r = 0; r < t->row_count; r++) {
    const char *text = t->rows[r].texts[key];
    if (before && strcmp(before, text) == 0)
      continue;
    before = text;
    if (set ? seen_before(set, slots, text) : stood_before(t, key, r))
      continue;
    bperc_i_text_format(out, "%s%s", blank, text);
    blank = " ";
  }
  bperc_free(set);
}

static void add_variables(const bperc_tables *tables, bperc_i_text *out) {
  bperc_i_text_format(out, "scale = \"%s\"\n", bperc_scale_name(tables->scale));
  for (size_t n = 0; n < tables->count; n++) {
    const bperc_i_table *t = tables->tables[n];
    add_identifier(t->name, out);
    bperc_i_text_format(out, " = \"%s.tsv\"\n", t->name);
    for (size_t k = 0; k < t->key_count; k++) {
      if (strcmp(t->keys[k], "k") == 0)
        continue;
      add_identifier(t->name, out);
      bperc_i_text_add(out, "_");
      add_identifier(t->keys[k], out);
      bperc_i_text_format(out, " = \"");
      add_values(t, k, out);
      bperc_i_text_format(out, "\"\n");
    }
    for (size_t k = 0; t->block && k < t->block->parameter_count; k++) {
      const bperc_i_parameter *q = &t->block->parameters[k];
      if (q->is_list)
        continue;
      add_identifier(t->name, out);
      bperc_i_text_add(out, "_");
      add_identifier(q->name, out);
      bperc_i_text_format(out, " = \"%s\"\n", q->values[tables->scale][0]);
    }
  }
}

char *bperc_tables_gnuplot(const bperc_tables *tables) {
  bperc_i_text out = {0};
  add_variables(tables, &out);
  return bperc_i_text_take(&out);
}
