/* Collecting, saving and loading the numbers of an experiment. */
#include "report/figure.h"

#include "base/alloc.h"
#include "bperc/io.h"
#include "judge/judge.h"
#include "sweep/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

void bperc_i_figure_clear(bperc_i_figure *f) {
  bperc_claims_clear(&f->claims);
  for (size_t k = 0; k < f->sheet_count; k++) {
    bperc_i_free(f->sheets[k].name);
    bperc_i_free(f->sheets[k].text);
  }
  bperc_i_free(f->sheets);
  bperc_i_free(f->variables);
  bperc_i_free(f->origin);
  bperc_i_free(f->note);
  bperc_i_free(f->picture);
  bperc_i_free(f->points);
  *f = (bperc_i_figure){0};
}

static bperc_status no_memory(bperc_error *error) {
  return bperc_error_set(error, BPERC_E_MEMORY, "no memory for a report");
}

/* ---- texts from functions that print */

typedef void printer(const bperc_tables *t, size_t k, FILE *out);

static void print_variables(const bperc_tables *t, size_t k, FILE *out) {
  (void)k;
  bperc_tables_print_gnuplot(t, out);
}

static char *printed(printer *print, const bperc_tables *t, size_t k) {
  bperc_i_text text = {0};
  FILE *stream = bperc_i_text_stream(&text);
  if (!stream)
    return NULL;
  print(t, k, stream);
  fclose(stream);
  return bperc_i_text_take(&text);
}

static char *read_note(const bperc_experiment *x) {
  bperc_i_text path = {0};
  char *note = NULL;
  size_t size;
  if (x->folder) {
    bperc_i_text_format(&path, "%s/note.md", x->folder);
    if (!path.failed && access(path.text, R_OK) == 0)
      bperc_i_file_read(path.text, &note, &size, NULL);
    bperc_i_text_clear(&path);
  }
  return note ? note : bperc_i_strdup("");
}

static int add_sheet(bperc_i_figure *f, const char *name, char *text) {
  bperc_i_sheet *list =
      bperc_i_realloc(f->sheets, f->sheet_count * sizeof *list,
                      (f->sheet_count + 1) * sizeof *list);
  if (list) {
    f->sheets = list;
    list[f->sheet_count].name = bperc_i_strdup(name);
    list[f->sheet_count].text = text;
    if (list[f->sheet_count].name && text) {
      f->sheet_count++;
      return 1;
    }
    bperc_i_free(list[f->sheet_count].name);
  }
  bperc_i_free(text);
  return 0;
}

bperc_status bperc_i_figure_collect(const bperc_experiment *x,
                                    const bperc_judge *judge,
                                    bperc_store *store, bperc_scale scale,
                                    uint64_t seed, bperc_i_figure *f,
                                    bperc_error *error) {
  bperc_tables *t = NULL;
  bperc_i_text origin = {0};
  int good = 1;
  bperc_status status = bperc_judge_tables(x, store, scale, seed, &t, error);
  *f = (bperc_i_figure){.x = x};
  if (status == BPERC_OK)
    status = bperc_judge_claims(judge, t, &f->claims, error);
  for (size_t k = 0; status == BPERC_OK && good && k < bperc_tables_count(t);
       k++)
    if (bperc_cancelled())
      status = bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
    else
      good = add_sheet(f, bperc_tables_name(t, k),
                       printed(bperc_tables_print, t, k));
  if (status == BPERC_OK) {
    bperc_i_text_format(&origin, "%s scale, seed %llu, bperc %s%s",
                        bperc_scale_name(scale), (unsigned long long)seed,
                        bperc_version(),
                        x->is_part ? "; only what these claims need, without "
                                     "picture"
                                   : "");
    f->variables = printed(print_variables, t, 0);
    f->note = read_note(x);
    f->origin = bperc_i_text_take(&origin);
    if (!good || !f->variables || !f->note || !f->origin)
      status = no_memory(error);
  }
  bperc_tables_free(t);
  if (status != BPERC_OK)
    bperc_i_figure_clear(f);
  return status;
}

/* ---- one file for all: sections start with "## kind name" */

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
    bperc_i_text_format(&t, "%s\t%s\t%s\t%s\t%s\t%zu\t%s\n", c->id,
                        bperc_claim_verdict_name(c->verdict), c->expected,
                        c->measured, c->text, c->line, c->quote);
  }
  bperc_i_text_format(&t, "## variables\n%s", f->variables);
  for (size_t k = 0; k < f->sheet_count; k++)
    bperc_i_text_format(&t, "## table %s\n%s", f->sheets[k].name,
                        f->sheets[k].text);
  status = t.failed ? no_memory(error)
                    : bperc_i_file_write(path, t.text, t.length, error);
  bperc_i_text_clear(&t);
  return status;
}

/* Cuts the next field off a line; "" at its end. */
static char *field(char **at) {
  char *start = *at, *tab = start + strcspn(start, "\t");
  *at = *tab ? tab + 1 : tab;
  *tab = 0;
  return start;
}

static bperc_claim *add_claim(bperc_i_figure *f) {
  bperc_claim *list =
      bperc_i_realloc(f->claims.claims, f->claims.count * sizeof *list,
                      (f->claims.count + 1) * sizeof *list);
  if (!list)
    return NULL;
  f->claims.claims = list;
  list[f->claims.count] = (bperc_claim){0};
  return &list[f->claims.count++];
}

static int is_whole(const bperc_claim *c) {
  return c->id && c->expected && c->measured && c->text && c->quote;
}

static int load_claim(bperc_i_figure *f, char *line) {
  bperc_claim *c = add_claim(f);
  const char *verdict;
  if (!c)
    return 0;
  c->id = bperc_i_strdup(field(&line));
  verdict = field(&line);
  c->verdict = !strcmp(verdict, "holds")   ? BPERC_HOLDS
               : !strcmp(verdict, "fails") ? BPERC_FAILS
                                           : BPERC_UNDECIDED;
  c->expected = bperc_i_strdup(field(&line));
  c->measured = bperc_i_strdup(field(&line));
  c->text = bperc_i_strdup(field(&line));
  c->line = (size_t)strtoul(field(&line), NULL, 10);
  c->quote = bperc_i_strdup(field(&line));
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
    bperc_i_free(f->origin);
    return (f->origin = bperc_i_strdup(head + 7)) != NULL;
  }
  if (strcmp(head, "claims") == 0)
    return load_claims(f, body);
  if (strcmp(head, "variables") == 0) {
    bperc_i_free(f->variables);
    return (f->variables = bperc_i_strdup(body)) != NULL;
  }
  if (strncmp(head, "table ", 6) == 0)
    return add_sheet(f, head + 6, bperc_i_strdup(body));
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
  bperc_i_free(f->origin);
  return (f->origin = bperc_i_text_take(&t)) != NULL;
}

/* A claim that came after the tables, or whose rule changed since. */
static int add_unjudged(bperc_i_figure *f, const bperc_i_claim *from) {
  bperc_claim *c = add_claim(f);
  if (!c)
    return 0;
  c->verdict = BPERC_UNDECIDED;
  c->id = bperc_i_strdup(from->id);
  c->text = bperc_i_strdup(from->text);
  c->expected = bperc_i_strdup(from->expected);
  c->quote = bperc_i_strdup(from->quote);
  c->line = from->paper_line;
  c->measured = bperc_i_strdup("these tables have no verdict on this claim");
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
  else if (!load_sections(f, text + 3) || !(f->note = read_note(x)))
    status = no_memory(error);
  else if (!f->origin || !f->variables)
    status = bperc_error_set(error, BPERC_E_FORMAT,
                             "%s: origin or variables are missing", path);
  else if (!are_variables(f->variables) || !names_are_good(f))
    status = bperc_error_set(error, BPERC_E_FORMAT,
                             "%s: a variable or the name of a table is not "
                             "one that bperc writes",
                             path);
  bperc_i_free(text);
  if (status == BPERC_OK && !(say_whose_rules(f) && add_missing(f, judge)))
    status = no_memory(error);
  if (status != BPERC_OK)
    bperc_i_figure_clear(f);
  return status;
}

/* ---- writing */

static bperc_status write_one(const char *folder, const char *name,
                              const char *end, const char *text,
                              bperc_error *error) {
  bperc_i_text path = {0};
  bperc_status status;
  bperc_i_text_format(&path, "%s/%s%s", folder, name, end);
  status = path.failed
               ? no_memory(error)
               : bperc_i_file_write(path.text, text, strlen(text), error);
  bperc_i_text_clear(&path);
  return status;
}

bperc_status bperc_i_figure_write(bperc_i_figure *f, const char *folder,
                                  int trusted, bperc_i_text *warning,
                                  bperc_error *error) {
  bperc_i_text own = {0};
  bperc_status status;
  bperc_i_text_format(&own, "%s/%s", folder, bperc_experiment_name(f->x));
  if (own.failed)
    return no_memory(error);
  status = bperc_folder_make(own.text, error);
  for (size_t k = 0; k < f->sheet_count && status == BPERC_OK; k++)
    status = write_one(own.text, f->sheets[k].name, ".tsv", f->sheets[k].text,
                       error);
  if (status == BPERC_OK)
    status = write_one(own.text, "series", ".gp", f->variables, error);
  if (status == BPERC_OK && !f->x->is_part)
    status = bperc_i_figure_plot(f, own.text, trusted, warning, error);
  bperc_i_text_clear(&own);
  return status;
}
