/* Option tables: defaults, presets, parsing, range checks. */
#include "base/options.h"

#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *option_field(const bperc_option *row, void *options) {
  return (char *)options + row->offset;
}

static void store_option(const bperc_option *row, void *options, double value) {
  switch (row->kind) {
  case BPERC_OPTION_REAL:
    *(double *)option_field(row, options) = value;
    break;
  case BPERC_OPTION_TEXT:
    *(const char **)option_field(row, options) = NULL;
    break;
  default:
    *(int64_t *)option_field(row, options) = (int64_t)value;
  }
}

void bperc_options_default(bperc_option_table table, void *options) {
  for (size_t k = 0; k < table.count; k++)
    store_option(&table.rows[k], options, table.rows[k].initial);
}

bperc_status bperc_options_preset(bperc_option_table table, void *options,
                                  const char *preset, bperc_error *error) {
  int paper = strcmp(preset, "paper") == 0;
  if (!paper && strcmp(preset, "default") != 0)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "there is no preset '%s': use default or paper",
                           preset);
  for (size_t k = 0; k < table.count; k++)
    store_option(&table.rows[k], options,
                 paper ? table.rows[k].paper : table.rows[k].initial);
  return BPERC_OK;
}

static int same_name(const char *a, const char *b) {
  for (; *a && *b; a++, b++)
    if (*a != *b && !((*a == '-' || *a == '_') && (*b == '-' || *b == '_')))
      return 0;
  return *a == *b;
}

/* Two spellings of one word: the other one, or the word itself. */
static const char *other_spelling(const char *word) {
  static const char *const pairs[][2] = {{"binarize", "binarise"},
                                         {"pm", "ising"}};
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
    for (int side = 0; side < 2; side++)
      if (strcmp(word, pairs[k][side]) == 0)
        return pairs[k][!side];
  return word;
}

static const bperc_option *find_option_row(bperc_option_table table,
                                           const char *name) {
  for (size_t k = 0; k < table.count; k++)
    if (same_name(table.rows[k].name, name))
      return &table.rows[k];
  return NULL;
}

const bperc_option *bperc_options_find(bperc_option_table table,
                                       const char *name) {
  const bperc_option *row = find_option_row(table, name);
  return row ? row : find_option_row(table, other_spelling(name));
}

static size_t count_choices(const bperc_option *row) {
  size_t count = 1;
  if (!row->choices)
    return 0;
  for (const char *p = row->choices; *p; p++)
    count += *p == '|';
  return count;
}

const char *bperc_options_choice(const bperc_option *row, size_t k,
                                 char *buffer, size_t size) {
  const char *p = row->choices;
  size_t length;
  while (k-- && p)
    p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL;
  length = p ? strcspn(p, "|") : 0;
  if (length >= size)
    length = size - 1;
  if (p)
    memcpy(buffer, p, length);
  buffer[length] = 0;
  return buffer;
}

static bperc_status out_of_range(const bperc_option *row, const char *text,
                                 bperc_error *error) {
  return bperc_error_set(error, BPERC_E_ARGUMENT,
                         "'%s' is not in the range %.15g to %.15g", text,
                         row->low, row->high);
}

/* Whether the number is left to the program. */
static int is_auto(const bperc_option *row, const char *text) {
  return row->automatic && strcmp(text, "auto") == 0;
}

static bperc_status set_int(const bperc_option *row, void *options,
                            const char *text, bperc_error *error) {
  char *end;
  long long value;
  if (is_auto(row, text))
    text = "0";
  errno = 0;
  value = strtoll(text, &end, 10);
  if (end == text || *end || errno) {
    double real = bperc_i_strtod(text, &end); /* 1e6 is a whole number too */
    if (end == text || *end || real != floor(real) || fabs(real) > 1e18)
      return bperc_error_set(error, BPERC_E_ARGUMENT,
                             "'%s' is not a whole number", text);
    value = (long long)real;
  }
  if ((double)value < row->low || (double)value > row->high)
    return out_of_range(row, text, error);
  *(int64_t *)option_field(row, options) = value;
  return BPERC_OK;
}

static bperc_status set_real(const bperc_option *row, void *options,
                             const char *text, bperc_error *error) {
  char *end;
  double value = bperc_i_strtod(text, &end);
  if (is_auto(row, text))
    value = BPERC_AUTO;
  else if (end == text || *end)
    return bperc_error_set(error, BPERC_E_ARGUMENT, "'%s' is not a number",
                           text);
  if (!(value >= row->low && value <= row->high))
    return out_of_range(row, text, error);
  *(double *)option_field(row, options) = value;
  return BPERC_OK;
}

static bool take_choice(const bperc_option *row, void *options,
                        const char *text) {
  char name[64];
  for (size_t k = 0; k < count_choices(row); k++)
    if (strcmp(bperc_options_choice(row, k, name, sizeof name), text) == 0) {
      *(int64_t *)option_field(row, options) = (int64_t)k;
      return true;
    }
  return false;
}

static bperc_status set_choice(const bperc_option *row, void *options,
                               const char *text, bperc_error *error) {
  if (take_choice(row, options, text) ||
      take_choice(row, options, other_spelling(text)))
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_ARGUMENT, "'%s' is not one of %s", text,
                         row->choices);
}

static bperc_status set_flag(const bperc_option *row, void *options,
                             const char *text, bperc_error *error) {
  int yes = !strcmp(text, "1") || !strcmp(text, "yes") || !strcmp(text, "true");
  int no = !strcmp(text, "0") || !strcmp(text, "no") || !strcmp(text, "false");
  if (!yes && !no)
    return bperc_error_set(error, BPERC_E_ARGUMENT, "'%s' is not yes or no",
                           text);
  *(int64_t *)option_field(row, options) = yes;
  return BPERC_OK;
}

bperc_status bperc_options_set(const bperc_option *row, void *options,
                               const char *text, bperc_error *error) {
  switch (row->kind) {
  case BPERC_OPTION_INT:
    return set_int(row, options, text, error);
  case BPERC_OPTION_REAL:
    return set_real(row, options, text, error);
  case BPERC_OPTION_CHOICE:
    return set_choice(row, options, text, error);
  case BPERC_OPTION_FLAG:
    return set_flag(row, options, text, error);
  case BPERC_OPTION_TEXT:
    *(const char **)option_field(row, options) = text;
    return BPERC_OK;
  }
  return BPERC_E_ARGUMENT;
}

bperc_status bperc_i_options_check(bperc_option_table table,
                                   const void *options, bperc_error *error) {
  char text[64];
  for (size_t k = 0; k < table.count; k++) {
    const bperc_option *row = &table.rows[k];
    const void *at = (const char *)options + row->offset;
    double high = row->kind == BPERC_OPTION_CHOICE
                      ? (double)count_choices(row) - 1
                      : row->high;
    double value = 0;
    if (row->kind == BPERC_OPTION_TEXT)
      continue;
    value = row->kind == BPERC_OPTION_REAL ? *(const double *)at
                                           : (double)*(const int64_t *)at;
    if (!(value >= row->low && value <= high)) {
      bperc_i_snprintf(text, sizeof text, "%.15g", value);
      return bperc_error_set(error, BPERC_E_ARGUMENT,
                             "%s: '%s' is not in the range %.15g to %.15g",
                             row->name, text, row->low, high);
    }
  }
  return BPERC_OK;
}

bperc_status bperc_i_options_take(bperc_option_table table, size_t size,
                                  const void *given, void *out,
                                  bperc_error *error) {
  bperc_options_default(table, out);
  if (!given)
    return BPERC_OK;
  memcpy(out, given, size);
  return bperc_i_options_check(table, out, error);
}

const char *bperc_options_show(const bperc_option *row, const void *options,
                               char *buffer, size_t size) {
  const void *at = (const char *)options + row->offset;
  switch (row->kind) {
  case BPERC_OPTION_REAL:
    bperc_i_snprintf(buffer, size, "%.15g", *(const double *)at);
    break;
  case BPERC_OPTION_CHOICE:
    return bperc_options_choice(row, (size_t) * (const int64_t *)at, buffer,
                                size);
  case BPERC_OPTION_TEXT:
    snprintf(buffer, size, "%s",
             *(const char *const *)at ? *(const char *const *)at : "");
    break;
  default:
    snprintf(buffer, size, "%lld", (long long)*(const int64_t *)at);
  }
  return buffer;
}
