/* Reading `data = FILE` and naming its content. */
#include "lab/plan/plan_data.h"

#include "bperc/data.h"
#include "lab/base/memory.h"
#include "lab/base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the words of the value */

static bperc_status take_rule_word(const bperc_experiment *x, size_t line,
                                   char *word, bperc_data_options *rules,
                                   bperc_error *error) {
  static const char *const names[] = {"label", "positive", "binarise", "drop",
                                      "complement"};
  const char **to[] = {&rules->label, &rules->positive, &rules->binarise,
                       &rules->drop};
  char *value = strchr(word, '=');
  if (strcmp(word, "complement") == 0) {
    rules->complement = 1;
    return BPERC_OK;
  }
  if (value)
    *value++ = 0;
  if (strcmp(word, "binarize") == 0)
    word[6] = 's';
  for (size_t k = 0; value && k < sizeof to / sizeof *to; k++)
    if (strcmp(word, names[k]) == 0) {
      *to[k] = value;
      return BPERC_OK;
    }
  return bperc_i_ini_unknown(&x->plan, line, "data has no word", word, names,
                             sizeof names / sizeof *names, error);
}

/* ---- content */

static void name_content(const bperc_instance *in, char digits[33]) {
  uint64_t sizes[3] = {in->n, in->m, (uint64_t)in->inputs};
  size_t bytes = in->m * in->words * sizeof *in->patterns;
  bperc_i_hash h = bperc_i_hash_start();
  bperc_i_hash_add(&h, sizes, sizeof sizes);
  bperc_i_hash_add(&h, in->patterns, bytes);
  if (in->support)
    bperc_i_hash_add(&h, in->support, bytes);
  bperc_i_hash_add(&h, in->labels, in->m);
  bperc_i_hash_digits(h, digits);
}

/* Beside the plan, unless the path is absolute. */
static char *path_beside(const char *plan, const char *file) {
  const char *slash = strrchr(plan, '/');
  bperc_i_text path = {0};
  if (file[0] != '/' && slash)
    bperc_i_text_format(&path, "%.*s/", (int)(slash - plan), plan);
  bperc_i_text_add(&path, file);
  return bperc_i_text_take(&path);
}

static bperc_status read_data_rows(const bperc_experiment *x, bperc_i_block *b,
                                   const char *path,
                                   const bperc_data_options *rules, size_t line,
                                   bperc_error *error) {
  /* Every point brings its own threshold, margin and ties. */
  bperc_read_options read = {.given = BPERC_GIVEN_THRESHOLD |
                                      BPERC_GIVEN_KAPPA | BPERC_GIVEN_WEIGHTS};
  bperc_error inner;
  struct stat info;
  bperc_status status;
  assert(path);
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
    return bperc_i_ini_bad(&x->plan, line, error,
                           "there is no data file '%s' (paths are relative to "
                           "the plan)",
                           path);
  status = bperc_data_read(path, rules, &read, NULL, &b->rows, &inner);
  if (status == BPERC_E_MEMORY || status == BPERC_E_INTERRUPTED)
    return bperc_error_set(error, status, "%s", inner.text);
  if (status != BPERC_OK)
    return bperc_i_ini_bad(&x->plan, line, error, "data: %s", inner.text);
  name_content(b->rows, b->rows_hash);
  return BPERC_OK;
}

bperc_status bperc_i_block_data(const bperc_experiment *x, bperc_i_block *b,
                                const char *text, size_t line,
                                bperc_error *error) {
  char *copy = bperc_strdup(text), *at = NULL, *word, *path = NULL;
  bperc_data_options rules = {0};
  bperc_status status = BPERC_OK;
  if (!b->measurement->takes_rows) {
    bperc_free(copy);
    return bperc_i_ini_bad(&x->plan, line, error,
                           "measurement '%s' draws its own patterns: data is "
                           "for capacity and solving",
                           b->measurement->name);
  }
  if (b->rows) {
    bperc_free(copy);
    return bperc_i_ini_bad(&x->plan, line, error, "data is given twice");
  }
  word = copy ? strtok_r(copy, " \t", &at) : NULL;
  if (word)
    path = path_beside(x->plan.path, word);
  if (copy && !word)
    status = bperc_i_ini_bad(&x->plan, line, error, "data names no file");
  else if (!path)
    status = bperc_error_set(error, BPERC_E_MEMORY, "no memory for a plan");
  while (status == BPERC_OK && (word = strtok_r(NULL, " \t", &at)))
    status = take_rule_word(x, line, word, &rules, error);
  if (status == BPERC_OK)
    status = read_data_rows(x, b, path, &rules, line, error);
  bperc_free(path);
  bperc_free(copy);
  return status;
}

bperc_status bperc_i_block_data_fits(const bperc_experiment *x,
                                     const bperc_i_block *b,
                                     const bperc_i_point *p,
                                     bperc_error *error) {
  const bperc_option *row =
      bperc_options_find(b->measurement->options(), "alpha");
  double alpha = row ? *(const double *)(p->own + row->offset) : 0;
  if (alpha * (double)b->rows->n < (double)b->rows->m + 0.5)
    return BPERC_OK;
  return bperc_i_ini_bad(&x->plan, b->line, error,
                         "block '%s': alpha = %g asks for %.0f patterns of a "
                         "file with %zu rows and N = %zu",
                         b->name, alpha, alpha * (double)b->rows->n, b->rows->m,
                         b->rows->n);
}
