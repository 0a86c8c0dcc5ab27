/* Measurements: named functions that turn parameters and a seed into a small
 * record of numbers, the unit of work of a sweep.
 *
 * A measurement is one constant table in one file, named in one list
 * (src/lab/measure/measurements.h). Its parameters come from option tables: its
 * own, and those of the solvers it drives, written with a prefix in plans
 * ("rbp.gamma"). Its record holds scalars and vectors; vectors that belong
 * together share a group, "order/t_fix" and "order/delta", and make one table
 * with one row per position. A value that does not exist in an instance (the
 * time of an unsolved run) is NAN and is left out of averages.
 */
#ifndef BPERC_LAB_MEASURE_H
#define BPERC_LAB_MEASURE_H

#include "bperc/options.h"
#include "bperc/status.h"

#include <stddef.h>
#include <stdint.h>

BPERC_C_BEGIN

typedef struct bperc_record bperc_record;

/* An empty one; BPERC_E_MEMORY. */
BPERC_API bperc_status bperc_record_new(bperc_record **out);
BPERC_API void bperc_record_free(bperc_record *record); /* NULL is fine */
/* Names are copied: letters, digits, '_' and at most one '/' for the group.
 * The first lack of memory is remembered and told by bperc_record_status. */
BPERC_API void bperc_record_scalar(bperc_record *record, const char *name,
                                   double value);
BPERC_API void bperc_record_vector(bperc_record *record, const char *name,
                                   const double *values, size_t count);
BPERC_API bperc_status bperc_record_status(const bperc_record *record);

/* What is in it, in the order of adding; scalars have count 1. */
BPERC_API size_t bperc_record_count(const bperc_record *record);
BPERC_API const char *bperc_record_name(const bperc_record *record, size_t k);
BPERC_API const double *bperc_record_values(const bperc_record *record,
                                            size_t k, size_t *count,
                                            int *is_vector);

/* Bytes for a file or a message, the same on every machine. Reading checks
 * everything. */
BPERC_API size_t bperc_record_pack(const bperc_record *record, void *bytes,
                                   size_t room); /* returns what is needed */
BPERC_API bperc_status bperc_record_unpack(const void *bytes, size_t size,
                                           bperc_record **out);

enum { BPERC_MEASURE_GROUPS = 8 };

/* Options of something the measurement uses. table NULL: the solver called
 * prefix. when: "name=choice" of the measurement's own CHOICE option that
 * makes the group count, NULL for always. */
typedef struct {
  const char *prefix;
  bperc_option_table (*table)(void);
  size_t size; /* of the struct; 0 for a solver */
  const char *when;
} bperc_measure_group;

/* Results that take a large part of the time. A result is a column, "local3",
 * or the table of a group, ".near". when: as above, all of several with blanks.
 */
typedef struct {
  const char *results[4]; /* ended by NULL; none: there are no such */
  const char *when;       /* they are measured */
  const char *without;    /* line of a plan that leaves them out */
} bperc_measure_costly;

typedef struct {
  const void *own;                          /* the measurement's own options */
  const void *groups[BPERC_MEASURE_GROUPS]; /* NULL where it does not count */
  uint64_t seed;                            /* of everything random in it */
  uint32_t instance;                        /* its number at this point */
  const struct bperc_instance *rows; /* the source of patterns; NULL: random */
} bperc_inputs;

typedef struct {
  const char *name;
  const char *summary; /* one line */
  const char *results; /* lines "name  meaning", for the documentation */
  int version;         /* raise it when the same inputs give other numbers */
  bperc_option_table (*options)(void);
  size_t options_size;
  bperc_measure_group groups[BPERC_MEASURE_GROUPS]; /* ended by prefix NULL */
  /* Own options that the seed depends on besides the instance number, in one
   * string with blanks: points that differ in others see the same problems. */
  const char *seeded_by;
  /* Own options that came later than its first version, in one string with
   * blanks: at their defaults they are no part of the name of a task. */
  const char *later;
  bperc_measure_costly costly;
  int takes_rows; /* its patterns may be rows of a data file */
  /* Further sense of the parameters than ranges; NULL when there is none. */
  bperc_status (*check)(const bperc_inputs *inputs, bperc_error *error);
  /* Rough seconds on one core, for the estimate and the order of work: times
   * (n / size)^power, `others` for solvers other than SBPI if that is not 0; or
   * by the function where there is one. */
  double seconds, others;
  int size, power;
  double (*cost)(const bperc_inputs *inputs);
  /* Runs in one thread; polls bperc_cancelled in long loops. */
  bperc_status (*run)(const bperc_inputs *inputs, bperc_record *out,
                      bperc_error *error);
} bperc_measurement;

/* All measurements, ended by NULL; and one by name, NULL if there is none. */
BPERC_API const bperc_measurement *const *bperc_measurements(void);
BPERC_API const bperc_measurement *bperc_measurement_find(const char *name);

BPERC_C_END

#endif
