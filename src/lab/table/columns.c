/* Columns by a formula over the means of a row, with the jackknife over
 * instances as error: every row has a value for all instances of the table. */
#include "lab/table/derive.h"

#include "lab/base/memory.h"
#include "lab/table/expression.h"
#include "lab/table/table.h"

#include <math.h>
#include <string.h>

static double evaluate(const void *context, const double *means) {
  return bperc_i_expression_value(context, means);
}

/* The cell of a name: a column, or a key as a number without error. */
static int variable_cell(const bperc_i_table *t, const char *name, size_t row,
                         const bperc_i_table_cell **out,
                         bperc_i_table_cell *scratch) {
  long column = bperc_i_table_column(t, name), key = bperc_i_table_key(t, name);
  if (column >= 0)
    *out = &t->columns[column].cells[row];
  else if (key >= 0) {
    *scratch =
        (bperc_i_table_cell){.mean = t->rows[row].numbers[key], .exact = 1};
    *out = scratch;
  }
  return column >= 0 || key >= 0;
}

typedef struct {
  bperc_i_expression e;
  const bperc_i_table_cell *cells[BPERC_I_EXPRESSION_NAMES];
  bperc_i_table_cell scratch[BPERC_I_EXPRESSION_NAMES];
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

static void mark(const bperc_i_table_cell *c, uint8_t *seen) {
  for (size_t i = 0; c->values && i < c->n; i++)
    seen[c->instances[i]] = 1;
}

static uint32_t most_of(const bperc_i_table *t) {
  uint32_t most = 0;
  for (size_t c = 0; c < t->column_count; c++)
    for (size_t r = 0; r < t->row_count; r++) {
      const bperc_i_table_cell *cell = &t->columns[c].cells[r];
      if (cell->values && cell->n && cell->instances[cell->n - 1] >= most)
        most = cell->instances[cell->n - 1] + 1;
    }
  return most;
}

/* f->who; 0 when memory lacks. */
static int find_instances(formula *f, const bperc_i_table *t) {
  uint32_t most = most_of(t);
  uint8_t *seen = bperc_calloc(most, 1);
  f->who = bperc_alloc(most, sizeof *f->who);
  for (size_t r = 0; seen && f->who && r < t->row_count; r++) {
    load_row(f, t, r);
    for (size_t v = 0; v < f->e.name_count; v++)
      mark(f->cells[v], seen);
  }
  for (uint32_t i = 0; seen && f->who && i < most; i++)
    if (seen[i])
      f->who[f->n++] = i;
  bperc_free(seen);
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
  bperc_free(f.who);
  return good ? BPERC_OK
              : bperc_error_set(error, BPERC_E_MEMORY, "no memory for a table");
}

bperc_status bperc_i_columns_add(bperc_tables *t, const bperc_i_section *s,
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
