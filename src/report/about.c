/* What a folder of experiments is about, from the file `about` beside them:
 * title, authors and model of the paper, and the order of its figures. */
#include "report/figure.h"

#include "base/alloc.h"
#include "sweep/plan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *value(const bperc_i_ini *ini, const char *key) {
  return bperc_i_strdup(ini ? bperc_i_ini_get(&ini->sections[0], key, "") : "");
}

static bperc_status fill(const bperc_i_ini *ini, bperc_i_about *out,
                         bperc_error *error) {
  out->title = value(ini, "title");
  out->authors = value(ini, "authors");
  out->model = value(ini, "model");
  out->order = value(ini, "figures");
  return out->title && out->authors && out->model && out->order
             ? BPERC_OK
             : bperc_error_set(error, BPERC_E_MEMORY, "no memory for a report");
}

bperc_status bperc_i_about_read(const bperc_experiment *x, bperc_i_about *out,
                                bperc_error *error) {
  const char *folder = x && x->folder ? x->folder : "";
  char *path = bperc_i_path(folder, "../about"), *text = NULL;
  bperc_i_ini ini = {0};
  size_t size = 0;
  bperc_status status = path ? BPERC_OK : bperc_i_report_no_memory(error);
  *out = (bperc_i_about){0};
  if (status == BPERC_OK && *folder && access(path, R_OK) == 0)
    status = bperc_i_file_read(path, &text, &size, error);
  if (status == BPERC_OK && text)
    status = bperc_i_ini_parse(path, text, size, &ini, error);
  if (status == BPERC_OK)
    status = fill(text ? &ini : NULL, out, error);
  bperc_i_ini_clear(&ini);
  bperc_i_free(text);
  bperc_i_free(path);
  if (status != BPERC_OK)
    bperc_i_about_clear(out);
  return status;
}

void bperc_i_about_clear(bperc_i_about *a) {
  bperc_i_free(a->title);
  bperc_i_free(a->authors);
  bperc_i_free(a->model);
  bperc_i_free(a->order);
  *a = (bperc_i_about){0};
}

/* The place of a name in the list; after all of them when it is not there. */
static size_t place(const char *order, const char *name) {
  size_t length = strlen(name), place = 0;
  while (*order) {
    size_t word;
    order += strspn(order, " ");
    word = strcspn(order, " ");
    if (word == length && memcmp(order, name, length) == 0)
      return place;
    order += word;
    place++;
  }
  return place;
}

void bperc_i_about_sort(const bperc_i_about *a, bperc_i_figure *f,
                        size_t count) {
  for (size_t k = 1; k < count; k++) /* insertion: stable, and few */
    for (size_t q = k; q > 0 && place(a->order, f[q].x->name) <
                                    place(a->order, f[q - 1].x->name);
         q--) {
      bperc_i_figure swap = f[q];
      f[q] = f[q - 1];
      f[q - 1] = swap;
    }
}
