/* What a folder of experiments is about, from the file `about` beside them:
 * title, authors and model of the paper, and the order of its figures. */
#include "lab/page/figure.h"

#include "lab/base/memory.h"
#include "lab/plan/plan.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

bperc_status bperc_i_about_read(const bperc_experiment *x, bperc_i_about *out,
                                bperc_error *error) {
  const char *folder = x ? x->folder : NULL;
  char *text, path[PATH_MAX];
  size_t size;
  bperc_status status =
      bperc_i_folder_read(folder, "../about", &text, &size, error);
  *out = (bperc_i_about){"", "", "", "", {0}};
  if (text) {
    snprintf(path, sizeof path, "%s/../about", folder);
    status = bperc_i_ini_parse(path, text, size, &out->ini, error);
  }
  if (out->ini.count) {
    const bperc_i_section *s = &out->ini.sections[0];
    out->title = bperc_i_ini_get(s, "title", "");
    out->authors = bperc_i_ini_get(s, "authors", "");
    out->model = bperc_i_ini_get(s, "model", "");
    out->order = bperc_i_ini_get(s, "figures", "");
  }
  bperc_free(text);
  return status;
}

void bperc_i_about_clear(bperc_i_about *a) { bperc_i_ini_clear(&a->ini); }

/* The place of a name in the list; after all of them when it is not there. */
static size_t place_in_order(const char *order, const char *name) {
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
    for (size_t q = k; q > 0 && place_in_order(a->order, f[q].x->name) <
                                    place_in_order(a->order, f[q - 1].x->name);
         q--) {
      bperc_i_figure swap = f[q];
      f[q] = f[q - 1];
      f[q - 1] = swap;
    }
}
