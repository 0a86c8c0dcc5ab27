/* The numbers of an experiment saved in one file and loaded again: sections
 * that start with "## kind name". */
#include "lab/page/kept.h"

#include "base/number.h"
#include "lab/base/memory.h"
#include "lab/plan/plan.h"
#include "lab/verdict/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { WORTH_ROUNDING = 7 };

/* ---- saving */

static void describe_machine(bperc_i_text *t) {
  struct utsname name;
  time_t now = time(NULL);
  struct tm day;
  char date[32] = "";
  if (gmtime_r(&now, &day))
    strftime(date, sizeof date, "%Y-%m-%d", &day);
  if (uname(&name) == 0)
    bperc_i_text_format(t, ", %s, %s %s, %ld cores", date, name.sysname,
                        name.machine, sysconf(_SC_NPROCESSORS_ONLN));
}

/* ---- which tables, which columns: what the plan's pictures and the tests of
 * its claims name; everything where the plan does not say what it draws */

/* Whether a test looks at this column of a table, or (NULL) at the table. */
static int is_tested(const bperc_i_figure *f, const char *table,
                     const char *column) {
  for (size_t k = 0; k < f->claims.count; k++)
    for (size_t q = 0; q < f->claims.claims[k].test_count; q++) {
      const bperc_claim_test *t = &f->claims.claims[k].tests[q];
      for (int s = 0; s < 4; s++)
        if (t->sides[s].column && !strcmp(t->sides[s].table, table) &&
            (!column || !strcmp(t->sides[s].column, column) ||
             (t->x && !strcmp(t->x, column))))
          return 1;
    }
  return 0;
}

static int is_table_needed(const bperc_i_figure *f, const char *table) {
  return bperc_i_plan_draws(f->x, table, NULL) || is_tested(f, table, NULL);
}

static int has_column(const char *header, const char *name, size_t length,
                      const char *end) {
  size_t size = strlen(end), own;
  for (const char *at = header;; at += own + 1) {
    own = strcspn(at, "\t\n");
    if (own == length + size && memcmp(at, name, length) == 0 &&
        memcmp(at + length, end, size) == 0)
      return 1;
    if (at[own] != '\t')
      return 0;
  }
}

/* The length of "y" when the field is "y_sem" and there is a column y; else 0.
 */
static size_t base_of(const char *header, const char *field, size_t length,
                      const char *end) {
  size_t size = strlen(end);
  if (length > size && memcmp(field + length - size, end, size) == 0 &&
      has_column(header, field, length - size, ""))
    return length - size;
  return 0;
}

/* The first column of numbers with errors says where the rows of a curve are.
 */
static int is_first_value(const char *header, const char *name, size_t length) {
  const char *at = header;
  size_t own = strcspn(at, "\t\n");
  while (!has_column(header, at, own, "_sem") && at[own] == '\t') {
    at += own + 1;
    own = strcspn(at, "\t\n");
  }
  return own == length && memcmp(at, name, length) == 0;
}

static int is_value_needed(const bperc_i_figure *f, const bperc_i_sheet *s,
                           const char *field, size_t length) {
  char name[200];
  if (is_first_value(s->text, field, length) || length >= sizeof name)
    return 1;
  memcpy(name, field, length);
  name[length] = 0;
  return bperc_i_plan_draws(f->x, s->name, name) || is_tested(f, s->name, name);
}

static int is_drawn(const bperc_i_figure *f, const bperc_i_sheet *s,
                    const char *field, size_t length) {
  char name[200];
  snprintf(name, sizeof name, "%.*s", (int)length, field);
  return bperc_i_plan_draws(f->x, s->name, name);
}

static int is_column_needed(const bperc_i_figure *f, const bperc_i_sheet *s,
                            const char *field, size_t length) {
  size_t base = base_of(s->text, field, length, "_sem");
  if (base_of(s->text, field, length, "_median") ||
      base_of(s->text, field, length, "_n"))
    return is_drawn(f, s, field, length);
  if (base)
    return is_value_needed(f, s, field, base);
  return !has_column(s->text, field, length, "_sem") ||
         is_value_needed(f, s, field, length);
}

/* ---- rows */

static void add_kept_field(bperc_i_text *out, const char *field,
                           size_t length) {
  char *end;
  double x = length > WORTH_ROUNDING ? bperc_i_strtod(field, &end) : 0;
  if (length > WORTH_ROUNDING && end == field + length)
    bperc_i_text_format(out, "%.6g", x);
  else
    bperc_i_text_add_bytes(out, field, length);
}

static void add_kept_row(bperc_i_text *out, const char *row, const char *needed,
                         size_t columns) {
  const char *before = "";
  for (size_t k = 0; k < columns; k++) {
    size_t length = strcspn(row, "\t\n");
    if (needed[k]) {
      bperc_i_text_add(out, before);
      add_kept_field(out, row, length);
      before = "\t";
    }
    row += length + (row[length] == '\t');
  }
  bperc_i_text_add(out, "\n");
}

static void add_part(bperc_i_text *out, const bperc_i_figure *f,
                     const bperc_i_sheet *s) {
  const char *table = s->text;
  size_t columns = 1, k = 0;
  char *needed;
  for (const char *c = table; *c && *c != '\n'; c++)
    columns += *c == '\t';
  needed = bperc_alloc(columns, 1);
  if (!needed) {
    out->failed = 1;
    return;
  }
  for (const char *at = table; k < columns; k++) {
    size_t length = strcspn(at, "\t\n");
    needed[k] = (char)is_column_needed(f, s, at, length);
    at += length + (at[length] == '\t');
  }
  for (const char *row = table; *row; row = bperc_i_next_line(row))
    add_kept_row(out, row, needed, columns);
  bperc_free(needed);
}

static void add_tables(bperc_i_text *t, const bperc_i_figure *f) {
  int all = !bperc_i_plan_has_pictures(f->x);
  for (size_t k = 0; k < f->sheet_count; k++) {
    const bperc_i_sheet *s = &f->sheets[k];
    if (!all && !is_table_needed(f, s->name))
      continue;
    bperc_i_text_format(t, "## table %s\n", s->name);
    if (all)
      bperc_i_text_add(t, s->text);
    else
      add_part(t, f, s);
  }
}

bperc_status bperc_i_figure_save(const bperc_i_figure *f, const char *path,
                                 bperc_error *error) {
  bperc_i_text t = {0};
  bperc_status status;
  bperc_i_text_format(&t, "## origin %s", f->origin);
  describe_machine(&t);
  bperc_i_text_add(&t, "\n");
  bperc_i_kept_verdicts(&t, &f->claims);
  bperc_i_text_format(&t, "## variables\n%s", f->variables);
  add_tables(&t, f);
  status = t.failed ? bperc_i_report_no_memory(error)
                    : bperc_i_file_write(path, t.text, t.length, error);
  bperc_i_text_clear(&t);
  return status;
}

/* ---- loading */

/* gnuplot reads the variables, and a text that begins with '<' or has a
 * backtick in it is a command there: only lines NAME = "harmless" pass. */
static int are_variables(const char *text) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  static const char others[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ .+-";
  while (*text) {
    size_t name = strspn(text, letters);
    if (!name || *text <= '9' || strncmp(text + name, " = \"", 4) != 0)
      return 0;
    text += name + 4;
    text += strspn(text, others);
    if (strncmp(text, "\"\n", 2) != 0)
      return 0;
    text += 2;
  }
  return 1;
}

/* A name that can be a file: letters, digits, _ - and dots inside. */
static int is_file_name(const char *name) {
  for (const char *c = name; *c; c++)
    if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') &&
        !(*c >= '0' && *c <= '9') && !strchr("_.-", *c))
      return 0;
  return *name && *name != '.' && strlen(name) < 200;
}

static bperc_i_kept_result kept_if(int kept) {
  return kept ? BPERC_I_KEPT_GOOD : BPERC_I_KEPT_NO_MEMORY;
}

/* One section: its head line and its body, both ended by 0. */
static bperc_i_kept_result load_section(bperc_i_figure *f, const char *head,
                                        char *body) {
  if (strncmp(head, "origin ", 7) == 0) {
    bperc_free(f->origin);
    return kept_if((f->origin = bperc_strdup(head + 7)) != NULL);
  }
  if (strcmp(head, "variables") == 0) {
    bperc_free(f->variables);
    return kept_if((f->variables = bperc_strdup(body)) != NULL);
  }
  if (strncmp(head, "table ", 6) == 0)
    return kept_if(bperc_i_figure_sheet(f, head + 6, bperc_strdup(body)));
  return bperc_i_kept_read(&f->claims, head, body);
}

static bperc_i_kept_result load_sections(bperc_i_figure *f, char *text) {
  bperc_i_kept_result result = BPERC_I_KEPT_GOOD;
  while (text && result == BPERC_I_KEPT_GOOD) {
    char *end = strstr(text, "\n## ");
    char *body = text + strcspn(text, "\n");
    if (end)
      end[1] = 0; /* keeps the line end of the section before */
    if (*body)
      *body++ = 0;
    result = load_section(f, text, body);
    text = end ? end + 4 : NULL;
  }
  return result;
}

static int names_are_good(const bperc_i_figure *f) {
  for (size_t k = 0; k < f->sheet_count; k++)
    if (!is_file_name(f->sheets[k].name))
      return 0;
  return 1;
}

/* Rules need the numbers of every instance, which saved tables do not have: the
 * verdicts stay those of the program that saved them. */
static int say_whose_rules(bperc_i_figure *f) {
  bperc_i_text t = {0};
  char here[64];
  snprintf(here, sizeof here, "bperc %s,", bperc_version());
  if (strstr(f->origin, here))
    return 1;
  bperc_i_text_format(&t, "%s; verdicts by the rules of that version",
                      f->origin);
  bperc_free(f->origin);
  return (f->origin = bperc_i_text_take(&t)) != NULL;
}

static int replace(char **text, const char *by) {
  bperc_free(*text);
  return (*text = bperc_strdup(by)) != NULL;
}

/* Where a claim comes from, and why it fails, is said by the claims, whatever
 * the tables had of it. */
static int name_source(bperc_claim *c, const bperc_i_claim *from) {
  c->source = from->source;
  return replace(&c->quote, from->quote) && replace(&c->place, from->place) &&
         replace(&c->why, from->why);
}

/* A claim that came after the tables, or whose rule changed since. */
static int add_unjudged(bperc_i_figure *f, const bperc_i_claim *from) {
  bperc_claim *c = bperc_i_claims_add(&f->claims);
  if (!c)
    return 0;
  c->verdict = BPERC_UNDECIDED;
  return replace(&c->id, from->id) && replace(&c->text, from->text) &&
         replace(&c->expected, from->expected) && name_source(c, from) &&
         replace(&c->said,
                 "these tables have no verdict on this claim [undecided]");
}

static int match_claims(bperc_i_figure *f, const bperc_judge *judge) {
  int good = 1;
  for (size_t k = 0; k < judge->claims.count && good; k++) {
    const bperc_i_claim *from = &judge->claims.claims[k];
    size_t there = 0;
    while (there < f->claims.count &&
           strcmp(f->claims.claims[there].id, from->id) != 0)
      there++;
    good = there == f->claims.count
               ? add_unjudged(f, from)
               : name_source(&f->claims.claims[there], from);
  }
  return good;
}

bperc_status bperc_i_figure_load(const bperc_experiment *x,
                                 const bperc_judge *judge, const char *path,
                                 bperc_i_figure *f, bperc_error *error) {
  char *text;
  size_t size;
  bperc_status status = bperc_i_file_read(path, &text, &size, error);
  bperc_i_kept_result result;
  *f = (bperc_i_figure){.x = x};
  if (status != BPERC_OK)
    return status;
  if (strncmp(text, "## ", 3) != 0 || strlen(text) != size)
    status = bperc_error_set(error, BPERC_E_FORMAT,
                             "%s:1: these are not saved tables of bperc", path);
  else if ((result = load_sections(f, text + 3)) == BPERC_I_KEPT_NO_MEMORY)
    status = bperc_i_report_no_memory(error);
  else if (result == BPERC_I_KEPT_BAD)
    status =
        bperc_error_set(error, BPERC_E_FORMAT,
                        "%s: a verdict is not one that bperc writes", path);
  else if (!f->origin || !f->variables)
    status = bperc_error_set(error, BPERC_E_FORMAT,
                             "%s: origin or variables are missing", path);
  else if (!are_variables(f->variables) || !names_are_good(f))
    status = bperc_error_set(error, BPERC_E_FORMAT,
                             "%s: a variable or the name of a table is not "
                             "one that bperc writes",
                             path);
  bperc_free(text);
  if (status == BPERC_OK)
    status = bperc_i_figure_note(f, error);
  if (status == BPERC_OK && !(say_whose_rules(f) && match_claims(f, judge)))
    status = bperc_i_report_no_memory(error);
  if (status != BPERC_OK)
    bperc_i_figure_clear(f);
  return status;
}
