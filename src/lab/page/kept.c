/* Of the tables of an experiment with a script of its own only that part is
 * kept in its folder that the script or a verdict may look at: by name, for
 * scripts put names together ("bp".size."_step"). */
#include "lab/page/figure.h"

#include "base/number.h"
#include "lab/base/memory.h"
#include "lab/plan/plan.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 200, WORTH_ROUNDING = 7 };

typedef struct {
  const bperc_i_figure *f;
  const char *script;
} reader;

static int is_in(const char *text, const char *name, size_t length,
                 const char *end) {
  char whole[LONGEST_NAME + 8];
  if (length > LONGEST_NAME)
    return 1; /* too long to look for: kept */
  snprintf(whole, sizeof whole, "%.*s%s", (int)length, name, end);
  return strstr(text, whole) != NULL;
}

static int is_in_a_verdict(const bperc_i_figure *f, const char *name,
                           size_t length, const char *end) {
  int found = 0;
  for (size_t k = 0; k < f->claims.count && !found; k++) {
    char *measured = bperc_claim_measured(&f->claims.claims[k]);
    found = !measured || is_in(measured, name, length, end);
    bperc_free(measured);
  }
  return found;
}

/* Whether the script has a part of a name, without the number at its end. */
static int is_part_in(const char *script, const char *part, size_t length) {
  while (length && isdigit((unsigned char)part[length - 1]))
    length--;
  return is_in(script, part, length, "");
}

/* Tables of single numbers are small and stay. A curve "bp_a25.step" is
 * bp_a25_step in a script, which may put it together of such parts. */
static int is_table_needed(const reader *r, const char *name) {
  if (!strchr(name, '.') || is_in_a_verdict(r->f, name, strlen(name), ":"))
    return 1;
  for (const char *part = name;; part++) {
    size_t length = strcspn(part, "._");
    if (!is_part_in(r->script, part, length))
      return 0;
    part += length;
    if (!*part)
      return 1;
  }
}

/* ---- columns */

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

static int is_value_needed(const reader *r, const char *header,
                           const char *name, size_t length) {
  return is_first_value(header, name, length) ||
         is_in(r->script, name, length, "") ||
         is_in_a_verdict(r->f, name, length, "");
}

static int is_column_needed(const reader *r, const char *header,
                            const char *field, size_t length) {
  size_t base = base_of(header, field, length, "_sem");
  if (base_of(header, field, length, "_median") ||
      base_of(header, field, length, "_n"))
    return is_in(r->script, field, length, "");
  if (base)
    return is_value_needed(r, header, field, base);
  return !has_column(header, field, length, "_sem") ||
         is_value_needed(r, header, field, length);
}

/* ---- rows */

static void add_field(bperc_i_text *out, const char *field, size_t length) {
  char *end;
  double x = length > WORTH_ROUNDING ? bperc_i_strtod(field, &end) : 0;
  if (length > WORTH_ROUNDING && end == field + length)
    bperc_i_text_format(out, "%.6g", x);
  else
    bperc_i_text_add_bytes(out, field, length);
}

static void add_row(bperc_i_text *out, const char *row, const char *needed,
                    size_t columns) {
  const char *before = "";
  for (size_t k = 0; k < columns; k++) {
    size_t length = strcspn(row, "\t\n");
    if (needed[k]) {
      bperc_i_text_add(out, before);
      add_field(out, row, length);
      before = "\t";
    }
    row += length + (row[length] == '\t');
  }
  bperc_i_text_add(out, "\n");
}

static void add_table(const reader *r, const char *table, bperc_i_text *out) {
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
    needed[k] = (char)is_column_needed(r, table, at, length);
    at += length + (at[length] == '\t');
  }
  for (const char *row = table; *row; row = bperc_i_next_line(row))
    add_row(out, row, needed, columns);
  bperc_free(needed);
}

bperc_status bperc_i_figure_kept(const bperc_i_figure *f, bperc_i_text *out,
                                 bperc_error *error) {
  char *script = NULL;
  size_t size;
  bperc_status status =
      bperc_i_folder_read(f->x->folder, "plot.gp", &script, &size, error);
  reader r = {f, script};
  for (size_t k = 0; status == BPERC_OK && k < f->sheet_count; k++) {
    const bperc_i_sheet *s = &f->sheets[k];
    if (script && !is_table_needed(&r, s->name))
      continue;
    bperc_i_text_format(out, "## table %s\n", s->name);
    if (script)
      add_table(&r, s->text, out);
    else
      bperc_i_text_add(out, s->text);
  }
  bperc_free(script);
  return status;
}
