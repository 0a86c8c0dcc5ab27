/* Reading a plan: sections into blocks, values checked against the option
 * tables of the measurements. Whatever a plan says is hostile until here. */
#include "lab/plan/plan.h"

#include "lab/base/memory.h"
#include "lab/base/text.h"
#include "lab/plan/plan_data.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum {
  MOST_POINTS = 200000,    /* of one block */
  MOST_INSTANCES = 1000000 /* of one point */
};

static const char *const scale_names[] = {"quick", "paper"};

const char *bperc_scale_name(bperc_scale scale) { return scale_names[scale]; }

/* ---- one entry of a block */

/* Cuts "@quick" off a key. -1: no scale, -2: a wrong one. */
static int cut_scale(const char *key, char *name, size_t size) {
  const char *at = strchr(key, '@');
  size_t length = at ? (size_t)(at - key) : strlen(key);
  if (length >= size)
    length = size - 1;
  memcpy(name, key, length);
  name[length] = 0;
  if (!at)
    return -1;
  for (int s = 0; s < BPERC_I_SCALES; s++)
    if (strcmp(at + 1, scale_names[s]) == 0)
      return s;
  return -2;
}

enum { MOST_WORDS = 200, LONGEST_WORD = 64 };

/* Own parameters by their name, options of solvers as "sbpi.p_s": all of them
 * when name is NULL, else those that are called so. */
static size_t list_grouped(const bperc_measurement *m, const char *name,
                           char (*out)[LONGEST_WORD], size_t room) {
  size_t count = 0, size;
  for (int g = 0; g < BPERC_MEASURE_GROUPS && m->groups[g].prefix; g++) {
    bperc_option_table table = bperc_i_group_table(&m->groups[g], &size);
    for (size_t k = 0; k < table.count && count < room; k++)
      if (table.rows[k].kind != BPERC_OPTION_TEXT &&
          (!name || strcmp(table.rows[k].name, name) == 0))
        snprintf(out[count++], LONGEST_WORD, "%s.%s", m->groups[g].prefix,
                 table.rows[k].name);
  }
  return count;
}

static bperc_status unknown_parameter(const bperc_experiment *x,
                                      const bperc_i_entry *e, const char *name,
                                      const bperc_measurement *m,
                                      bperc_error *error) {
  const char *words[MOST_WORDS] = {"measurement", "instances", "preset",
                                   "label", "data"};
  char grouped[MOST_WORDS][LONGEST_WORD], what[120];
  bperc_option_table table = m->options();
  size_t count = 5, found = list_grouped(m, name, grouped, MOST_WORDS);
  snprintf(what, sizeof what, "measurement '%s' has no parameter", m->name);
  if (found) /* without its solver's name */
    return bperc_i_ini_bad(&x->plan, e->line, error,
                           found == 1 ? "%s '%s': did you mean '%s'?"
                                      : "%s '%s': did you mean '%s' or '%s'?",
                           what, name, grouped[0], grouped[found - 1]);
  for (size_t k = 0; k < table.count && count < MOST_WORDS; k++)
    words[count++] = table.rows[k].name;
  found = list_grouped(m, NULL, grouped, MOST_WORDS - count);
  for (size_t k = 0; k < found; k++)
    words[count++] = grouped[k];
  return bperc_i_ini_unknown(&x->plan, e->line, what, name, words, count,
                             error);
}

static bperc_i_parameter *find_parameter(bperc_i_block *b, const char *name,
                                         const bperc_i_entry *e) {
  size_t length = strlen(name);
  for (size_t k = 0; k < b->parameter_count; k++)
    if (strncmp(b->parameters[k].name, name, length) == 0 &&
        strlen(b->parameters[k].name) == length)
      return &b->parameters[k];
  b->parameters[b->parameter_count].name = bperc_strdup(name);
  b->parameters[b->parameter_count].line = e->line;
  return b->parameters[b->parameter_count].name
             ? &b->parameters[b->parameter_count++]
             : NULL;
}

static bperc_status read_parameter(const bperc_experiment *x, bperc_i_block *b,
                                   const bperc_i_entry *e, const char *name,
                                   int scale, bperc_error *error) {
  int group;
  bperc_i_parameter *q;
  bperc_status status = BPERC_OK;
  if (!bperc_i_parameter_find(b->measurement, name, &group))
    return unknown_parameter(x, e, name, b->measurement, error);
  q = find_parameter(b, name, e);
  if (!q)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for a plan");
  q->line = e->line;
  for (int s = 0; s < BPERC_I_SCALES && status == BPERC_OK; s++)
    if (scale == s || scale == -1)
      status = bperc_i_values_read(x, q, b->measurement, s, e->value, error);
  return status;
}

static bperc_status read_instances(const bperc_experiment *x, bperc_i_block *b,
                                   const bperc_i_entry *e, int scale,
                                   bperc_error *error) {
  char *end;
  long value = strtol(e->value, &end, 10);
  if (end == e->value || *end || value < 1 || value > MOST_INSTANCES)
    return bperc_i_ini_bad(&x->plan, e->line, error,
                           "instances: '%.40s' is not a whole number from 1 "
                           "to %d",
                           e->value, MOST_INSTANCES);
  for (int s = 0; s < BPERC_I_SCALES; s++)
    if (scale == s || scale == -1)
      b->instances[s] = (uint32_t)value;
  return BPERC_OK;
}

static bperc_status read_entry(const bperc_experiment *x, bperc_i_block *b,
                               const bperc_i_entry *e, bperc_error *error) {
  char name[64];
  int scale = cut_scale(e->key, name, sizeof name);
  if (scale == -2)
    return bperc_i_ini_bad(&x->plan, e->line, error,
                           "'%.60s': a scale is @quick or @paper", e->key);
  if (strcmp(name, "data") == 0 && scale == -1)
    return bperc_i_block_data(x, b, e->value, e->line, error);
  if (strcmp(name, "measurement") == 0 || strcmp(name, "preset") == 0 ||
      strcmp(name, "label") == 0 || strcmp(name, "data") == 0)
    return scale == -1 ? BPERC_OK
                       : bperc_i_ini_bad(&x->plan, e->line, error,
                                         "%s is the same at both scales", name);
  if (strcmp(name, "instances") == 0)
    return read_instances(x, b, e, scale, error);
  return read_parameter(x, b, e, name, scale, error);
}

/* ---- blocks */

static bperc_status find_measurement(const bperc_experiment *x,
                                     const bperc_i_section *s, bperc_i_block *b,
                                     bperc_error *error) {
  const char *name = bperc_i_ini_get(s, "measurement", NULL);
  const char *words[128];
  size_t count = 0;
  if (!name)
    return bperc_i_ini_bad(&x->plan, s->line, error,
                           "block '%s' names no measurement", s->name);
  b->measurement = bperc_measurement_find(name);
  if (b->measurement)
    return BPERC_OK;
  for (; bperc_measurements()[count] && count < 128; count++)
    words[count] = bperc_measurements()[count]->name;
  return bperc_i_ini_unknown(&x->plan, bperc_i_ini_line(s, "measurement"),
                             "there is no measurement", name, words, count,
                             error);
}

static bperc_status check_lists(const bperc_experiment *x,
                                const bperc_i_block *b, bperc_error *error) {
  for (int s = 0; s < BPERC_I_SCALES; s++) {
    double points = 1;
    for (size_t k = 0; k < b->parameter_count; k++) {
      if (b->parameters[k].count[s] == 0)
        return bperc_i_ini_bad(&x->plan, b->parameters[k].line, error,
                               "'%s' has no value at %s scale",
                               b->parameters[k].name, scale_names[s]);
      points *= (double)b->parameters[k].count[s];
    }
    if (points > MOST_POINTS)
      return bperc_i_ini_bad(&x->plan, b->line, error,
                             "block '%s' has more than %d points", b->name,
                             MOST_POINTS);
  }
  return BPERC_OK;
}

static bperc_status read_block(bperc_experiment *x, const bperc_i_section *s,
                               bperc_error *error) {
  bperc_i_block *b = &x->blocks[x->block_count++];
  bperc_status status;
  *b = (bperc_i_block){.name = s->name, .line = s->line};
  b->preset = bperc_i_ini_get(s, "preset", "default");
  b->preset_line = bperc_i_ini_line(s, "preset");
  if (!bperc_i_ini_good_name(s->name, 0))
    return bperc_i_ini_bad(&x->plan, s->line, error,
                           "a block needs a name of letters, digits and '_'");
  b->instances[0] = b->instances[1] = 1;
  b->parameters = bperc_calloc(s->count + 1, sizeof *b->parameters);
  if (!b->parameters)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for a plan");
  status = find_measurement(x, s, b, error);
  for (size_t k = 0; k < s->count && status == BPERC_OK; k++)
    status = read_entry(x, b, &s->entries[k], error);
  if (status == BPERC_OK)
    status = check_lists(x, b, error);
  return status == BPERC_OK ? bperc_i_points_make(x, b, error) : status;
}

static bperc_status read_top(bperc_experiment *x, bperc_error *error) {
  static const char *const words[] = {"title", "caption", "size", "picture"};
  const bperc_i_section *top = &x->plan.sections[0];
  x->title = bperc_i_ini_get(top, "title", x->name);
  x->caption = bperc_i_ini_get(top, "caption", "");
  return bperc_i_ini_keys(&x->plan, top,
                          "before the first block a plan has title, "
                          "caption, size and picture, not",
                          words, 4, error);
}

static bperc_status read_plan(bperc_experiment *x, bperc_error *error) {
  bperc_status status = read_top(x, error);
  x->blocks = bperc_calloc(x->plan.count, sizeof *x->blocks);
  if (!x->blocks)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for a plan");
  for (size_t k = 1; k < x->plan.count && status == BPERC_OK; k++) {
    const bperc_i_section *s = &x->plan.sections[k];
    if (strcmp(s->kind, "block") == 0)
      status = read_block(x, s, error);
    else if (strcmp(s->kind, "derive") && strcmp(s->kind, "table"))
      status = bperc_i_ini_bad(&x->plan, s->line, error,
                               "a plan has sections block, table and derive, "
                               "not '%.60s'",
                               s->kind);
  }
  if (status == BPERC_OK && x->block_count == 0)
    status = bperc_i_ini_bad(&x->plan, 1, error, "a plan needs a block");
  return status == BPERC_OK ? bperc_i_pictures_check(x, error) : status;
}

/* ---- experiments */

static char *last_name(const char *path) {
  char *copy = bperc_strdup(path), *slash, *name;
  if (!copy)
    return NULL;
  for (size_t n = strlen(copy); n > 1 && copy[n - 1] == '/'; n--)
    copy[n - 1] = 0;
  slash = strrchr(copy, '/');
  name = bperc_strdup(slash && slash[1] ? slash + 1 : copy);
  bperc_free(copy);
  if (name && strrchr(name, '.') > name)
    *strrchr(name, '.') = 0;
  return name;
}

/* It names a folder and a picture and stands in the page and in scripts. */
static bperc_status check_name(const bperc_experiment *x, const char *path,
                               bperc_error *error) {
  for (const char *p = x->name; *p; p++)
    if (!isalnum((unsigned char)*p) && !strchr("_-+ ", *p) &&
        (p == x->name || *p != '.'))
      return bperc_error_set(
          error, BPERC_E_FORMAT,
          "%s: an experiment is named by its folder or file: "
          "letters, digits, blanks and _-+. only",
          path);
  return BPERC_OK;
}

static bperc_experiment *named(const char *path) {
  bperc_experiment *x = bperc_calloc(1, sizeof *x);
  if (x && !(x->name = last_name(path))) {
    bperc_free(x);
    x = NULL;
  }
  return x;
}

static bperc_status parse_into(bperc_experiment *x, const char *path,
                               const char *plan, size_t size,
                               bperc_error *error) {
  bperc_status status = check_name(x, path, error);
  if (status == BPERC_OK)
    status = bperc_i_ini_parse(path, plan, size, &x->plan, error);
  return status == BPERC_OK ? read_plan(x, error) : status;
}

bperc_status bperc_experiment_parse(const char *path, const char *plan,
                                    size_t size, bperc_experiment **out,
                                    bperc_error *error) {
  bperc_experiment *x = named(path);
  bperc_status status =
      x ? parse_into(x, path, plan, size, error)
        : bperc_error_set(error, BPERC_E_MEMORY, "no memory for a plan");
  *out = x;
  if (status != BPERC_OK) {
    bperc_experiment_free(x);
    *out = NULL;
  }
  return status;
}

bperc_status bperc_experiment_read(const char *path, bperc_experiment **out,
                                   bperc_error *error) {
  struct stat info;
  int is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
  bperc_i_text plan_path = {0};
  char *plan = NULL;
  size_t size = 0;
  char *full = is_folder ? realpath(path, NULL) : NULL; /* "." has a name */
  bperc_experiment *x = named(full ? full : path);
  bperc_status status = BPERC_E_MEMORY;
  free(full);
  *out = NULL;
  bperc_i_text_format(&plan_path, is_folder ? "%s/plan" : "%s", path);
  if (!x || plan_path.failed ||
      (is_folder && !(x->folder = bperc_strdup(path))))
    bperc_error_set(error, BPERC_E_MEMORY, "no memory for a plan");
  else
    status = bperc_i_file_read(plan_path.text, &plan, &size, error);
  if (status == BPERC_OK)
    status = parse_into(x, plan_path.text, plan, size, error);
  bperc_free(plan);
  bperc_i_text_clear(&plan_path);
  if (status == BPERC_OK)
    *out = x;
  else
    bperc_experiment_free(x);
  return status;
}

void bperc_i_block_clear(bperc_i_block *b) {
  bperc_i_points_clear(b);
  for (size_t k = 0; b->parameters && k < b->parameter_count; k++) {
    bperc_i_parameter *q = &b->parameters[k];
    for (int s = 0; s < BPERC_I_SCALES; s++) {
      for (size_t v = 0; v < q->count[s]; v++)
        bperc_free(q->values[s][v]);
      bperc_free(q->values[s]);
    }
    bperc_free((char *)q->name);
  }
  bperc_free(b->parameters);
  bperc_instance_free(b->rows);
}

void bperc_experiment_free(bperc_experiment *x) {
  if (!x)
    return;
  for (size_t k = 0; k < x->block_count; k++)
    bperc_i_block_clear(&x->blocks[k]);
  bperc_free(x->blocks);
  bperc_i_ini_clear(&x->plan);
  bperc_free(x->name);
  bperc_free(x->folder);
  bperc_free(x);
}

const char *bperc_experiment_name(const bperc_experiment *x) { return x->name; }
const char *bperc_experiment_title(const bperc_experiment *x) {
  return x->title;
}

int bperc_experiment_is_part(const bperc_experiment *x) { return x->is_part; }
