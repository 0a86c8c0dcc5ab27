/* Lists of values of a plan: words and ranges, checked against the option
 * tables of the measurement and brought to one form. */
#include "lab/plan/plan.h"

#include "base/number.h"
#include "lab/base/memory.h"
#include "lab/base/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 10000 }; /* of one list */

/* Appends the canonical form of one value. */
static bperc_status add_value(const bperc_experiment *x, bperc_i_parameter *q,
                              const bperc_measurement *m, int scale,
                              const char *text, bperc_error *error) {
  char scratch[1024], canonical[64], **values;
  int group;
  bperc_error inner;
  const bperc_option *row = bperc_i_parameter_find(m, q->name, &group);
  assert(row->offset + 16 <= sizeof scratch);
  if (bperc_options_set(row, scratch, text, &inner) != BPERC_OK)
    return bperc_i_ini_bad(&x->plan, q->line, error, "%s: %s", q->name,
                           inner.text);
  if (q->count[scale] >= MOST_VALUES)
    return bperc_i_ini_bad(&x->plan, q->line, error,
                           "more than %d values of '%s'", MOST_VALUES, q->name);
  bperc_options_show(row, scratch, canonical, sizeof canonical);
  values = bperc_i_lab_grow(q->values[scale], q->count[scale], sizeof *values);
  if (values)
    q->values[scale] = values;
  if (values && (values[q->count[scale]] = bperc_strdup(canonical))) {
    q->count[scale]++;
    return BPERC_OK;
  }
  return bperc_error_set(error, BPERC_E_MEMORY, "no memory for a plan");
}

/* "low:high:step"; returns 0 when the word is not of this form. */
static int read_range(const char *word, double *low, double *step,
                      size_t *count) {
  char *end;
  double high;
  *low = bperc_i_strtod(word, &end);
  if (end == word || *end != ':')
    return 0;
  word = end + 1;
  high = bperc_i_strtod(word, &end);
  if (end == word || *end != ':')
    return 0;
  word = end + 1;
  *step = bperc_i_strtod(word, &end);
  if (end == word || *end)
    return 0;
  *count = 0;
  if (*step > 0 && high >= *low && (high - *low) / *step < MOST_VALUES)
    *count = (size_t)floor((high - *low) / *step + 1e-9) + 1;
  return 1;
}

static bperc_status add_list_word(const bperc_experiment *x,
                                  bperc_i_parameter *q,
                                  const bperc_measurement *m, int scale,
                                  const char *word, bperc_error *error) {
  double low, step;
  size_t count;
  char text[64];
  bperc_status status = BPERC_OK;
  if (!read_range(word, &low, &step, &count))
    return add_value(x, q, m, scale, word, error);
  if (count == 0)
    return bperc_i_ini_bad(&x->plan, q->line, error,
                           "'%s' is not low:high:step with at most %d values",
                           word, MOST_VALUES);
  for (size_t k = 0; k < count && status == BPERC_OK; k++) {
    bperc_i_snprintf(text, sizeof text, "%.12g", low + (double)k * step);
    status = add_value(x, q, m, scale, text, error);
  }
  return status;
}

bperc_status bperc_i_values_read(const bperc_experiment *x,
                                 bperc_i_parameter *q,
                                 const bperc_measurement *m, int scale,
                                 const char *text, bperc_error *error) {
  bperc_status status = BPERC_OK;
  char word[64];
  for (size_t k = 0; k < q->count[scale]; k++)
    bperc_free(q->values[scale][k]);
  bperc_free(q->values[scale]);
  q->values[scale] = NULL;
  q->count[scale] = 0;
  while (status == BPERC_OK && *(text += strspn(text, " \t"))) {
    size_t length = strcspn(text, " \t");
    if (length >= sizeof word)
      return bperc_i_ini_bad(&x->plan, q->line, error, "a value is too long");
    memcpy(word, text, length);
    word[length] = 0;
    status = add_list_word(x, q, m, scale, word, error);
    text += length;
  }
  if (status == BPERC_OK && q->count[scale] == 0)
    status =
        bperc_i_ini_bad(&x->plan, q->line, error, "'%s' has no value", q->name);
  q->is_list = q->count[0] > 1 || q->count[1] > 1; /* the last line counts */
  return status;
}
