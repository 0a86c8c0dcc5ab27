/* Sections of keys and values from a text in memory. */
#include "lab/base/ini.h"

#include "base/number.h"
#include "bperc/options.h"
#include "lab/base/memory.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20 };

bperc_status bperc_i_ini_bad(const bperc_i_ini *ini, size_t line,
                             bperc_error *error, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  bperc_i_vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return bperc_error_set(error, BPERC_E_FORMAT, "%s:%zu: %s", ini->path, line,
                         text);
}

static bperc_status lack_memory(bperc_error *error) {
  return bperc_error_set(error, BPERC_E_MEMORY, "no memory for a plan");
}

static char *trim_blanks(char *text) {
  char *end;
  text += strspn(text, " \t");
  end = text + strlen(text);
  while (end > text && strchr(" \t\r", end[-1]))
    *--end = 0;
  return text;
}

static bperc_i_section *add_section(bperc_i_ini *ini, const char *kind,
                                    const char *name, size_t line) {
  bperc_i_section *list =
      bperc_i_lab_grow(ini->sections, ini->count, sizeof *list);
  if (!list)
    return NULL;
  ini->sections = list;
  list[ini->count] = (bperc_i_section){kind, name, line, NULL, 0};
  return &list[ini->count++];
}

static bperc_status header(bperc_i_ini *ini, char *text, size_t line,
                           bperc_error *error) {
  char *end = strchr(text, ']'), *name;
  if (!end || end[1 + strspn(end + 1, " \t")])
    return bperc_i_ini_bad(ini, line, error,
                           "a section header is '[kind name]'");
  *end = 0;
  text = trim_blanks(text + 1);
  name = text + strcspn(text, " \t");
  if (*name)
    *name++ = 0;
  name = trim_blanks(name);
  for (size_t k = 0; k < ini->count; k++)
    if (!strcmp(ini->sections[k].kind, text) &&
        !strcmp(ini->sections[k].name, name))
      return bperc_i_ini_bad(ini, line, error,
                             "a second section [%s %s]; the first is in line "
                             "%zu",
                             text, name, ini->sections[k].line);
  return add_section(ini, text, name, line) ? BPERC_OK : lack_memory(error);
}

static bperc_status entry(bperc_i_ini *ini, char *text, size_t line,
                          bperc_error *error) {
  bperc_i_section *s = &ini->sections[ini->count - 1];
  char *equals = strchr(text, '=');
  bperc_i_entry *list;
  if (!equals)
    return bperc_i_ini_bad(ini, line, error,
                           "'%.60s' is neither '[kind name]' nor 'key = value'",
                           text);
  *equals = 0;
  text = trim_blanks(text);
  if (!*text)
    return bperc_i_ini_bad(ini, line, error, "no key before '='");
  list = bperc_i_lab_grow(s->entries, s->count, sizeof *list);
  if (!list)
    return lack_memory(error);
  s->entries = list;
  list[s->count++] = (bperc_i_entry){text, trim_blanks(equals + 1), line};
  return BPERC_OK;
}

/* One logical line: the text of a line and of those that continue it, joined
 * by blanks in place. Returns the start of what follows, NULL at the end. */
static char *logical(char *at, size_t *lines) {
  char *write = at + strcspn(at, "\n");
  char *next = *write ? write + 1 : NULL;
  *lines = 1;
  while (next && (*next == ' ' || *next == '\t')) {
    char *end = next + strcspn(next, "\n");
    size_t length = (size_t)(end - next);
    char *more = *end ? end + 1 : NULL;
    if (write > at && write[-1] == '\r')
      write--;
    memmove(write, next, length);
    write += length;
    next = more;
    ++*lines;
  }
  *write = 0;
  return next;
}

static bperc_status parse(bperc_i_ini *ini, bperc_error *error) {
  char *at = ini->text;
  size_t line = 1;
  bperc_status status = BPERC_OK;
  if (!add_section(ini, "", "", 0))
    return lack_memory(error);
  while (at && status == BPERC_OK) {
    size_t lines;
    int comment = *at == '#';
    char *text, *next;
    if (comment) { /* a comment is never continued */
      next = strchr(at, '\n');
      at = next ? next + 1 : NULL;
      line++;
      continue;
    }
    next = logical(at, &lines);
    text = trim_blanks(at);
    if (*text == '[')
      status = header(ini, text, line, error);
    else if (*text)
      status = entry(ini, text, line, error);
    at = next;
    line += lines;
  }
  return status;
}

bperc_status bperc_i_ini_parse(const char *path, const char *text, size_t size,
                               bperc_i_ini *out, bperc_error *error) {
  bperc_status status;
  *out = (bperc_i_ini){0};
  out->path = bperc_strdup(path);
  out->text = bperc_alloc(size + 1, 1);
  if (!out->path || !out->text) {
    bperc_i_ini_clear(out);
    return lack_memory(error);
  }
  if (size)
    memcpy(out->text, text, size);
  out->text[size] = 0;
  if (size > MOST_BYTES || strlen(out->text) != size)
    status = bperc_error_set(error, BPERC_E_FORMAT,
                             "%s: has zero bytes or is longer than a megabyte",
                             path);
  else
    status = parse(out, error);
  if (status != BPERC_OK)
    bperc_i_ini_clear(out);
  return status;
}

void bperc_i_ini_clear(bperc_i_ini *ini) {
  for (size_t k = 0; k < ini->count; k++)
    bperc_free(ini->sections[k].entries);
  bperc_free(ini->sections);
  bperc_free(ini->path);
  bperc_free(ini->text);
  *ini = (bperc_i_ini){0};
}

const char *bperc_i_ini_get(const bperc_i_section *s, const char *key,
                            const char *fallback) {
  for (size_t k = 0; k < s->count; k++)
    if (strcmp(s->entries[k].key, key) == 0)
      return s->entries[k].value;
  return fallback;
}

size_t bperc_i_ini_line(const bperc_i_section *s, const char *key) {
  for (size_t k = 0; k < s->count; k++)
    if (strcmp(s->entries[k].key, key) == 0)
      return s->entries[k].line;
  return s->line;
}

int bperc_i_ini_good_name(const char *name, int dots) {
  if (!isalpha((unsigned char)name[0]) || strlen(name) > 40)
    return 0;
  for (; *name; name++)
    if (!isalnum((unsigned char)*name) && *name != '_' &&
        !(dots && *name == '.'))
      return 0;
  return 1;
}

/* Words of a list that is shown whole; fewer are in the sentence anyway. */
enum { LEAST_NAMED = 4, MOST_NAMED = 30 };

bperc_status bperc_i_ini_unknown(const bperc_i_ini *ini, size_t line,
                                 const char *what, const char *key,
                                 const char *const *words, size_t count,
                                 bperc_error *error) {
  const char *near = bperc_nearest(key, words, count);
  char list[240] = "";
  if (near)
    return bperc_i_ini_bad(ini, line, error, "%s '%.60s': did you mean '%s'?",
                           what, key, near);
  for (size_t k = 0; k < count && count >= LEAST_NAMED && count <= MOST_NAMED;
       k++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
             k ? ", " : ", only ", words[k]);
  return bperc_i_ini_bad(ini, line, error, "%s '%.60s'%s", what, key, list);
}

bperc_status bperc_i_ini_keys(const bperc_i_ini *ini, const bperc_i_section *s,
                              const char *what, const char *const *words,
                              size_t count, bperc_error *error) {
  for (size_t k = 0; k < s->count; k++)
    if (bperc_i_word_find(s->entries[k].key, words, count) < 0)
      return bperc_i_ini_unknown(ini, s->entries[k].line, what,
                                 s->entries[k].key, words, count, error);
  return BPERC_OK;
}

int bperc_i_word_find(const char *word, const char *const *words,
                      size_t count) {
  for (size_t k = 0; k < count; k++)
    if (strcmp(word, words[k]) == 0)
      return (int)k;
  return -1;
}
