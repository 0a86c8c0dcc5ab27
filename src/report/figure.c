/* Collecting and writing the numbers of an experiment. */
#include "report/figure.h"

#include "base/alloc.h"
#include "bperc/io.h"
#include "judge/judge.h"
#include "sweep/plan.h"

#include <stdio.h>
#include <string.h>
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

char *bperc_i_figure_note(const bperc_experiment *x) {
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

int bperc_i_figure_sheet(bperc_i_figure *f, const char *name, char *text) {
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
      good = bperc_i_figure_sheet(f, bperc_tables_name(t, k),
                                  printed(bperc_tables_print, t, k));
  if (status == BPERC_OK) {
    bperc_i_text_format(&origin, "%s scale, seed %llu, bperc %s%s",
                        bperc_scale_name(scale), (unsigned long long)seed,
                        bperc_version(),
                        x->is_part ? "; only what these claims need, without "
                                     "picture"
                                   : "");
    f->variables = printed(print_variables, t, 0);
    f->note = bperc_i_figure_note(x);
    f->origin = bperc_i_text_take(&origin);
    if (!good || !f->variables || !f->note || !f->origin)
      status = no_memory(error);
  }
  bperc_tables_free(t);
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
