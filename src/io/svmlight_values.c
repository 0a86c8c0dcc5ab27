/* svmlight files whose values are more than -1, 0, 1: a table with the label
 * first and one column per index. Values that are not given are 0. */
#include "io/records.h"

#include "base/alloc.h"
#include "base/number.h"
#include "io/formats.h"

#include <stdlib.h>
#include <string.h>

/* A line of a few bytes can name any column, and every column costs about a
 * hundred bytes. */
enum { MOST_COLUMNS = 1 << 24 };

/* The next pair index:value, *at behind it; 0 at the end of the line, -1 when
 * it is something else. */
static int next_pair(const char **at, size_t *index, double *value) {
  char *end;
  *at += strspn(*at, " \t");
  if (!**at || **at == '#')
    return 0;
  if (**at < '0' || **at > '9')
    return -1;
  *index = strtoull(*at, &end, 10);
  if (*end != ':' || *index < 1 || *index > MOST_COLUMNS)
    return -1;
  *at = end + 1;
  *value = bperc_i_strtod(*at, &end);
  if (end == *at || (*end && !strchr(" \t", *end)))
    return -1;
  *at = end;
  return 1;
}

/* Without labels (the first row says) column 0 is there and never read. */
static const char *behind_value_label(const bperc_i_records *t) {
  return t->unlabelled ? t->lines.text
                       : t->lines.text + strcspn(t->lines.text, " \t");
}

static bperc_status bad_pair(const bperc_i_records *t, const char *at,
                             bperc_error *error) {
  return bperc_i_source_bad(t, error,
                            "'%.20s' is not index:value with an index from 1 "
                            "to 2^24",
                            at);
}

static bperc_status svm_next(bperc_i_records *t, int *more,
                             bperc_error *error) {
  const char *at;
  size_t index;
  double value;
  int found;
  bperc_status status = bperc_i_lines_next(&t->lines, more, error);
  if (status != BPERC_OK || !*more)
    return status;
  t->line = t->lines.number;
  for (size_t k = 1; k < t->columns; k++)
    t->cells[k] = (bperc_i_io_cell){NULL, 0, 0};
  at = behind_value_label(t);
  t->cells[0] =
      (bperc_i_io_cell){t->lines.text, (size_t)(at - t->lines.text), 0};
  while ((found = next_pair(&at, &index, &value)) > 0) {
    if (index >= t->columns)
      return bperc_i_source_bad(t, error, "the file changed while it was read");
    t->cells[index].value = value;
  }
  return found < 0 ? bad_pair(t, at, error) : BPERC_OK;
}

static bperc_status svm_rewind(bperc_i_records *t, bperc_error *error) {
  return bperc_i_lines_back(&t->lines, error);
}

static void svm_close(bperc_i_records *t) { (void)t; }

static const bperc_i_source_class svm = {svm_next, svm_rewind, svm_close};

/* One pass for the largest index. */
static bperc_status widest(bperc_i_records *t, size_t *most,
                           bperc_error *error) {
  int more = 1;
  bperc_status status = BPERC_OK;
  while (more && status == BPERC_OK) {
    const char *at = behind_value_label(t);
    size_t index;
    double value;
    int found;
    t->line = t->lines.number;
    while ((found = next_pair(&at, &index, &value)) > 0)
      if (index > *most)
        *most = index;
    if (found < 0)
      return bad_pair(t, at, error);
    status = bperc_i_lines_next(&t->lines, &more, error);
  }
  return status;
}

bperc_status bperc_i_svmvalues_open(bperc_i_records *t, bperc_error *error) {
  size_t most = 0;
  int more;
  bperc_status status = bperc_i_lines_next(&t->lines, &more, error);
  t->kind = &svm;
  if (status == BPERC_OK && !more)
    return bperc_error_set(error, BPERC_E_FORMAT, "%s: the file is empty",
                           t->path);
  t->unlabelled = status == BPERC_OK && bperc_i_svmlight_is_bare(t->lines.text);
  if (status == BPERC_OK)
    status = bperc_i_lines_mark(&t->lines, error);
  if (status == BPERC_OK) /* a pipe has been copied: from its start again */
    status = bperc_i_lines_back(&t->lines, error);
  if (status == BPERC_OK)
    status = bperc_i_lines_next(&t->lines, &more, error);
  if (status == BPERC_OK)
    status = widest(t, &most, error);
  if (status == BPERC_OK)
    status = bperc_i_lines_back(&t->lines, error);
  if (status == BPERC_OK)
    status = bperc_i_source_columns(t, most + 1, error);
  if (status != BPERC_OK)
    return status;
  t->names[0] = bperc_i_strdup("label");
  t->labels_first = 1;
  return t->names[0]
             ? bperc_i_source_number(t, 1, error)
             : bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", t->path);
}
