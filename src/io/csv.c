/* CSV and TSV: a header row, then one record a row.
 *
 * Separator: comma, tab, semicolon or bar, whichever is most frequent in the
 * header. Where it is not the comma, 1,5 is a number. Fields may stand in
 * double quotes, "" inside is one quote, and a quoted field may hold separators
 * and line ends. Blank lines do not count. */
#include "io/records.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* Quotes that open and close must be even in number at the end of a record. */
static int open_quote(const char *text, size_t length) {
  int open = 0;
  for (size_t k = 0; k < length; k++)
    open ^= text[k] == '"';
  return open;
}

static bperc_status append(bperc_i_records *t, size_t *length, const char *text,
                           size_t more, bperc_error *error) {
  size_t need = *length + more + 2;
  if (need > t->joined_room) {
    size_t room = 2 * need;
    char *joined = bperc_i_realloc(t->joined, *length, room);
    if (!joined)
      return bperc_error_set(error, BPERC_E_MEMORY,
                             "%s:%zu: no memory for a record of %zu bytes",
                             t->path, t->line, need);
    t->joined = joined;
    t->joined_room = room;
  }
  memcpy(t->joined + *length, text, more);
  *length += more;
  t->joined[*length] = 0;
  return BPERC_OK;
}

/* Lines are joined until every quote is closed. */
static bperc_status join_lines(bperc_i_records *t, char **text, size_t *length,
                               bperc_error *error) {
  size_t total = 0;
  bperc_status status = append(t, &total, *text, *length, error);
  while (status == BPERC_OK && open_quote(t->joined, total)) {
    int more;
    status = bperc_i_lines_any(&t->lines, &more, error);
    if (status == BPERC_OK && !more)
      return bperc_i_source_bad(t, error,
                                "a quote opens here and is never closed");
    if (status == BPERC_OK)
      status = append(t, &total, "\n", 1, error);
    if (status == BPERC_OK)
      status = append(t, &total, t->lines.text, t->lines.length, error);
  }
  *text = t->joined;
  *length = total;
  return status;
}

/* The next record that is not blank; *text is NULL at the end. */
static bperc_status record(bperc_i_records *t, char **text, size_t *length,
                           bperc_error *error) {
  int more;
  do {
    bperc_status status = bperc_i_lines_any(&t->lines, &more, error);
    if (status != BPERC_OK)
      return status;
    t->line = t->lines.number;
  } while (more && t->lines.length == 0);
  *text = more ? t->lines.text : NULL;
  *length = more ? t->lines.length : 0;
  if (more && memchr(*text, '"', *length) && open_quote(*text, *length))
    return join_lines(t, text, length, error);
  return BPERC_OK;
}

/* A quoted field, from behind its first quote, is written over itself without
 * the quotes. Returns where it ended, NULL when text follows the quote. */
static char *unquote(char *at, char *end, char separator,
                     bperc_i_io_cell *cell) {
  char *to = at;
  cell->text = at;
  for (; at < end; at++) {
    if (*at != '"')
      *to++ = *at;
    else if (at + 1 < end && at[1] == '"')
      *to++ = *at++;
    else
      break;
  }
  cell->length = (size_t)(to - cell->text);
  at++;
  if (at < end && *at != separator)
    return NULL;
  if (to < end)
    *to = 0;
  return at;
}

static void trim_cell(bperc_i_io_cell *cell, char separator) {
  while (cell->length && cell->text[0] == ' ')
    cell->text++, cell->length--;
  while (cell->length &&
         (cell->text[cell->length - 1] == ' ' ||
          (separator != '\t' && cell->text[cell->length - 1] == '\t')))
    cell->length--;
}

/* One field from `at`; returns its end, which is a separator or `end`. */
static char *csv_field(char *at, char *end, char separator,
                       bperc_i_io_cell *cell) {
  char *stop;
  if (at < end && *at == '"')
    return unquote(at + 1, end, separator, cell);
  /* Most fields of large tables are one character. */
  if (end - at > 1 && at[0] != separator && at[1] == separator)
    stop = at + 1;
  else
    stop = at < end ? memchr(at, separator, (size_t)(end - at)) : NULL;
  if (!stop)
    stop = end;
  cell->text = at;
  cell->length = (size_t)(stop - at);
  if (cell->length &&
      ((unsigned char)at[0] <= ' ' || (unsigned char)stop[-1] <= ' '))
    trim_cell(cell, separator);
  return stop;
}

static size_t count_fields(const char *text, size_t length, char separator) {
  size_t count = 1;
  int quoted = 0;
  for (size_t k = 0; k < length; k++) {
    quoted ^= text[k] == '"';
    count += !quoted && text[k] == separator;
  }
  return count;
}

static char choose_separator(const char *text, size_t length) {
  static const char candidates[] = {',', '\t', ';', '|'};
  char best = ',';
  size_t most = 0;
  for (size_t k = 0; k < sizeof candidates; k++) {
    size_t count = count_fields(text, length, candidates[k]);
    if (count > most) {
      most = count;
      best = candidates[k];
    }
  }
  return best;
}

/* Splits a record into the table's cells. */
static bperc_status split(bperc_i_records *t, char *text, size_t length,
                          bperc_error *error) {
  char *end = text + length, *at = text;
  size_t k = 0;
  for (;; at++) {
    bperc_i_io_cell spare, *cell = k < t->columns ? &t->cells[k] : &spare;
    at = csv_field(at, end, t->separator, cell);
    if (!at)
      return bperc_i_source_bad(t, error, "text behind the quotes of field %zu",
                                k + 1);
    k++;
    if (at >= end)
      break;
  }
  if (k != t->columns)
    return bperc_i_source_bad(t, error, "%zu fields where the header has %zu",
                              k, t->columns);
  return BPERC_OK;
}

/* A decimal comma becomes a point: one comma between digits, no point. */
static void decimal_comma(const bperc_i_io_cell *cell) {
  char *comma = memchr(cell->text, ',', cell->length);
  if (!comma)
    return;
  for (size_t k = 0; k < cell->length; k++) {
    char c = cell->text[k];
    if (!((c >= '0' && c <= '9') || c == '+' || c == '-' || c == 'e' ||
          c == 'E' || cell->text + k == comma))
      return;
  }
  *comma = '.';
}

static bperc_status csv_next(bperc_i_records *t, int *more,
                             bperc_error *error) {
  char *text;
  size_t length;
  bperc_status status = record(t, &text, &length, error);
  *more = status == BPERC_OK && text;
  if (*more)
    status = split(t, text, length, error);
  for (size_t k = 0;
       *more && status == BPERC_OK && t->separator != ',' && k < t->columns;
       k++)
    if (t->cells[k].length > 2)
      decimal_comma(&t->cells[k]);
  return status;
}

static bperc_status csv_rewind(bperc_i_records *t, bperc_error *error) {
  char *text;
  size_t length;
  bperc_status status = bperc_i_lines_back(&t->lines, error);
  return status == BPERC_OK ? record(t, &text, &length, error) : status;
}

static void csv_close(bperc_i_records *t) { bperc_i_free(t->joined); }

static const bperc_i_source_class csv = {csv_next, csv_rewind, csv_close};

/* Names may be whole numbers, all different, as those of positions are. */
static bperc_status only_numbers(const bperc_i_records *t, bperc_error *error) {
  int fractions = 0;
  for (size_t k = 0; k < t->columns; k++) {
    double value;
    if (!bperc_i_cell_number(&t->cells[k], &value))
      return BPERC_OK;
    fractions += value != floor(value);
  }
  if (!fractions)
    return BPERC_OK;
  return bperc_i_source_bad(t, error,
                            "the first row is numbers: a header row with the "
                            "names of the columns is wanted");
}

static bperc_status keep_names(bperc_i_records *t, bperc_error *error) {
  for (size_t k = 0; k < t->columns; k++) {
    const bperc_i_io_cell *cell = &t->cells[k];
    t->names[k] = bperc_i_alloc(cell->length + 1, 1);
    if (!t->names[k])
      return bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", t->path);
    memcpy(t->names[k], cell->text, cell->length);
    t->names[k][cell->length] = 0;
    if (!cell->length)
      return bperc_i_source_bad(t, error,
                                "column %zu has no name in the header: give "
                                "it one (a column can then be dropped)",
                                k + 1);
  }
  return BPERC_OK;
}

bperc_status bperc_i_csv_open(bperc_i_records *t, bperc_error *error) {
  char *text = NULL;
  size_t length = 0;
  bperc_status status = BPERC_OK;
  t->kind = &csv;
  do
    status = record(t, &text, &length, error);
  while (status == BPERC_OK && text && text[0] == '#');
  if (status == BPERC_OK && !text)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: there is no header row: the file is empty",
                           t->path);
  if (status == BPERC_OK && text == t->joined)
    return bperc_i_source_bad(t, error, "a line end inside a column's name");
  if (status == BPERC_OK)
    status = bperc_i_lines_mark(&t->lines, error);
  if (status != BPERC_OK)
    return status;
  /* A pipe has been copied: the header is read again from the copy. */
  status = bperc_i_lines_back(&t->lines, error);
  if (status == BPERC_OK)
    status = record(t, &text, &length, error);
  if (status != BPERC_OK)
    return status;
  t->separator = choose_separator(text, length);
  status = bperc_i_source_columns(t, count_fields(text, length, t->separator),
                                  error);
  if (status == BPERC_OK)
    status = split(t, text, length, error);
  if (status == BPERC_OK)
    status = only_numbers(t, error);
  return status == BPERC_OK ? keep_names(t, error) : status;
}
