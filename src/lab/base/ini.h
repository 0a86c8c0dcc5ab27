/* The common form of plans and claims: sections of keys and values.
 *
 *   # comment
 *   key = value
 *     continued on lines that start with a blank
 *   [kind name]
 *   key = value
 *
 * What stands before the first header is a section with empty kind and name.
 */
#ifndef BPERC_SWEEP_INI_H
#define BPERC_SWEEP_INI_H

#include "bperc/status.h"

#include <stddef.h>

typedef struct {
  const char *key, *value;
  size_t line;
} bperc_i_entry;

typedef struct {
  const char *kind, *name;
  size_t line;
  bperc_i_entry *entries;
  size_t count;
} bperc_i_section;

typedef struct {
  char *path, *text; /* the text, cut into strings in place */
  bperc_i_section *sections;
  size_t count;
} bperc_i_ini;

bperc_status bperc_i_ini_parse(const char *path, const char *text, size_t size,
                               bperc_i_ini *out, bperc_error *error);
void bperc_i_ini_clear(bperc_i_ini *ini);
/* The value of a key, or fallback. */
const char *bperc_i_ini_get(const bperc_i_section *s, const char *key,
                            const char *fallback);
/* The line of a key, of the section when it has none. */
size_t bperc_i_ini_line(const bperc_i_section *s, const char *key);
/* A name that may become a file, a column, HTML or a word of gnuplot: a
 * letter, then letters, digits and '_', at most 40. With dots: a table and its
 * group, "exact.step". */
int bperc_i_ini_good_name(const char *name, int dots);
/* The place of a word in a list; -1 when it is not there. */
int bperc_i_word_find(const char *word, const char *const *words, size_t count);
/* Refuses keys of a section that are none of count words. */
bperc_status bperc_i_ini_keys(const bperc_i_ini *ini, const bperc_i_section *s,
                              const char *what, const char *const *words,
                              size_t count, bperc_error *error);
/* Refuses a word that is none of count words and names the nearest, or all. */
bperc_status bperc_i_ini_unknown(const bperc_i_ini *ini, size_t line,
                                 const char *what, const char *key,
                                 const char *const *words, size_t count,
                                 bperc_error *error);
/* "path:line: sentence", status BPERC_E_FORMAT. */
bperc_status bperc_i_ini_bad(const bperc_i_ini *ini, size_t line,
                             bperc_error *error, const char *format, ...)
    BPERC_PRINTF(4, 5);

#endif
