/* The numbers of an experiment saved in one file and loaded again: sections
 * that start with "## kind name". */
#include "lab/page/figure.h"

#include "lab/base/memory.h"
#include "lab/verdict/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

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

bperc_status bperc_i_figure_save(const bperc_i_figure *f, const char *path,
                                 bperc_error *error) {
  bperc_i_text t = {0};
  bperc_status status;
  bperc_i_text_format(&t, "## origin %s", f->origin);
  describe_machine(&t);
  bperc_i_text_add(
      &t, "\n## claims\nid\tverdict\texpected\tmeasured\ttext\tline\tquote\n");
  for (size_t k = 0; k < f->claims.count; k++) {
    const bperc_claim *c = &f->claims.claims[k];
    char *measured = bperc_claim_measured(c);
    t.failed |= !measured;
    bperc_i_text_format(&t, "%s\t%s\t%s\t%s\t%s\t%zu\t%s\n", c->id,
                        bperc_claim_verdict_name(c->verdict), c->expected,
                        measured ? measured : "", c->text, c->line, c->quote);
    bperc_free(measured);
  }
  bperc_i_text_format(&t, "## variables\n%s", f->variables);
  status = bperc_i_figure_kept(f, &t, error);
  if (status == BPERC_OK)
    status = t.failed ? bperc_i_report_no_memory(error)
                      : bperc_i_file_write(path, t.text, t.length, error);
  bperc_i_text_clear(&t);
  return status;
}

/* ---- loading */

/* Cuts the next field off a line; "" at its end. */
static char *field(char **at) {
  char *start = *at, *tab = start + strcspn(start, "\t");
  *at = *tab ? tab + 1 : tab;
  *tab = 0;
  return start;
}

static bperc_claim *add_claim(bperc_i_figure *f) {
  bperc_claim *list =
      bperc_i_lab_grow(f->claims.claims, f->claims.count, sizeof *list);
  if (!list)
    return NULL;
  f->claims.claims = list;
  list[f->claims.count] = (bperc_claim){0};
  return &list[f->claims.count++];
}

static int is_whole(const bperc_claim *c) {
  return c->id && c->expected && c->said && c->text && c->quote;
}

static int load_claim(bperc_i_figure *f, char *line) {
  bperc_claim *c = add_claim(f);
  const char *verdict;
  if (!c)
    return 0;
  c->id = bperc_strdup(field(&line));
  verdict = field(&line);
  c->verdict = !strcmp(verdict, "holds")   ? BPERC_HOLDS
               : !strcmp(verdict, "fails") ? BPERC_FAILS
                                           : BPERC_UNDECIDED;
  c->expected = bperc_strdup(field(&line));
  c->said = bperc_strdup(field(&line));
  c->text = bperc_strdup(field(&line));
  c->line = (size_t)strtoul(field(&line), NULL, 10);
  c->quote = bperc_strdup(field(&line));
  return is_whole(c);
}

static int load_claims(bperc_i_figure *f, char *text) {
  int header = 1, good = 1;
  while (*text && good) {
    char *end = text + strcspn(text, "\n"), *next = *end ? end + 1 : end;
    *end = 0;
    if (!header)
      good = load_claim(f, text);
    header = 0;
    text = next;
  }
  return good;
}

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

/* One section: its head line and its body, both ended by 0. */
static int load_section(bperc_i_figure *f, const char *head, char *body) {
  if (strncmp(head, "origin ", 7) == 0) {
    bperc_free(f->origin);
    return (f->origin = bperc_strdup(head + 7)) != NULL;
  }
  if (strcmp(head, "claims") == 0)
    return load_claims(f, body);
  if (strcmp(head, "variables") == 0) {
    bperc_free(f->variables);
    return (f->variables = bperc_strdup(body)) != NULL;
  }
  if (strncmp(head, "table ", 6) == 0)
    return bperc_i_figure_sheet(f, head + 6, bperc_strdup(body));
  return 1;
}

static int load_sections(bperc_i_figure *f, char *text) {
  int good = 1;
  while (text && good) {
    char *end = strstr(text, "\n## ");
    char *body = text + strcspn(text, "\n");
    if (end)
      end[1] = 0; /* keeps the line end of the section before */
    if (*body)
      *body++ = 0;
    good = load_section(f, text, body);
    text = end ? end + 4 : NULL;
  }
  return good;
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

/* A claim that came after the tables, or whose rule changed since. */
static int add_unjudged(bperc_i_figure *f, const bperc_i_claim *from) {
  bperc_claim *c = add_claim(f);
  if (!c)
    return 0;
  c->verdict = BPERC_UNDECIDED;
  c->id = bperc_strdup(from->id);
  c->text = bperc_strdup(from->text);
  c->expected = bperc_strdup(from->expected);
  c->quote = bperc_strdup(from->quote);
  c->line = from->paper_line;
  c->said =
      bperc_strdup("these tables have no verdict on this claim [undecided]");
  return is_whole(c);
}

static int add_missing(bperc_i_figure *f, const bperc_judge *judge) {
  int good = 1;
  for (size_t k = 0; k < judge->claims.count && good; k++) {
    const bperc_i_claim *from = &judge->claims.claims[k];
    size_t there = 0;
    while (there < f->claims.count &&
           strcmp(f->claims.claims[there].id, from->id) != 0)
      there++;
    if (there == f->claims.count)
      good = add_unjudged(f, from);
  }
  return good;
}

bperc_status bperc_i_figure_load(const bperc_experiment *x,
                                 const bperc_judge *judge, const char *path,
                                 bperc_i_figure *f, bperc_error *error) {
  char *text;
  size_t size;
  bperc_status status = bperc_i_file_read(path, &text, &size, error);
  *f = (bperc_i_figure){.x = x};
  if (status != BPERC_OK)
    return status;
  if (strncmp(text, "## ", 3) != 0 || strlen(text) != size)
    status = bperc_error_set(error, BPERC_E_FORMAT,
                             "%s:1: these are not saved tables of bperc", path);
  else if (!load_sections(f, text + 3))
    status = bperc_i_report_no_memory(error);
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
  if (status == BPERC_OK && !(say_whose_rules(f) && add_missing(f, judge)))
    status = bperc_i_report_no_memory(error);
  if (status != BPERC_OK)
    bperc_i_figure_clear(f);
  return status;
}
