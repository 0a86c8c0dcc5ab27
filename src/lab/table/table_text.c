/* Tables as text: tab-separated columns, and names for gnuplot. */
#include "lab/table/table.h"

#include "base/number.h"
#include "lab/base/memory.h"
#include "lab/base/text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

size_t bperc_tables_count(const bperc_tables *t) { return t->count; }

const char *bperc_tables_name(const bperc_tables *t, size_t k) {
  return t->tables[k]->name;
}

static void print_number(double value, FILE *out) {
  if (isfinite(value))
    bperc_i_fprintf(out, "%.9g", value == 0 ? 0.0 : value);
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
    const bperc_i_table_cell *cell = &t->columns[c].cells[r];
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
static void print_values(const bperc_i_table *t, size_t key, FILE *out) {
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
    fprintf(out, "%s%s", blank, text);
    blank = " ";
  }
  bperc_free(set);
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
