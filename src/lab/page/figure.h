/* What is known of one experiment when its numbers are in: texts only, from a
 * store or from saved tables, ready to be written, plotted and shown. */
#ifndef BPERC_REPORT_FIGURE_H
#define BPERC_REPORT_FIGURE_H

#include "bperc/lab/report.h"
#include "lab/base/ini.h"
#include "lab/base/text.h"

typedef struct {
  char *name, *text; /* tab-separated */
} bperc_i_sheet;

typedef struct {
  const bperc_experiment *x; /* borrowed */
  bperc_claims claims;
  bperc_i_sheet *sheets;
  size_t sheet_count;
  char *variables; /* for gnuplot */
  char *origin;    /* where the numbers come from, one line */
  char *note;      /* Markdown; "" when there is none */
  char *picture;   /* SVG; NULL when there is none */
  size_t picture_size;
  char *points;    /* what gnuplot drew, as numbers; NULL when there is none */
  int plot_failed; /* gnuplot ran and failed */
  int is_made;     /* from the tables, though the folder has a script */
} bperc_i_figure;

typedef struct {
  const char *title, *authors, *model, *order; /* "" where nothing is said */
  bperc_i_ini ini;                             /* that they point into */
} bperc_i_about;

bperc_status bperc_i_report_no_memory(bperc_error *error);
void bperc_i_figure_clear(bperc_i_figure *f);
bperc_status bperc_i_figure_collect(const bperc_experiment *x,
                                    const bperc_judge *judge,
                                    bperc_store *store, bperc_scale scale,
                                    uint64_t seed, bperc_i_figure *out,
                                    bperc_error *error);
/* Adds a table; takes the text, which may be NULL. 0: no memory. */
int bperc_i_figure_sheet(bperc_i_figure *f, const char *name, char *text);
/* The text of a table; NULL: there is none of this name. */
const char *bperc_i_figure_table(const bperc_i_figure *f, const char *name);
/* The line after this one of a text; its end when there is none. */
const char *bperc_i_next_line(const char *line);
/* Field k of a line of a table, or the last one; its length in *length. */
const char *bperc_i_line_field(const char *line, size_t k, size_t *length);
/* f->note: that in the folder of f->x, "" without one. */
bperc_status bperc_i_figure_note(bperc_i_figure *f, bperc_error *error);
/* kept_tables.c, from and to one file: claims, tables and variables in
 * sections. */
bperc_status bperc_i_figure_load(const bperc_experiment *x,
                                 const bperc_judge *judge, const char *path,
                                 bperc_i_figure *out, bperc_error *error);
bperc_status bperc_i_figure_save(const bperc_i_figure *f, const char *path,
                                 bperc_error *error);
/* Writes folder/NAME/ with its tables and its picture; says in *warning why
 * there is none. Only where the experiment is trusted its own script runs. */
bperc_status bperc_i_figure_write(bperc_i_figure *f, const char *folder,
                                  int trusted, bperc_i_text *warning,
                                  bperc_error *error);
/* plot.c: runs gnuplot in the folder. */
bperc_status bperc_i_figure_plot(bperc_i_figure *f, const char *folder,
                                 int trusted, bperc_i_text *warning,
                                 bperc_error *error);
/* plot_default.c: a script made from the tables; the number of its panels. */
size_t bperc_i_default_plot(bperc_i_text *t, const bperc_i_figure *f);
/* plot_points.c: a script that tabulates, and its two outputs in one text. */
void bperc_i_points_script(bperc_i_text *t, const char *script);
char *bperc_i_points_join(const char *log, const char *table);
/* about.c: what the folder of an experiment is about; x may be NULL. */
bperc_status bperc_i_about_read(const bperc_experiment *x, bperc_i_about *out,
                                bperc_error *error);
void bperc_i_about_clear(bperc_i_about *about);
/* Puts figures in the order of the paper. */
void bperc_i_about_sort(const bperc_i_about *about, bperc_i_figure *figures,
                        size_t count);
/* page.c */
void bperc_i_page(bperc_i_text *out, const bperc_i_figure *figures,
                  size_t count, const bperc_i_about *about, const char *origin);

#endif
