/* Learning an encoding from the training rows: one pass for the kind of every
 * column and the label's values, further passes for the cuts of numbers and
 * the texts of categories, as many columns at a time as memory allows. */
#include "data/encoding.h"

#include "base/alloc.h"
#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_LABELS = 1000,
  MOST_CATEGORIES = 256,
  MOST_CLASSES = 255,
  SOME_ROWS = 20, /* before a column can be taken for row numbers or names */
  MOST_LEVELS = 255,
  VALUES_AT_ONCE = 1 << 23 /* 64 MiB of numbers */
};

typedef struct {
  unsigned char used, not_bit, not_number;
  unsigned char not_date;   /* some text is no date */
  unsigned char not_rising; /* some number is not the one before plus 1 */
  uint32_t texts;           /* cells that are no numbers, as many as fit */
  size_t first_text;        /* the line of the first of them */
  size_t missing;           /* cells without a value */
  double last;
  size_t rule; /* its place among the rules */
} column;

typedef enum { QUANTILES, MEAN, VALUE } cut_rule;

typedef struct {
  bperc_i_records *table;
  const bperc_data_options *options;
  column *columns;
  size_t label, rows;
  bperc_i_texts labels; /* different values of the label column */
  bperc_i_missing_words missing;
  cut_rule rule;
  size_t levels;
  double value;
  bperc_encoding *out;
} learner;

static bperc_status no_memory_to_learn(const learner *l, bperc_error *error) {
  return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory for %zu columns",
                         l->table->path, l->table->columns);
}

/* ---- what the options say */

static bperc_status read_binarise(learner *l, bperc_error *error) {
  const char *text = l->options->binarise ? l->options->binarise : "median";
  char *end;
  l->rule = QUANTILES;
  l->levels = 1;
  if (!l->options->binarise && l->options->levels)
    l->levels = l->options->levels;
  if (strcmp(text, "median") == 0)
    return BPERC_OK;
  if (strcmp(text, "mean") == 0) {
    l->rule = MEAN;
    return BPERC_OK;
  }
  if (strncmp(text, "levels=", 7) == 0) {
    l->levels = strtoul(text + 7, &end, 10);
    if (end != text + 7 && !*end && l->levels >= 1 && l->levels <= MOST_LEVELS)
      return BPERC_OK;
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "binarise: '%s' is not levels=K with K from 1 to %d",
                           text, MOST_LEVELS);
  }
  l->rule = VALUE;
  l->value = bperc_i_strtod(text, &end);
  if (end != text && !*end && isfinite(l->value))
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_ARGUMENT,
                         "binarise: '%s' is not median, mean, levels=K or a "
                         "number",
                         text);
}

size_t bperc_i_column_called(const bperc_i_records *t, const char *name) {
  size_t at = bperc_i_source_find(t, name);
  char *end;
  unsigned long number;
  if (at != SIZE_MAX)
    return at;
  number = strtoul(name, &end, 10);
  return end != name && !*end && number >= 1 && number <= t->columns
             ? number - 1
             : SIZE_MAX;
}

static bperc_status no_column(const bperc_i_records *t, const char *name,
                              bperc_error *error) {
  return bperc_error_set(error, BPERC_E_ARGUMENT,
                         "%s: there is no column '%s' among its %zu (the first "
                         "is '%s')",
                         t->path, name, t->columns, t->names[0]);
}

static bperc_status choose_columns(learner *l, bperc_error *error) {
  const bperc_i_records *t = l->table;
  const char *wanted = l->options->label;
  if (t->unlabelled)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: its rows have no labels: they begin with a "
                           "pair index:value",
                           t->path);
  l->label = bperc_i_column_called(t, wanted ? wanted : "label");
  if (l->label == SIZE_MAX && wanted)
    return no_column(t, wanted, error);
  if (l->label == SIZE_MAX)
    l->label = 0;
  for (size_t k = 0; k < t->columns; k++)
    l->columns[k].used = k != l->label;
  if (l->options->weight) {
    size_t k = bperc_i_column_called(t, l->options->weight);
    if (k == SIZE_MAX)
      return no_column(t, l->options->weight, error);
    l->columns[k].used = 0;
  }
  for (const char *at = l->options->drop; at && *at;) {
    char name[256];
    size_t length = strcspn(at, ","), k;
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    k = bperc_i_column_called(t, name);
    if (k == SIZE_MAX)
      return no_column(t, name, error);
    l->columns[k].used = 0;
    at += length + (at[length] == ',');
  }
  return BPERC_OK;
}

/* ---- the first pass */

/* Only digits, points, commas and signs, and a comma among them. */
static int comma_in_number(const bperc_i_io_cell *cell) {
  int digits = 0, commas = 0;
  for (size_t k = 0; cell->text && k < cell->length; k++) {
    char c = cell->text[k];
    digits += c >= '0' && c <= '9';
    commas += c == ',';
    if (!((c >= '0' && c <= '9') || (c && strchr(",.+- '", c))))
      return 0;
  }
  return digits && commas;
}

/* 2024-05-31, 31.05.2024 or 5/31/2024, and whatever stands behind. */
static int is_date(const bperc_i_io_cell *cell) {
  size_t part[3] = {0, 0, 0}, k = 0, at = 0;
  char mark = 0;
  for (; at < cell->length && k < 3; at++) {
    char c = cell->text[at];
    if (c >= '0' && c <= '9')
      part[k]++;
    else if (k < 2 && part[k] && strchr("-./", c) && (!mark || mark == c)) {
      mark = c;
      k++;
    } else
      break;
  }
  return k == 2 && part[1] <= 2 &&
         ((part[0] == 4 && part[2] >= 1 && part[2] <= 2) ||
          (part[0] <= 2 && (part[2] == 4 || part[2] == 2)));
}

static bperc_status note_text(learner *l, size_t k, bperc_error *error) {
  const bperc_i_io_cell *cell = &l->table->cells[k];
  column *c = &l->columns[k];
  char text[64];
  if (comma_in_number(cell))
    return bperc_i_source_bad(
        l->table, error,
        "column '%s' is '%s': write numbers with a decimal point and without "
        "thousands separators (a decimal comma is read where semicolons or "
        "tabs separate the columns)",
        l->table->names[k], bperc_i_cell_text(cell, text, sizeof text));
  c->not_number = c->not_bit = c->not_rising = 1;
  c->not_date |= !is_date(cell);
  if (!c->texts)
    c->first_text = l->table->line;
  c->texts += c->texts < UINT32_MAX;
  return BPERC_OK;
}

static bperc_status note_cell(learner *l, size_t k, bperc_error *error) {
  const bperc_i_io_cell *cell = &l->table->cells[k];
  column *c = &l->columns[k];
  double value = 0;
  if (bperc_i_cell_missing(cell, &l->missing)) {
    c->missing++;
    c->not_rising = 1;
    return BPERC_OK;
  }
  if (bperc_i_cell_infinite(cell))
    return bperc_i_source_bad(l->table, error,
                              "column '%s' is infinite: give a finite number "
                              "or leave the row out",
                              l->table->names[k]);
  if (!bperc_i_cell_number(cell, &value))
    return note_text(l, k, error);
  if (value != 0 && value != 1)
    c->not_bit = 1;
  if (l->rows > 1 && value != c->last + 1)
    c->not_rising = 1;
  c->last = value;
  return BPERC_OK;
}

static bperc_status note_label(learner *l, bperc_error *error) {
  char text[256];
  const bperc_i_io_cell *cell = &l->table->cells[l->label];
  if (bperc_i_cell_missing(cell, &l->missing))
    return bperc_i_source_bad(l->table, error, "the label '%s' has no value",
                              l->table->names[l->label]);
  bperc_i_cell_text(cell, text, sizeof text);
  for (size_t k = 0; k < l->labels.count; k++)
    if (bperc_i_same_value(l->labels.texts[k], text))
      return BPERC_OK;
  if (l->labels.count == MOST_LABELS)
    return bperc_i_source_bad(l->table, error,
                              "the label '%s' has more than %d different "
                              "values: name another column as label",
                              l->table->names[l->label], MOST_LABELS);
  return bperc_i_texts_add(&l->labels, text) ? BPERC_OK
                                             : no_memory_to_learn(l, error);
}

static bperc_status first_pass(learner *l, bperc_error *error) {
  bperc_i_records *t = l->table;
  const int plain = !l->missing.first['0'] && !l->missing.first['1'];
  for (;;) {
    int more;
    bperc_status status = t->kind->next(t, &more, error);
    if (status == BPERC_OK && bperc_cancelled())
      status = bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
    if (status != BPERC_OK || !more)
      return status;
    l->rows++;
    status = note_label(l, error);
    for (size_t k = 0; status == BPERC_OK && k < t->columns; k++) {
      const bperc_i_io_cell *cell = &t->cells[k];
      int bit = plain && cell->text && cell->length == 1 &&
                (cell->text[0] | 1) == '1';
      if (!bit && l->columns[k].used)
        status = note_cell(l, k, error);
    }
    if (status != BPERC_OK)
      return status;
  }
}

/* A few texts among numbers are slips, not categories. */
static bperc_status check_texts(const learner *l, bperc_error *error) {
  for (size_t k = 0; k < l->table->columns; k++) {
    const column *c = &l->columns[k];
    size_t filled = l->rows - c->missing;
    if (c->texts && 3 * (size_t)c->texts < filled - c->texts)
      return bperc_error_set(
          error, BPERC_E_FORMAT,
          "%s:%zu: column '%s' is not a number here, and is one in %zu of %zu "
          "rows: mend it, or drop the column, or say that this word means a "
          "missing value (missing)",
          l->table->path, c->first_text, l->table->names[k], filled - c->texts,
          l->rows);
    if (c->texts && c->texts == filled && !c->not_date)
      return bperc_error_set(
          error, BPERC_E_FORMAT,
          "%s: column '%s' holds dates: write what counts about them as "
          "numbers (a year, a month, days since an event), or drop it",
          l->table->path, l->table->names[k]);
    if (c->used && !c->texts && c->not_bit && !c->not_rising &&
        l->rows >= SOME_ROWS)
      return bperc_error_set(
          error, BPERC_E_FORMAT,
          "%s: column '%s' numbers the rows: it says nothing about a new row, "
          "so drop it",
          l->table->path, l->table->names[k]);
  }
  return BPERC_OK;
}

/* ---- the label's two values */

static int by_value(const void *a, const void *b) {
  const char *x = *(char *const *)a, *y = *(char *const *)b;
  char *end_x, *end_y;
  double u = bperc_i_strtod(x, &end_x), v = bperc_i_strtod(y, &end_y);
  if (!*end_x && !*end_y && u != v)
    return u < v ? -1 : 1;
  return strcmp(x, y);
}

/* A class of its own for every value. */
static bperc_status all_values(learner *l, bperc_error *error) {
  bperc_encoding *e = l->out;
  const bperc_i_texts *all = &l->labels;
  if (all->count > MOST_CLASSES)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: the label '%s' has %zu different values, and "
                           "at most %d classes are told apart: name another "
                           "column as label, or say which values are positive",
                           l->table->path, e->label, all->count, MOST_CLASSES);
  if (!bperc_i_encoding_classes(e, all->count))
    return no_memory_to_learn(l, error);
  for (size_t v = 0; v < all->count; v++) {
    e->shown[v] = bperc_i_strdup(all->texts[v]);
    if (!e->shown[v] || !bperc_i_texts_add(&e->values[v], all->texts[v]))
      return no_memory_to_learn(l, error);
  }
  return BPERC_OK;
}

static bperc_status own_values(learner *l, bperc_error *error) {
  bperc_encoding *e = l->out;
  const bperc_i_texts *all = &l->labels;
  if (all->count == 1)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: the label '%s' has 1 different value, '%.60s', "
                           "and two are wanted",
                           l->table->path, e->label, all->texts[0]);
  if (all->count != 2 && !l->options->classes)
    return bperc_error_set(
        error, BPERC_E_FORMAT,
        "%s: the label '%s' has %zu different values ('%.30s', '%.30s', "
        "'%.30s'%s), and two are wanted: say which of them count as 1 "
        "(positive)",
        l->table->path, e->label, all->count, all->texts[0], all->texts[1],
        all->texts[2], all->count > 3 ? ", ..." : "");
  return all_values(l, error);
}

static int occurs(const bperc_i_texts *list, const char *text) {
  for (size_t k = 0; k < list->count; k++)
    if (bperc_i_same_value(list->texts[k], text))
      return 1;
  return 0;
}

/* The given values count as 1, all others as 0. */
static bperc_status given_values(learner *l, bperc_error *error) {
  bperc_encoding *e = l->out;
  const char *other = "rest";
  if (!bperc_i_encoding_classes(e, 2))
    return no_memory_to_learn(l, error);
  for (const char *at = l->options->positive; *at;) {
    char text[256];
    size_t length = strcspn(at, ",");
    snprintf(text, sizeof text, "%.*s", (int)length, at);
    if (!occurs(&l->labels, text))
      return bperc_error_set(error, BPERC_E_ARGUMENT,
                             "%s: no row has the label '%s'", l->table->path,
                             text);
    if (!bperc_i_texts_add(&e->values[1], text))
      return no_memory_to_learn(l, error);
    at += length + (at[length] == ',');
  }
  for (size_t k = 0; k < l->labels.count && l->labels.count == 2; k++)
    if (!occurs(&e->values[1], l->labels.texts[k]))
      other = l->labels.texts[k];
  e->shown[0] = bperc_i_strdup(other);
  e->shown[1] = bperc_i_strdup(l->options->positive);
  return e->shown[0] && e->shown[1] ? BPERC_OK : no_memory_to_learn(l, error);
}

static bperc_status settle_labels(learner *l, bperc_error *error) {
  qsort(l->labels.texts, l->labels.count, sizeof *l->labels.texts, by_value);
  l->out->label = bperc_i_strdup(l->table->names[l->label]);
  if (!l->out->label)
    return no_memory_to_learn(l, error);
  return l->options->positive ? given_values(l, error) : own_values(l, error);
}

/* ---- cuts of numbers */

static int by_number(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* A cut low <= x < high, half-way where numbers lie between the two. */
static double cut_between(double low, double high) {
  double middle = low + (high - low) / 2;
  return middle < high ? middle : low;
}

/* A cut between the value at a quantile and the next larger one, so that equal
 * values stay together; NAN when there is none. */
static double cut_at(const double *sorted, size_t count, size_t rank) {
  double v = sorted[rank];
  size_t next = rank;
  while (next < count && sorted[next] == v)
    next++;
  if (next < count)
    return cut_between(v, sorted[next]);
  while (rank > 0 && sorted[rank] == v)
    rank--;
  return sorted[rank] < v ? cut_between(sorted[rank], v) : NAN;
}

static double mean_of(const double *values, size_t count) {
  double sum = 0;
  for (size_t k = 0; k < count; k++)
    sum += values[k] / (double)count;
  return sum;
}

/* Rows before the first one above the cut. */
static size_t rank_of(const double *sorted, size_t count, double cut) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (sorted[middle] > cut)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* Adds a cut in its place unless it is there or splits nothing. */
static void add_cut(const double *sorted, size_t count, double cut,
                    bperc_i_encoding_rule *rule) {
  size_t at = rule->count;
  if (isnan(cut) || !(cut >= sorted[0] && cut < sorted[count - 1]))
    return;
  while (at > 0 && rule->cuts[at - 1] > cut)
    at--;
  if (at > 0 && rule->cuts[at - 1] == cut)
    return;
  memmove(rule->cuts + at + 1, rule->cuts + at,
          (rule->count - at) * sizeof *rule->cuts);
  rule->cuts[at] = cut;
  rule->count++;
}

/* Where many rows have the same value, quantiles fall together. The cuts that
 * are still due split the largest group of rows that can be split, near its
 * middle. Returns whether there was one. */
static int split_largest(const double *sorted, size_t count,
                         bperc_i_encoding_rule *rule) {
  size_t from = 0, best_from = 0, best = 0;
  for (size_t k = 0; k <= rule->count; k++) {
    size_t to = k < rule->count ? rank_of(sorted, count, rule->cuts[k]) : count;
    if (sorted[from] < sorted[to - 1] && to - from > best) {
      best = to - from;
      best_from = from;
    }
    from = to;
  }
  if (best)
    add_cut(sorted, count, cut_at(sorted + best_from, best, (best - 1) / 2),
            rule);
  return best > 0;
}

/* The rule of one column of numbers; a constant column gives no input. */
static int make_cuts(const learner *l, double *values,
                     bperc_i_encoding_rule *rule) {
  size_t want = l->rule == QUANTILES ? l->levels : 1, count = 0;
  rule->cuts = bperc_i_alloc(want + 1, sizeof *rule->cuts);
  if (!rule->cuts)
    return 0;
  for (size_t k = 0; k < l->rows; k++) /* missing ones have no say */
    if (!isnan(values[k]))
      values[count++] = values[k];
  if (!count)
    return 1;
  qsort(values, count, sizeof *values, by_number);
  if (l->rule != QUANTILES) {
    add_cut(values, count, l->rule == MEAN ? mean_of(values, count) : l->value,
            rule);
    return 1;
  }
  for (size_t k = 1; k <= want; k++)
    add_cut(values, count, cut_at(values, count, (count - 1) * k / (want + 1)),
            rule);
  while (rule->count < want && split_largest(values, count, rule))
    ;
  return 1;
}

/* One pass over the table for the numbers of `count` columns. */
static bperc_status gather_column(learner *l, const size_t *which, size_t count,
                                  double *values, bperc_error *error) {
  bperc_i_records *t = l->table;
  bperc_status status = t->kind->rewind(t, error);
  for (size_t row = 0; status == BPERC_OK && row < l->rows; row++) {
    int more;
    status = t->kind->next(t, &more, error);
    if (status == BPERC_OK && bperc_cancelled())
      return bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
    for (size_t k = 0; status == BPERC_OK && k < count; k++) {
      const bperc_i_io_cell *cell = &t->cells[which[k]];
      double *value = &values[k * l->rows + row];
      if (more && bperc_i_cell_missing(cell, &l->missing))
        *value = NAN;
      else if (!more || !bperc_i_cell_number(cell, value))
        status = bperc_i_source_bad(t, error, "changed while it was read");
    }
  }
  return status;
}

static bperc_status learn_numbers(learner *l, const size_t *which,
                                  bperc_i_encoding_rule **rules, size_t count,
                                  bperc_error *error) {
  size_t at_once = VALUES_AT_ONCE / (l->rows + 1) + 1;
  double *values;
  bperc_status status = BPERC_OK;
  if (at_once > count)
    at_once = count;
  values = bperc_i_alloc(at_once * l->rows, sizeof *values);
  if (!values)
    return no_memory_to_learn(l, error);
  for (size_t from = 0; status == BPERC_OK && from < count; from += at_once) {
    size_t now = count - from < at_once ? count - from : at_once;
    status = gather_column(l, which + from, now, values, error);
    for (size_t k = 0; status == BPERC_OK && k < now; k++)
      if (!make_cuts(l, values + k * l->rows, rules[from + k]))
        status = no_memory_to_learn(l, error);
  }
  bperc_i_free(values);
  return status;
}

/* ---- texts of categories */

static bperc_status note_category(learner *l, size_t k,
                                  bperc_i_encoding_rule *rule,
                                  bperc_error *error) {
  char text[256];
  bperc_i_texts list = {rule->texts, rule->count};
  int good;
  if (bperc_i_cell_missing(&l->table->cells[k], &l->missing))
    return BPERC_OK;
  bperc_i_cell_text(&l->table->cells[k], text, sizeof text);
  for (size_t j = 0; j < list.count; j++)
    if (strcmp(list.texts[j], text) == 0)
      return BPERC_OK;
  if (list.count == MOST_CATEGORIES)
    return bperc_i_source_bad(l->table, error,
                              "column '%s' has more than %d different texts, "
                              "as names and ids have: drop it, or write "
                              "numbers",
                              rule->name, MOST_CATEGORIES);
  good = bperc_i_texts_add(&list, text);
  rule->texts = list.texts; /* may have moved though nothing was added */
  rule->count = list.count;
  return good ? BPERC_OK : no_memory_to_learn(l, error);
}

static bperc_status learn_texts(learner *l, const size_t *which,
                                bperc_i_encoding_rule **rules, size_t count,
                                bperc_error *error) {
  bperc_i_records *t = l->table;
  bperc_status status = t->kind->rewind(t, error);
  for (size_t row = 0; status == BPERC_OK && row < l->rows; row++) {
    int more;
    status = t->kind->next(t, &more, error);
    if (status == BPERC_OK && !more)
      status = bperc_i_source_bad(t, error, "changed while it was read");
    for (size_t k = 0; status == BPERC_OK && k < count; k++)
      status = note_category(l, which[k], rules[k], error);
  }
  for (size_t k = 0; status == BPERC_OK && k < count; k++) {
    size_t filled = l->rows - l->columns[which[k]].missing;
    qsort(rules[k]->texts, rules[k]->count, sizeof *rules[k]->texts, by_value);
    if (rules[k]->count == filled && filled >= SOME_ROWS)
      return bperc_error_set(error, BPERC_E_FORMAT,
                             "%s: column '%s' has another text in every row: "
                             "it is an id, so drop it",
                             t->path, rules[k]->name);
  }
  return status;
}

/* ---- all columns */

/* Columns of one kind and their rules, for a pass of their own. */
static bperc_status learn_kind(learner *l, bperc_i_encoding_rule_kind kind,
                               bperc_error *error) {
  bperc_encoding *e = l->out;
  size_t *which = bperc_i_alloc(e->count, sizeof *which), count = 0;
  bperc_i_encoding_rule **rules = bperc_i_alloc(e->count, sizeof *rules);
  bperc_status status = BPERC_OK;
  if (!which || !rules)
    status = no_memory_to_learn(l, error);
  for (size_t k = 0; status == BPERC_OK && k < l->table->columns; k++)
    if (l->columns[k].used && e->rules[l->columns[k].rule].kind == kind) {
      which[count] = k;
      rules[count++] = &e->rules[l->columns[k].rule];
    }
  if (status == BPERC_OK && count && l->rows)
    status = kind == BPERC_I_ABOVE
                 ? learn_numbers(l, which, rules, count, error)
                 : learn_texts(l, which, rules, count, error);
  bperc_i_free(which);
  bperc_i_free(rules);
  return status;
}

static bperc_status make_rules(learner *l, bperc_error *error) {
  const bperc_i_records *t = l->table;
  bperc_encoding *e = l->out;
  size_t at = 0;
  for (size_t k = 0; k < t->columns; k++) {
    column *c = &l->columns[k];
    bperc_i_encoding_rule *rule = &e->rules[at];
    if (!c->used)
      continue;
    c->rule = at++;
    rule->name = bperc_i_strdup(t->names[k]);
    if (!rule->name)
      return no_memory_to_learn(l, error);
    rule->kind = !c->not_bit     ? BPERC_I_BIT
                 : c->not_number ? BPERC_I_IS
                                 : BPERC_I_ABOVE;
    rule->count = rule->kind == BPERC_I_BIT;
    if (!c->missing)
      continue;
    rule = &e->rules[at++];
    rule->kind = BPERC_I_MISSING;
    rule->count = c->missing < l->rows; /* else it is always 1 */
    rule->name = bperc_i_strdup(t->names[k]);
    if (!rule->name)
      return no_memory_to_learn(l, error);
  }
  assert(at == e->count);
  return BPERC_OK;
}

static size_t used_columns(const learner *l) {
  size_t count = 0;
  for (size_t k = 0; k < l->table->columns; k++)
    if (l->columns[k].used)
      count += 1 + (l->columns[k].missing > 0);
  return count;
}

/* Weights 0/1 can only add: numbers speak against a label through their
 * complements. */
static int wants_complement(const learner *l) {
  if (l->options->complement != BPERC_COMPLEMENT_NUMBERS)
    return l->options->complement != 0;
  for (size_t k = 0; k < l->out->count; k++)
    if (l->out->rules[k].kind == BPERC_I_ABOVE && l->out->rules[k].count)
      return 1;
  return 0;
}

static bperc_status learn(learner *l, bperc_error *error) {
  bperc_status status = choose_columns(l, error);
  if (status == BPERC_OK)
    status = first_pass(l, error);
  if (status == BPERC_OK)
    status = check_texts(l, error);
  if (status != BPERC_OK)
    return status;
  if (!l->rows)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: there are no rows behind the header",
                           l->table->path);
  l->out = bperc_i_encoding_new(used_columns(l));
  if (!l->out)
    return no_memory_to_learn(l, error);
  status = settle_labels(l, error);
  if (status == BPERC_OK)
    status = make_rules(l, error);
  if (status == BPERC_OK)
    status = learn_kind(l, BPERC_I_ABOVE, error);
  if (status == BPERC_OK)
    status = learn_kind(l, BPERC_I_IS, error);
  if (status == BPERC_OK) {
    bperc_i_encoding_count(l->out);
    l->out->complement = wants_complement(l);
    l->out->missing = l->missing;
    memset(&l->missing, 0, sizeof l->missing);
  }
  if (status == BPERC_OK && l->out->n == 0)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: no column can be used as input: all are "
                           "constant, dropped or the label",
                           l->table->path);
  return status == BPERC_OK ? l->table->kind->rewind(l->table, error) : status;
}

bperc_status bperc_i_encoding_learn(bperc_i_records *table,
                                    const bperc_data_options *options,
                                    size_t *rows, bperc_encoding **out,
                                    bperc_error *error) {
  learner l = {.table = table, .options = options};
  bperc_status status = read_binarise(&l, error);
  *out = NULL;
  if (status == BPERC_OK &&
      !bperc_i_missing_words_make(options->missing, &l.missing))
    status = no_memory_to_learn(&l, error);
  if (status != BPERC_OK) {
    bperc_i_missing_words_clear(&l.missing);
    return status;
  }
  l.columns = bperc_i_calloc(table->columns, sizeof *l.columns);
  status = l.columns ? learn(&l, error) : no_memory_to_learn(&l, error);
  bperc_i_texts_clear(&l.labels);
  bperc_i_missing_words_clear(&l.missing);
  bperc_i_free(l.columns);
  *rows = l.rows;
  if (status == BPERC_OK)
    *out = l.out;
  else
    bperc_encoding_free(l.out);
  return status;
}
