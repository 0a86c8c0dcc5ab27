/* Collecting and writing the numbers of an experiment. */
#include "lab/page/figure.h"

#include "bperc/io.h"
#include "lab/base/memory.h"
#include "lab/plan/plan.h"
#include "lab/verdict/judge.h"

#include <stdio.h>
#include <string.h>

void bperc_i_figure_clear(bperc_i_figure *f) {
  bperc_claims_clear(&f->claims);
  for (size_t k = 0; k < f->sheet_count; k++) {
    bperc_free(f->sheets[k].name);
    bperc_free(f->sheets[k].text);
  }
  bperc_free(f->sheets);
  bperc_free(f->variables);
  bperc_free(f->origin);
  bperc_free(f->note);
  bperc_free(f->picture);
  bperc_free(f->points);
  *f = (bperc_i_figure){0};
}

bperc_status bperc_i_report_no_memory(bperc_error *error) {
  return bperc_error_set(error, BPERC_E_MEMORY, "no memory for a report");
}

bperc_status bperc_i_figure_note(bperc_i_figure *f, bperc_error *error) {
  size_t size;
  bperc_status status =
      bperc_i_folder_read(f->x->folder, "note.md", &f->note, &size, error);
  if (status == BPERC_OK && !f->note && !(f->note = bperc_strdup("")))
    status = bperc_i_report_no_memory(error);
  return status;
}

int bperc_i_figure_sheet(bperc_i_figure *f, const char *name, char *text) {
  bperc_i_sheet *list =
      bperc_i_lab_grow(f->sheets, f->sheet_count, sizeof *list);
  if (list) {
    f->sheets = list;
    list[f->sheet_count].name = bperc_strdup(name);
    list[f->sheet_count].text = text;
    if (list[f->sheet_count].name && text) {
      f->sheet_count++;
      return 1;
    }
    bperc_free(list[f->sheet_count].name);
  }
  bperc_free(text);
  return 0;
}

const char *bperc_i_figure_table(const bperc_i_figure *f, const char *name) {
  for (size_t k = 0; k < f->sheet_count; k++)
    if (strcmp(f->sheets[k].name, name) == 0)
      return f->sheets[k].text;
  return NULL;
}

const char *bperc_i_next_line(const char *line) {
  line += strcspn(line, "\n");
  return *line ? line + 1 : line;
}

const char *bperc_i_line_field(const char *line, size_t k, size_t *length) {
  while (k-- && line[strcspn(line, "\t\n")] == '\t')
    line += strcspn(line, "\t\n") + 1;
  *length = strcspn(line, "\t\n");
  return line;
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
                                  bperc_table_text(t, k));
  if (status == BPERC_OK) {
    bperc_i_text_format(&origin, "%s scale, seed %llu, bperc %s%s",
                        bperc_scale_name(scale), (unsigned long long)seed,
                        bperc_version(),
                        x->is_part ? "; only what these claims need, without "
                                     "picture"
                                   : "");
    f->variables = bperc_tables_gnuplot(t);
    f->origin = bperc_i_text_take(&origin);
    status = good && f->variables && f->origin
                 ? bperc_i_figure_note(f, error)
                 : bperc_i_report_no_memory(error);
  }
  bperc_tables_free(t);
  if (status != BPERC_OK)
    bperc_i_figure_clear(f);
  return status;
}

/* ---- writing */

bperc_status bperc_i_figure_write(bperc_i_figure *f, const char *folder,
                                  int trusted, bperc_i_text *warning,
                                  bperc_error *error) {
  char *own = bperc_i_path(folder, bperc_experiment_name(f->x));
  bperc_status status =
      own ? bperc_folder_make(own, error) : bperc_i_report_no_memory(error);
  for (size_t k = 0; k < f->sheet_count && status == BPERC_OK; k++)
    status = bperc_i_folder_write(own, f->sheets[k].name, ".tsv",
                                  f->sheets[k].text, error);
  if (status == BPERC_OK)
    status = bperc_i_folder_write(own, "series", ".gp", f->variables, error);
  if (status == BPERC_OK && !f->x->is_part)
    status = bperc_i_figure_plot(f, own, trusted, warning, error);
  bperc_free(own);
  return status;
}
