/* A report: figures one after the other, then the page over all. */
#include "lab/page/figure.h"

#include "bperc/io.h"
#include "lab/base/memory.h"
#include "lab/plan/plan.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct bperc_report {
  char *folder, *origin;
  bperc_i_figure *figures;
  size_t count;
  int trusted;
  bperc_i_text warning;
};

bperc_status bperc_report_new(const char *folder, const char *origin,
                              bperc_report **out, bperc_error *error) {
  bperc_report *r = bperc_calloc(1, sizeof *r);
  *out = NULL;
  if (!r || !(r->folder = bperc_strdup(folder)) ||
      !(r->origin = bperc_strdup(origin))) {
    bperc_report_free(r);
    return bperc_i_report_no_memory(error);
  }
  *out = r;
  return BPERC_OK;
}

void bperc_report_free(bperc_report *r) {
  if (!r)
    return;
  for (size_t k = 0; k < r->count; k++)
    bperc_i_figure_clear(&r->figures[k]);
  bperc_free(r->figures);
  bperc_i_text_clear(&r->warning);
  bperc_free(r->folder);
  bperc_free(r->origin);
  bperc_free(r);
}

/* Keeps a figure that was collected or loaded, and writes its folder. */
static bperc_status take(bperc_report *r, bperc_i_figure *f,
                         bperc_error *error) {
  bperc_i_figure *list = bperc_i_lab_grow(r->figures, r->count, sizeof *list);
  if (!list) {
    bperc_i_figure_clear(f);
    return bperc_i_report_no_memory(error);
  }
  r->figures = list;
  list[r->count++] = *f; /* from here on it is cleared with the report */
  if (bperc_cancelled())
    return bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  return bperc_i_figure_write(&list[r->count - 1], r->folder, r->trusted,
                              &r->warning, error);
}

bperc_status bperc_report_add(bperc_report *r, const bperc_experiment *x,
                              const bperc_judge *judge, bperc_store *store,
                              bperc_scale scale, uint64_t seed,
                              bperc_error *error) {
  bperc_i_figure f;
  bperc_status status =
      bperc_i_figure_collect(x, judge, store, scale, seed, &f, error);
  return status == BPERC_OK ? take(r, &f, error) : status;
}

static bperc_status saved_path(const bperc_experiment *x, bperc_scale scale,
                               bperc_i_text *path, bperc_error *error) {
  if (!x->folder)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "%s: only a folder of an experiment keeps tables",
                           x->name);
  bperc_i_text_format(path, "%s/%s.tsv", x->folder, bperc_scale_name(scale));
  return path->failed ? bperc_i_report_no_memory(error) : BPERC_OK;
}

/* Without memory too: tables that are there are not taken for missing. */
int bperc_experiment_saved(const bperc_experiment *x, bperc_scale scale) {
  char path[PATH_MAX];
  return x->folder &&
         snprintf(path, sizeof path, "%s/%s.tsv", x->folder,
                  bperc_scale_name(scale)) < PATH_MAX &&
         access(path, R_OK) == 0;
}

bperc_status bperc_report_add_saved(bperc_report *r, const bperc_experiment *x,
                                    const bperc_judge *judge, bperc_scale scale,
                                    bperc_error *error) {
  bperc_i_text path = {0};
  bperc_i_figure f;
  bperc_status status = saved_path(x, scale, &path, error);
  if (status == BPERC_OK)
    status = bperc_i_figure_load(x, judge, path.text, &f, error);
  bperc_i_text_clear(&path);
  return status == BPERC_OK ? take(r, &f, error) : status;
}

bperc_status bperc_report_save(const bperc_report *r, size_t k,
                               bperc_scale scale, bperc_error *error) {
  bperc_i_text path = {0};
  assert(k < r->count);
  bperc_status status = saved_path(r->figures[k].x, scale, &path, error);
  if (status == BPERC_OK)
    status = bperc_i_figure_save(&r->figures[k], path.text, error);
  bperc_i_text_clear(&path);
  return status;
}

static bperc_status write_page(const bperc_report *r,
                               const bperc_i_about *about, bperc_error *error) {
  bperc_i_text page = {0};
  bperc_status status = bperc_folder_make(r->folder, error);
  bperc_i_page(&page, r->figures, r->count, about, r->origin);
  if (status == BPERC_OK)
    status = bperc_i_folder_write(r->folder, "index", ".html",
                                  page.failed ? NULL : page.text, error);
  bperc_i_text_clear(&page);
  return status;
}

bperc_status bperc_report_finish(bperc_report *r, bperc_error *error) {
  bperc_i_about about;
  bperc_status status =
      bperc_i_about_read(r->count ? r->figures[0].x : NULL, &about, error);
  if (status != BPERC_OK)
    return status;
  bperc_i_about_sort(&about, r->figures, r->count);
  status = write_page(r, &about, error);
  bperc_i_about_clear(&about);
  return status;
}

void bperc_report_trust(bperc_report *r) { r->trusted = 1; }

size_t bperc_report_failed_plots(const bperc_report *r) {
  size_t failed = 0;
  for (size_t k = 0; k < r->count; k++)
    failed += r->figures[k].plot_failed != 0;
  return failed;
}

size_t bperc_report_count(const bperc_report *r) { return r->count; }

const bperc_claims *bperc_report_claims(const bperc_report *r, size_t k) {
  assert(k < r->count);
  return &r->figures[k].claims;
}

const bperc_experiment *bperc_report_experiment(const bperc_report *r,
                                                size_t k) {
  return r->figures[k].x;
}

const char *bperc_report_warning(const bperc_report *r) {
  return r->warning.length ? r->warning.text : NULL;
}
