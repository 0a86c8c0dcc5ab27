/* An experiment in memory: blocks of points. Sections that
 * compute from tables are kept as they are, for judges.
 *
 * A block is one measurement with fixed parameters and lists of parameters; its
 * points are the product of the lists, the last list fastest. A point and an
 * instance number are a task.
 */
#ifndef BPERC_SWEEP_PLAN_H
#define BPERC_SWEEP_PLAN_H

#include "bperc/instance.h"
#include "bperc/lab/plan.h"
#include "lab/base/ini.h"

enum { BPERC_I_SCALES = 2 };

typedef struct {
  const char *name; /* "fin", "rbp.gamma" */
  size_t line;
  char **values[BPERC_I_SCALES]; /* canonical texts */
  size_t count[BPERC_I_SCALES];
  int is_list; /* at some scale: becomes a column of the tables */
} bperc_i_parameter;

typedef struct {
  const bperc_measurement *measurement;
  const bperc_instance *rows; /* of the block's data file, or NULL */
  size_t *choice;             /* which value of each parameter of the block */
  char *own;                  /* option structs, ready to run; one block */
  char *groups[BPERC_MEASURE_GROUPS];
  char *inputs;  /* canonical text of measurement, version, parameters */
  uint64_t salt; /* what the seed depends on besides the instance */
  uint32_t instances;
  double cost; /* seconds per task, rough */
} bperc_i_point;

typedef struct {
  bperc_i_point *points;
  size_t count;
} bperc_i_points;

typedef struct {
  const char *name;
  size_t line;
  const bperc_measurement *measurement;
  const char *preset;
  size_t preset_line;
  bperc_i_parameter *parameters;
  size_t parameter_count;
  uint32_t instances[BPERC_I_SCALES];
  bperc_instance *rows; /* of a data file; NULL: random patterns */
  char rows_hash[33];   /* of their content */
  /* made when the plan is read; the same list twice when the scales agree */
  bperc_i_points points[BPERC_I_SCALES];
} bperc_i_block;

struct bperc_experiment {
  char *name, *folder; /* folder NULL when parsed from memory */
  bperc_i_ini plan;
  const char *title, *caption;
  bperc_i_block *blocks;
  size_t block_count;
  int is_part; /* narrowed to some of its claims */
};

/* Replaces the values of a parameter at a scale by those of a text: values.c.
 */
bperc_status bperc_i_values_read(const bperc_experiment *x,
                                 bperc_i_parameter *q,
                                 const bperc_measurement *m, int scale,
                                 const char *text, bperc_error *error);

/* pictures.c: whether the plan says what its picture needs; whether that is
 * this table, or this column of it (NULL: any); whether it names tables of the
 * plan alone. */
int bperc_i_plan_has_pictures(const bperc_experiment *x);
int bperc_i_plan_draws(const bperc_experiment *x, const char *table,
                       const char *column);
/* The same of a column in any table of the block. */
int bperc_i_plan_draws_result(const bperc_experiment *x, const char *block,
                              const char *column);
bperc_status bperc_i_pictures_check(const bperc_experiment *x,
                                    bperc_error *error);

void bperc_i_block_clear(bperc_i_block *block);

/* Makes the points of a block at both scales: the products of its lists, so
 * that impossible parameters are told before anything runs. */
bperc_status bperc_i_points_make(const bperc_experiment *x, bperc_i_block *b,
                                 bperc_error *error);
void bperc_i_points_clear(bperc_i_block *b);

/* Key of a task: hash of its canonical text, which is also returned. */
typedef struct {
  char key[33];
  uint64_t seed; /* of the instance */
} bperc_i_identity;
bperc_i_identity bperc_i_point_identity(const bperc_i_point *point,
                                        uint64_t seed, uint32_t instance);
bperc_inputs bperc_i_point_inputs(const bperc_i_point *point, uint64_t seed,
                                  uint32_t instance);

/* The row of a parameter and, in *group, the place of its struct: -1 for the
 * measurement's own. NULL when there is none. */
const bperc_option *bperc_i_parameter_find(const bperc_measurement *m,
                                           const char *name, int *group);
/* Whether every "name=value" of a text with blanks is so in the own options of
 * a measurement; NULL always is. */
int bperc_i_counts(const bperc_measurement *m, const char *own,
                   const char *when);
bperc_option_table bperc_i_group_table(const bperc_measure_group *group,
                                       size_t *size);

#endif
