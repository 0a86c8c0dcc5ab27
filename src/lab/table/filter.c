/* Choosing rows of tables. */
#include "lab/table/filter.h"

#include "base/number.h"
#include "lab/base/memory.h"
#include "lab/base/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- conditions */

static const char *parse_condition(const char *text, size_t length,
                                   bperc_i_filter *f) {
  size_t name = 0, op = 1, rest;
  char *end;
  while (name < length && !strchr("<>=!", text[name]))
    name++;
  if (name + 1 < length && text[name + 1] == '=')
    op = 2;
  rest = length - name - op;
  if (name == 0 || name >= 64 || name + op >= length || rest >= 64 ||
      (text[name] == '!' && op == 1))
    return "a condition is name<number, with < > <= >= = or !=";
  memset(&f->conditions[f->count], 0, sizeof f->conditions[0]);
  memcpy(f->conditions[f->count].name, text, name);
  memcpy(f->conditions[f->count].op, text + name, op);
  memcpy(f->conditions[f->count].text, text + name + op, rest);
  f->conditions[f->count].number =
      bperc_i_strtod(f->conditions[f->count].text, &end);
  f->conditions[f->count].is_number = *end == 0;
  f->count++;
  return NULL;
}

const char *bperc_i_filter_parse(const char *text, bperc_i_filter *f) {
  const char *wrong = NULL;
  f->count = 0;
  while (*text && !wrong) {
    size_t length = strcspn(text, ",");
    if (f->count == BPERC_I_CONDITIONS)
      return "too many conditions";
    wrong = parse_condition(text, length, f);
    text += length + (text[length] == ',');
  }
  return wrong;
}

const char *bperc_i_filter_unknown(const bperc_i_filter *f,
                                   const bperc_i_table *t) {
  for (size_t k = 0; k < f->count; k++)
    if (!bperc_i_table_has(t, f->conditions[k].name))
      return f->conditions[k].name;
  return NULL;
}

static int compare(const char *op, double a, double b) {
  double slack = 1e-9 * fmax(fabs(a), fabs(b)); /* 0.3 and 0.1 + 0.2 */
  if (!strcmp(op, "=") || !strcmp(op, "=="))
    return fabs(a - b) <= slack;
  if (!strcmp(op, "!="))
    return fabs(a - b) > slack;
  if (op[0] == '<')
    return op[1] ? a <= b + slack : a < b - slack;
  return op[1] ? a >= b - slack : a > b + slack;
}

int bperc_i_filter_pass(const bperc_i_filter *f, const bperc_i_table *t,
                        size_t row) {
  for (size_t k = 0; k < f->count; k++) {
    long key = bperc_i_table_key(t, f->conditions[k].name);
    if (!f->conditions[k].is_number && key >= 0) {
      int same = !strcmp(t->rows[row].texts[key], f->conditions[k].text);
      if (same == (f->conditions[k].op[0] == '!'))
        return 0;
    } else if (!compare(f->conditions[k].op,
                        bperc_i_table_number(t, f->conditions[k].name, row),
                        f->conditions[k].number))
      return 0;
  }
  return 1;
}

/* ---- selections */

void bperc_i_selection_clear(bperc_i_selection *s) {
  bperc_free(s->cells);
  bperc_free(s->rows);
  *s = (bperc_i_selection){0};
}

/* Whether a column has random values and all of them are 0 or 1. */
static int is_yes_no(const bperc_i_column *column, size_t rows) {
  size_t seen = 0;
  for (size_t r = 0; r < rows; r++) {
    const bperc_i_table_cell *c = &column->cells[r];
    if (c->n && (c->exact || !c->values))
      return 0;
    for (size_t k = 0; k < c->n; k++, seen++)
      if (c->values[k] != 0 && c->values[k] != 1)
        return 0;
  }
  return seen > 0;
}

bperc_status bperc_i_select(const bperc_tables *tables, const char *name,
                            const char *y, const bperc_i_filter *f,
                            bperc_i_selection *s, char *wrong, size_t size) {
  const bperc_i_table *t = bperc_i_table_find(tables, name);
  long column = t ? bperc_i_table_column(t, y) : -1;
  const char *bad;
  *s = (bperc_i_selection){.table = t};
  if (!t || column < 0) {
    snprintf(wrong, size,
             t ? "table '%s' has no column '%s'" : "there is no table '%s'",
             name, y);
    return BPERC_E_FORMAT;
  }
  if ((bad = bperc_i_filter_unknown(f, t))) {
    snprintf(wrong, size, "table '%s' has no column '%s'", name, bad);
    return BPERC_E_FORMAT;
  }
  s->cells = bperc_alloc(t->row_count, sizeof *s->cells);
  s->rows = bperc_alloc(t->row_count, sizeof *s->rows);
  if (!s->cells || !s->rows) {
    bperc_i_selection_clear(s);
    snprintf(wrong, size, "no memory");
    return BPERC_E_MEMORY;
  }
  for (size_t r = 0; r < t->row_count; r++)
    if (bperc_i_filter_pass(f, t, r)) {
      s->cells[s->count] = &t->columns[column].cells[r];
      s->rows[s->count++] = r;
    }
  s->yes_no = is_yes_no(&t->columns[column], t->row_count);
  return BPERC_OK;
}

size_t bperc_i_other_keys(const bperc_i_table *t, const char *without,
                          size_t *keys) {
  size_t count = 0;
  for (size_t k = 0; k < t->key_count; k++)
    if (strcmp(t->keys[k], "k") && strcmp(without, t->keys[k]))
      keys[count++] = k;
  return count;
}

/* ---- rows by their keys */

static size_t hash_keys(const bperc_i_table *t, size_t row, const size_t *keys,
                        size_t count) {
  bperc_i_hash h = bperc_i_hash_start();
  for (size_t k = 0; k < count; k++) {
    const char *text = t->rows[row].texts[keys[k]];
    bperc_i_hash_add(&h, text, strlen(text) + 1);
  }
  return (size_t)(h.high ^ h.low);
}

int bperc_i_index_open(const bperc_i_selection *s, const size_t *keys,
                       size_t key_count, bperc_i_index *out) {
  size_t slots = 2;
  while (slots < 2 * s->count)
    slots *= 2;
  assert(s->count < slots); /* a search ends at an empty slot */
  *out = (bperc_i_index){s, keys, key_count, NULL, slots - 1};
  out->slots = bperc_calloc(slots, sizeof *out->slots);
  return out->slots != NULL;
}

void bperc_i_index_clear(bperc_i_index *i) { bperc_free(i->slots); }

/* Whether row q of the index agrees with this one. */
static int agrees(const bperc_i_index *i, size_t q, const bperc_i_table *t,
                  size_t row, const size_t *keys) {
  const bperc_i_table_row *own = &i->s->table->rows[i->s->rows[q]];
  for (size_t k = 0; k < i->key_count; k++)
    if (strcmp(own->texts[i->keys[k]], t->rows[row].texts[keys[k]]))
      return 0;
  return 1;
}

size_t *bperc_i_index_slot(const bperc_i_index *i, const bperc_i_table *t,
                           size_t row, const size_t *keys) {
  size_t at = hash_keys(t, row, keys, i->key_count) & i->mask;
  while (i->slots[at] && !agrees(i, i->slots[at] - 1, t, row, keys))
    at = (at + 1) & i->mask;
  return &i->slots[at];
}

size_t bperc_i_group_rows(const bperc_i_selection *s, const size_t *keys,
                          size_t key_count, size_t *group) {
  bperc_i_index index;
  size_t groups = 0;
  if (!bperc_i_index_open(s, keys, key_count, &index))
    return 0;
  for (size_t r = 0; r < s->count; r++) {
    size_t *slot = bperc_i_index_slot(&index, s->table, s->rows[r], keys);
    group[r] = *slot ? group[*slot - 1] : groups++;
    *slot = *slot ? *slot : r + 1;
  }
  bperc_i_index_clear(&index);
  assert(groups <= s->count);
  return groups;
}

void bperc_i_row_label(const bperc_i_table *t, size_t row, const size_t *keys,
                       size_t key_count, char *out, size_t size) {
  size_t used = 0;
  out[0] = 0;
  for (size_t k = 0; k < key_count && used < size; k++)
    used += (size_t)snprintf(out + used, size - used, "%s%s=%s", k ? " " : "",
                             t->keys[keys[k]], t->rows[row].texts[keys[k]]);
}
