/* Points of a block: parameters resolved into option structs and into the
 * canonical text that a task is known by. */
#include "lab/plan/plan.h"

#include "bperc/solver.h"
#include "bperc/stream.h"
#include "lab/base/memory.h"
#include "lab/base/text.h"
#include "lab/measure/measurements.h"
#include "lab/plan/plan_data.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

bperc_option_table bperc_i_group_table(const bperc_measure_group *group,
                                       size_t *size) {
  const bperc_solver_class *class;
  *size = group->size;
  if (group->table)
    return group->table();
  class = bperc_solver_find(group->prefix);
  *size = class ? class->options_size : 0;
  return class ? class->options() : (bperc_option_table){NULL, 0};
}

static const char *group_later(const bperc_measure_group *group) {
  const bperc_solver_class *class =
      group->table ? NULL : bperc_solver_find(group->prefix);
  return class ? class->later : NULL;
}

const bperc_option *bperc_i_parameter_find(const bperc_measurement *m,
                                           const char *name, int *group) {
  const char *dot = strchr(name, '.');
  size_t length = dot ? (size_t)(dot - name) : 0, size;
  const bperc_option *row = NULL;
  *group = -1;
  if (!dot)
    return bperc_options_find(m->options(), name);
  for (int g = 0; g < BPERC_MEASURE_GROUPS && m->groups[g].prefix; g++)
    if (strlen(m->groups[g].prefix) == length &&
        strncmp(m->groups[g].prefix, name, length) == 0) {
      *group = g;
      row = bperc_options_find(bperc_i_group_table(&m->groups[g], &size),
                               dot + 1);
    }
  return row && row->kind != BPERC_OPTION_TEXT ? row : NULL;
}

/* ---- one point */

static void clear_list(bperc_i_points *points) {
  for (size_t k = 0; k < points->count; k++) {
    bperc_free(points->points[k].choice);
    bperc_free(points->points[k].own);
    bperc_free(points->points[k].inputs);
  }
  bperc_free(points->points);
}

void bperc_i_points_clear(bperc_i_block *b) {
  for (int s = 0; s < BPERC_I_SCALES; s++)
    if (s == 0 || b->points[s].points != b->points[0].points)
      clear_list(&b->points[s]);
  memset(b->points, 0, sizeof b->points);
}

enum { LONGEST_WORD = 64 };

/* The word that ends before one of these characters, without blanks before it;
 * returns what follows. */
static const char *cut_word(const char *at, const char *ends,
                            char word[LONGEST_WORD]) {
  size_t length;
  at += strspn(at, " ");
  length = strcspn(at, ends);
  assert(length < LONGEST_WORD); /* from a table of ours */
  memcpy(word, at, length);
  word[length] = 0;
  return at + length;
}

int bperc_i_counts(const bperc_measurement *m, const char *own,
                   const char *when) {
  char name[LONGEST_WORD], wanted[LONGEST_WORD], value[64];
  while (when && *when) {
    const bperc_option *row;
    when = cut_word(when, "=", name);
    assert(*when == '=');
    when = cut_word(when + 1, " ", wanted);
    row = bperc_options_find(m->options(), name);
    if (!row ||
        strcmp(bperc_options_show(row, own, value, sizeof value), wanted) != 0)
      return 0;
  }
  return 1;
}

/* Rounded up so that a struct may follow it. */
static size_t room_for(size_t size) { return (size + 16) / 16 * 16; }

static bperc_status allocate_points(const bperc_i_block *b, bperc_i_point *p,
                                    bperc_error *error) {
  const bperc_measurement *m = b->measurement;
  size_t size, at[BPERC_MEASURE_GROUPS], room = room_for(m->options_size);
  int groups = 0;
  for (; groups < BPERC_MEASURE_GROUPS && m->groups[groups].prefix; groups++) {
    bperc_i_group_table(&m->groups[groups], &size);
    at[groups] = room;
    room += room_for(size);
  }
  p->choice = bperc_calloc(b->parameter_count + 1, sizeof(size_t));
  p->own = bperc_calloc(room, 1);
  if (!p->choice || !p->own)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for a plan");
  for (int g = 0; g < groups; g++)
    p->groups[g] = p->own + at[g];
  return BPERC_OK;
}

/* Inputs -1/+1 are even where a block does not say how often they are +1, as
 * everywhere else. */
static void even_signs(const bperc_i_block *b, bperc_i_point *p) {
  bperc_option_table table = b->measurement->options();
  const bperc_option *inputs = bperc_options_find(table, "inputs");
  const bperc_option *fin = bperc_options_find(table, "fin");
  if (!inputs || !fin ||
      *(const int64_t *)(const void *)(p->own + inputs->offset) == 0)
    return;
  for (size_t k = 0; k < b->parameter_count; k++)
    if (strcmp(b->parameters[k].name, fin->name) == 0)
      return;
  *(double *)(void *)(p->own + fin->offset) = 0.5;
}

static bperc_status set_values(const bperc_experiment *x,
                               const bperc_i_block *b, int scale,
                               bperc_i_point *p, bperc_error *error) {
  const bperc_measurement *m = b->measurement;
  size_t size;
  bperc_status status =
      bperc_options_preset(m->options(), p->own, b->preset, error);
  for (int g = 0;
       status == BPERC_OK && g < BPERC_MEASURE_GROUPS && m->groups[g].prefix;
       g++)
    status = bperc_options_preset(bperc_i_group_table(&m->groups[g], &size),
                                  p->groups[g], b->preset, error);
  if (status != BPERC_OK)
    return bperc_i_ini_bad(&x->plan, b->preset_line, error,
                           "there is no preset '%s': use default or paper",
                           b->preset);
  for (size_t k = 0; k < b->parameter_count; k++) {
    int group;
    const bperc_i_parameter *q = &b->parameters[k];
    const bperc_option *row = bperc_i_parameter_find(m, q->name, &group);
    status = bperc_options_set(row, group < 0 ? p->own : p->groups[group],
                               q->values[scale][p->choice[k]], error);
    if (status != BPERC_OK)
      return status; /* checked while parsing: cannot happen */
  }
  even_signs(b, p);
  return BPERC_OK;
}

/* Whether a word is in a list with blanks. */
static int listed(const char *list, const char *word) {
  size_t length = strlen(word);
  const char *at = list;
  while (at && (at = strstr(at, word))) {
    if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' '))
      return 1;
    at += length;
  }
  return 0;
}

/* An option that came later, at its default. */
static int left_out(const char *later, const bperc_option *row,
                    const char *values) {
  const void *at = values + row->offset;
  double value = row->kind == BPERC_OPTION_REAL ? *(const double *)at
                                                : (double)*(const int64_t *)at;
  return listed(later, row->name) && value == row->initial;
}

static void add_input_line(bperc_i_text *t, const char *prefix,
                           const char *name, const char *value) {
  if (*prefix) {
    bperc_i_text_add(t, prefix);
    bperc_i_text_add(t, ".");
  }
  bperc_i_text_add(t, name);
  bperc_i_text_add(t, "=");
  bperc_i_text_add(t, value);
  bperc_i_text_add(t, "\n");
}

static void add_table(bperc_i_text *t, const char *prefix, const char *later,
                      bperc_option_table table, const void *values) {
  char value[64];
  for (size_t k = 0; k < table.count; k++)
    if (table.rows[k].kind != BPERC_OPTION_TEXT &&
        !left_out(later, &table.rows[k], values))
      add_input_line(
          t, prefix, table.rows[k].name,
          bperc_options_show(&table.rows[k], values, value, sizeof value));
}

/* Every parameter with its value, and what the seed depends on. */
static bperc_status describe_inputs(const bperc_i_block *b, bperc_i_point *p,
                                    bperc_error *error) {
  const bperc_measurement *m = p->measurement;
  bperc_i_text t = {0}, salt = {0};
  const char *at = m->seeded_by ? m->seeded_by : "";
  size_t size;
  bperc_i_text_format(&t, "%s/%d\n", m->name, m->version);
  if (b->rows)
    bperc_i_text_format(&t, "data=%s\n", b->rows_hash);
  add_table(&t, "", m->later, m->options(), p->own);
  for (int g = 0; g < BPERC_MEASURE_GROUPS && m->groups[g].prefix; g++) {
    if (bperc_i_counts(m, p->own, m->groups[g].when))
      add_table(&t, m->groups[g].prefix, group_later(&m->groups[g]),
                bperc_i_group_table(&m->groups[g], &size), p->groups[g]);
    else
      p->groups[g] = NULL;
  }
  while (*at) {
    char name[LONGEST_WORD], value[64];
    const bperc_option *row;
    at = cut_word(at, " ", name);
    if (!*name)
      break; /* blanks at the end */
    row = bperc_options_find(m->options(), name);
    bperc_i_text_add(&salt, name);
    bperc_i_text_add(&salt, "=");
    if (row)
      bperc_i_text_add(&salt,
                       bperc_options_show(row, p->own, value, sizeof value));
    bperc_i_text_add(&salt, " ");
  }
  bperc_i_text_add(&salt, "");
  p->salt = salt.failed ? 0 : bperc_i_hash_word(salt.text);
  p->inputs = bperc_i_text_take(&t);
  if (!p->inputs || salt.failed)
    bperc_error_set(error, BPERC_E_MEMORY, "no memory for a plan");
  size = salt.failed;
  bperc_i_text_clear(&salt);
  return p->inputs && !size ? BPERC_OK : BPERC_E_MEMORY;
}

static bperc_status make_point(const bperc_experiment *x,
                               const bperc_i_block *b, int scale, size_t number,
                               bperc_i_point *p, bperc_error *error) {
  const bperc_measurement *m = p->measurement = b->measurement;
  bperc_inputs inputs;
  bperc_error inner;
  bperc_status status = allocate_points(b, p, error);
  if (status != BPERC_OK)
    return status;
  for (size_t k = b->parameter_count; k-- > 0;) {
    p->choice[k] = number % b->parameters[k].count[scale];
    number /= b->parameters[k].count[scale];
  }
  status = set_values(x, b, scale, p, error);
  if (status == BPERC_OK)
    status = describe_inputs(b, p, error);
  if (status != BPERC_OK)
    return status;
  p->instances = b->instances[scale];
  p->rows = b->rows;
  if (b->rows && bperc_i_block_data_fits(x, b, p, error))
    return BPERC_E_FORMAT;
  inputs = bperc_i_point_inputs(p, 0, 0);
  if (m->check && m->check(&inputs, &inner) != BPERC_OK)
    return bperc_i_ini_bad(&x->plan, b->line, error, "block '%s': %s", b->name,
                           inner.text);
  p->cost = bperc_i_measure_cost(m, &inputs);
  return BPERC_OK;
}

/* Whether the scales have the same lists and instances. */
static int scales_agree(const bperc_i_block *b) {
  for (size_t k = 0; k < b->parameter_count; k++) {
    const bperc_i_parameter *q = &b->parameters[k];
    if (q->count[0] != q->count[1])
      return 0;
    for (size_t v = 0; v < q->count[0]; v++)
      if (strcmp(q->values[0][v], q->values[1][v]) != 0)
        return 0;
  }
  return b->instances[0] == b->instances[1];
}

static bperc_status make_list(const bperc_experiment *x, bperc_i_block *b,
                              int scale, bperc_error *error) {
  bperc_i_points *list = &b->points[scale];
  size_t count = 1;
  bperc_status status = BPERC_OK;
  for (size_t k = 0; k < b->parameter_count; k++)
    count *= b->parameters[k].count[scale];
  list->points = bperc_calloc(count, sizeof *list->points);
  if (!list->points)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for %zu points",
                           count);
  list->count = count;
  for (size_t k = 0; k < count && status == BPERC_OK; k++)
    status = bperc_cancelled()
                 ? bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted")
                 : make_point(x, b, scale, k, &list->points[k], error);
  return status;
}

bperc_status bperc_i_points_make(const bperc_experiment *x, bperc_i_block *b,
                                 bperc_error *error) {
  bperc_status status = make_list(x, b, BPERC_SCALE_QUICK, error);
  if (status == BPERC_OK && scales_agree(b))
    b->points[BPERC_SCALE_PAPER] = b->points[BPERC_SCALE_QUICK];
  else if (status == BPERC_OK)
    status = make_list(x, b, BPERC_SCALE_PAPER, error);
  return status;
}

/* ---- tasks of a point */

bperc_i_identity bperc_i_point_identity(const bperc_i_point *p, uint64_t seed,
                                        uint32_t instance) {
  bperc_i_identity id;
  char text[160];
  uint64_t base;
  if (!p->measurement->seeded_by)
    seed = 0; /* nothing random in it */
  base = bperc_stream_seed(seed, BPERC_FOR_TASK, p->salt);
  id.seed = bperc_stream_seed(base, BPERC_FOR_TRIAL, instance);
  bperc_i_hash_text(p->inputs, id.key);
  snprintf(text, sizeof text, "%s seed=%llu instance=%u", id.key,
           (unsigned long long)id.seed, instance);
  bperc_i_hash_text(text, id.key);
  return id;
}

bperc_inputs bperc_i_point_inputs(const bperc_i_point *p, uint64_t seed,
                                  uint32_t instance) {
  bperc_inputs in = {
      .own = p->own, .seed = seed, .instance = instance, .rows = p->rows};
  for (int g = 0; g < BPERC_MEASURE_GROUPS; g++)
    in.groups[g] = p->groups[g];
  return in;
}

static uint32_t more_instances(uint32_t count, unsigned times) {
  uint64_t more = (uint64_t)count * times;
  return more < INT32_MAX ? (uint32_t)more : INT32_MAX;
}

void bperc_experiment_extend(bperc_experiment *x, bperc_scale scale,
                             unsigned times) {
  assert(x && times > 0 && (int)scale < BPERC_I_SCALES);
  for (size_t k = 0; k < x->block_count; k++) {
    bperc_i_block *b = &x->blocks[k];
    bperc_i_points *points = &b->points[scale];
    b->instances[scale] = more_instances(b->instances[scale], times);
    for (size_t p = 0; p < points->count; p++)
      points->points[p].instances =
          more_instances(points->points[p].instances, times);
  }
}
