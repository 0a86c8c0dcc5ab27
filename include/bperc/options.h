/* Options of a module from one table.
 *
 * A module lists its options once, as a macro of rows:
 *
 *   #define BPERC_SBPI_OPTIONS(X)                                             \
 *     X(INT, max_sweeps, 4000, 4000, 1, 1e9, "give up after so many sweeps")  \
 *     X(REAL, p_s, 0.3, 0.3, 0, 1, "probability of the margin rule [BZ p_s]") \
 *     X(CHOICE, margin, 0, 0, "deepen|printed|off", "what that rule moves")   \
 *     X(FLAG, warm, 0, 0, "keep the state")                                   \
 *     X(TEXT, trace, "FILE", "record the run there")                          \
 *     X(AUTO_INT, k, BPERC_AUTO, 0, 65535, "21 sqrt(N/480)", "bound [K]")
 *
 * with name, default, value of the paper's preset, range, meaning. An AUTO row
 * has no default: the program chooses the number, and the words before the
 * meaning say how. An OPEN row has words for help in place of a default.
 * BPERC_OPTIONS_DECLARE makes the struct, BPERC_OPTIONS_DEFINE the table; the
 * functions below give defaults, presets, parsing and range checks, and the
 * program takes its help and the JSON echo from the same table.
 *
 * Sentences of failures name an option as the table has it. Where the library
 * asks for one elsewhere its name stands between backquotes: `n`. Whoever
 * prints the sentence may write it as users do.
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
  const char *choices; /* CHOICE: "a|b|c"; TEXT: what the value is called */
  const char *meaning;
  const char *automatic; /* numbers: how the program chooses one that is left
                            to it (BPERC_AUTO, text "auto"); else NULL */
  const char *open;      /* numbers: for help, in place of the default */
} bperc_option;

typedef struct {
  const bperc_option *rows;
  size_t count;
} bperc_option_table;

/* The value of a number that is left to the program, where its row allows. */
#define BPERC_AUTO 0

/* Fields of the struct by kind. */
#define BPERC_OPTION_FIELD_INT(name, ...) int64_t name;
#define BPERC_OPTION_FIELD_REAL(name, ...) double name;
#define BPERC_OPTION_FIELD_CHOICE(name, ...) int64_t name;
#define BPERC_OPTION_FIELD_FLAG(name, ...) int64_t name;
#define BPERC_OPTION_FIELD_TEXT(name, ...) const char *name;
#define BPERC_OPTION_FIELD_AUTO_INT(name, ...) int64_t name;
#define BPERC_OPTION_FIELD_AUTO_REAL(name, ...) double name;
#define BPERC_OPTION_FIELD_OPEN_INT(name, ...) int64_t name;
#define BPERC_OPTION_FIELD_OPEN_REAL(name, ...) double name;
#define BPERC_OPTION_FIELD(kind, ...) BPERC_OPTION_FIELD_##kind(__VA_ARGS__)

/* Declares the struct `type` from a macro of rows. */
#define BPERC_OPTIONS_DECLARE(type, ROWS)                                      \
  typedef struct {                                                             \
    ROWS(BPERC_OPTION_FIELD)                                                   \
  } type

/* Rows of the table by kind; the struct is bperc_option_owner there. */
#define BPERC_OPTION_ENTRY(kind, name, initial, paper, low, high, choices,     \
                           automatic, open, meaning)                           \
  {#name,     kind,    offsetof(bperc_option_owner, name),                     \
   initial,   paper,   low,                                                    \
   high,      choices, meaning,                                                \
   automatic, open},
#define BPERC_OPTION_ROW_INT(name, initial, paper, low, high, meaning)         \
  BPERC_OPTION_ENTRY(BPERC_OPTION_INT, name, initial, paper, low, high, NULL,  \
                     NULL, NULL, meaning)
#define BPERC_OPTION_ROW_REAL(name, initial, paper, low, high, meaning)        \
  BPERC_OPTION_ENTRY(BPERC_OPTION_REAL, name, initial, paper, low, high, NULL, \
                     NULL, NULL, meaning)
#define BPERC_OPTION_ROW_CHOICE(name, initial, paper, choices, meaning)        \
  BPERC_OPTION_ENTRY(BPERC_OPTION_CHOICE, name, initial, paper, 0, 0, choices, \
                     NULL, NULL, meaning)
#define BPERC_OPTION_ROW_FLAG(name, initial, paper, meaning)                   \
  BPERC_OPTION_ENTRY(BPERC_OPTION_FLAG, name, initial, paper, 0, 1, NULL,      \
                     NULL, NULL, meaning)
#define BPERC_OPTION_ROW_TEXT(name, value, meaning)                            \
  BPERC_OPTION_ENTRY(BPERC_OPTION_TEXT, name, 0, 0, 0, 0, value, NULL, NULL,   \
                     meaning)
#define BPERC_OPTION_ROW_AUTO_INT(name, paper, low, high, how, meaning)        \
  BPERC_OPTION_ENTRY(BPERC_OPTION_INT, name, BPERC_AUTO, paper, low, high,     \
                     NULL, how, NULL, meaning)
#define BPERC_OPTION_ROW_AUTO_REAL(name, paper, low, high, how, meaning)       \
  BPERC_OPTION_ENTRY(BPERC_OPTION_REAL, name, BPERC_AUTO, paper, low, high,    \
                     NULL, how, NULL, meaning)
#define BPERC_OPTION_ROW_OPEN_INT(name, initial, low, high, open, meaning)     \
  BPERC_OPTION_ENTRY(BPERC_OPTION_INT, name, initial, initial, low, high,      \
                     NULL, NULL, open, meaning)
#define BPERC_OPTION_ROW_OPEN_REAL(name, initial, low, high, open, meaning)    \
  BPERC_OPTION_ENTRY(BPERC_OPTION_REAL, name, initial, initial, low, high,     \
                     NULL, NULL, open, meaning)
#define BPERC_OPTION_ROW(kind, ...) BPERC_OPTION_ROW_##kind(__VA_ARGS__)

/* Defines `bperc_option_table function(void)` for the struct `type`; may be
 * preceded by static. */
#define BPERC_OPTIONS_DEFINE(function, type, ROWS)                             \
  bperc_option_table function(void) {                                          \
    typedef type bperc_option_owner;                                           \
    static const bperc_option rows[] = {ROWS(BPERC_OPTION_ROW)};               \
    bperc_option_table table = {rows, sizeof rows / sizeof rows[0]};           \
    return table;                                                              \
  }                                                                            \
  struct bperc_option_semicolon

/* Fills the struct with the defaults of its table. */
BPERC_API void bperc_options_default(bperc_option_table table, void *options);
/* preset: "default" or "paper". */
BPERC_API bperc_status bperc_options_preset(bperc_option_table table,
                                            void *options, const char *preset,
                                            bperc_error *error);
/* NULL when the table has no such row; accepts '-' for '_'. */
BPERC_API const bperc_option *bperc_options_find(bperc_option_table table,
                                                 const char *name);
/* Parses text into the field of row, with range check. The sentence of a
 * failure is about the text alone: the caller knows how the option is called
 * where it stands. */
BPERC_API bperc_status bperc_options_set(const bperc_option *row, void *options,
                                         const char *text, bperc_error *error);
/* The value as text, for echoes; returns buffer. */
BPERC_API const char *bperc_options_show(const bperc_option *row,
                                         const void *options, char *buffer,
                                         size_t size);
/* The k-th choice copied into buffer, "" when there are not so many. */
BPERC_API const char *bperc_options_choice(const bperc_option *row, size_t k,
                                           char *buffer, size_t size);

/* The nearest of count words by edit distance, NULL when none is near. */
BPERC_API const char *bperc_nearest(const char *word, const char *const *words,
                                    size_t count);

BPERC_C_END

#endif
