/* Options of a module from one table.
 *
 * A module lists its options once, as a macro of rows:
 *
 *   #define BPERC_SBPI_OPTIONS(INT, REAL, CHOICE, FLAG)                       \
 *     INT(max_sweeps, 4000, 4000, 1, 1e9, "give up after so many sweeps")     \
 *     REAL(p_s, 0.3, 0.3, 0, 1, "probability of the margin rule [BZ p_s]")    \
 *     CHOICE(margin, 0, 0, "deepen|printed|off", "what the margin rule moves")
 *     FLAG(warm, 0, 0, "keep the state")
 *
 * with name, default, value of the paper (--preset paper), range, meaning.
 * BPERC_OPTIONS_DECLARE makes the struct, BPERC_OPTIONS_DEFINE the table; the
 * functions below give defaults, presets, parsing and range checks, and the
 * program takes --help and the JSON echo from the same table. On the command
 * line an underscore of a name is written as a hyphen.
 */
#ifndef BPERC_OPTIONS_H
#define BPERC_OPTIONS_H

#include "bperc/status.h"

#include <stddef.h>
#include <stdint.h>

BPERC_C_BEGIN

typedef enum {
  BPERC_OPTION_INT,    /* int64_t */
  BPERC_OPTION_REAL,   /* double */
  BPERC_OPTION_CHOICE, /* int64_t, position in the list of choices */
  BPERC_OPTION_FLAG,   /* int64_t 0 or 1; --name or --no-name */
  BPERC_OPTION_TEXT,   /* const char *, borrowed from the caller */
} bperc_option_kind;

typedef struct {
  const char *name;
  bperc_option_kind kind;
  size_t offset;
  double initial, paper, low, high;
  const char *choices; /* "a|b|c"; TEXT: name of the value; numbers: default */
  const char *meaning;
} bperc_option;

typedef struct {
  const bperc_option *rows;
  size_t count;
} bperc_option_table;

#define BPERC_OPTION_FIELD_INT(name, initial, paper, low, high, meaning)       \
  int64_t name;
#define BPERC_OPTION_FIELD_REAL(name, initial, paper, low, high, meaning)      \
  double name;
#define BPERC_OPTION_FIELD_CHOICE(name, initial, paper, choices, meaning)      \
  int64_t name;
#define BPERC_OPTION_FIELD_FLAG(name, initial, paper, meaning) int64_t name;

/* Declares `typedef struct {...} type;` from a macro of rows. */
#define BPERC_OPTIONS_DECLARE(type, ROWS)                                      \
  typedef struct {                                                             \
    ROWS(BPERC_OPTION_FIELD_INT, BPERC_OPTION_FIELD_REAL,                      \
         BPERC_OPTION_FIELD_CHOICE, BPERC_OPTION_FIELD_FLAG)                   \
  } type;

/* Defines the function `bperc_option_table name(void)`. Inside, ROWS refers
 * to BPERC_OPTION_TYPE, which the caller defines as the struct type. */
#define BPERC_OPTION_ROW_INT(name, initial, paper, low, high, meaning)         \
  {#name,                                                                      \
   BPERC_OPTION_INT,                                                           \
   offsetof(BPERC_OPTION_TYPE, name),                                          \
   initial,                                                                    \
   paper,                                                                      \
   low,                                                                        \
   high,                                                                       \
   NULL,                                                                       \
   meaning},
#define BPERC_OPTION_ROW_REAL(name, initial, paper, low, high, meaning)        \
  {#name,                                                                      \
   BPERC_OPTION_REAL,                                                          \
   offsetof(BPERC_OPTION_TYPE, name),                                          \
   initial,                                                                    \
   paper,                                                                      \
   low,                                                                        \
   high,                                                                       \
   NULL,                                                                       \
   meaning},
#define BPERC_OPTION_ROW_CHOICE(name, initial, paper, choices, meaning)        \
  {#name,                                                                      \
   BPERC_OPTION_CHOICE,                                                        \
   offsetof(BPERC_OPTION_TYPE, name),                                          \
   initial,                                                                    \
   paper,                                                                      \
   0,                                                                          \
   0,                                                                          \
   choices,                                                                    \
   meaning},
#define BPERC_OPTION_ROW_FLAG(name, initial, paper, meaning)                   \
  {#name,                                                                      \
   BPERC_OPTION_FLAG,                                                          \
   offsetof(BPERC_OPTION_TYPE, name),                                          \
   initial,                                                                    \
   paper,                                                                      \
   0,                                                                          \
   1,                                                                          \
   NULL,                                                                       \
   meaning},
#define BPERC_OPTIONS_DEFINE(function, ROWS)                                   \
  bperc_option_table function(void) {                                          \
    static const bperc_option rows[] = {                                       \
        ROWS(BPERC_OPTION_ROW_INT, BPERC_OPTION_ROW_REAL,                      \
             BPERC_OPTION_ROW_CHOICE, BPERC_OPTION_ROW_FLAG)};                 \
    bperc_option_table table = {rows, sizeof rows / sizeof rows[0]};           \
    return table;                                                              \
  }

BPERC_API void bperc_options_default(bperc_option_table table, void *options);
/* preset: "default" or "paper". */
BPERC_API bperc_status bperc_options_preset(bperc_option_table table,
                                            void *options, const char *preset,
                                            bperc_error *error);
/* NULL when the table has no such row; accepts '-' for '_'. */
BPERC_API const bperc_option *bperc_options_find(bperc_option_table table,
                                                 const char *name);
/* Parses text into the field of row, with range check. The sentence of a
 * failure starts with the name as the row has it. */
BPERC_API bperc_status bperc_options_set(const bperc_option *row, void *options,
                                         const char *text, bperc_error *error);
/* Checks every field of options, for callers who fill the struct by hand. */
BPERC_API bperc_status bperc_options_check(bperc_option_table table,
                                           const void *options,
                                           bperc_error *error);
/* The value as text, for echoes; returns buffer. */
BPERC_API const char *bperc_options_show(const bperc_option *row,
                                         const void *options, char *buffer,
                                         size_t size);
/* Number of choices, and the k-th one copied into buffer. */
BPERC_API size_t bperc_options_choices(const bperc_option *row);
BPERC_API const char *bperc_options_choice(const bperc_option *row, size_t k,
                                           char *buffer, size_t size);

/* The nearest of count words by edit distance, NULL when none is near. */
BPERC_API const char *bperc_nearest(const char *word, const char *const *words,
                                    size_t count);

BPERC_C_END

#endif
