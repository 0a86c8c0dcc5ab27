/* A picture for plans without a script of their own: a panel per result, a
 * curve per series, error bars, logarithmic axes where they fit.
 *
 * The x axis is the last key of a table that is a number; of vectors it is
 * their first column, such as N_fix or the distance. Other keys make the
 * series. Everything is written into the script: names only as quoted text.
 */
#include "lab/page/figure.h"

#include "base/number.h"
#include "lab/base/memory.h"
#include "lab/page/html.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_FIELDS = 512,
  MOST_PANELS = 6,
  PANELS_PER_TABLE = 4,
  MOST_SERIES = 8,
  MOST_POINTS = 400 /* of one curve; more are thinned out */
};

typedef struct {
  const char *text; /* whole table; the first line is the head */
  const char *names[MOST_FIELDS];
  size_t lengths[MOST_FIELDS];
  size_t count, keys;
} grid;

typedef struct {
  double low, high, first_gap, last_gap;
  size_t count;
} extent;

/* ---- reading a table */

static double number(const char *line, size_t k) {
  size_t length;
  const char *text = bperc_i_line_field(line, k, &length);
  char *end;
  double value = bperc_i_strtod(text, &end);
  return length && end == text + length ? value : NAN;
}

/* Whether field k is followed by its standard error. */
static int is_result(const grid *g, size_t k) {
  return k + 1 < g->count && g->lengths[k + 1] == g->lengths[k] + 4 &&
         memcmp(g->names[k + 1], g->names[k], g->lengths[k]) == 0 &&
         memcmp(g->names[k + 1] + g->lengths[k], "_sem", 4) == 0;
}

static void open_grid(const char *text, grid *g) {
  *g = (grid){.text = text};
  for (; g->count < MOST_FIELDS; text++) {
    g->names[g->count] = text;
    g->lengths[g->count] = strcspn(text, "\t\n");
    text += g->lengths[g->count++];
    if (*text != '\t')
      break;
  }
  while (g->keys < g->count && !is_result(g, g->keys))
    g->keys++;
}

static extent measure_extent(const grid *g, size_t k) {
  extent e = {INFINITY, -INFINITY, 0, 0, 0};
  double before = NAN;
  for (const char *r = bperc_i_next_line(g->text); *r;
       r = bperc_i_next_line(r)) {
    double v = number(r, k);
    if (!isfinite(v))
      continue;
    if (v > e.high && isfinite(before) && v > before) {
      e.last_gap = v - before;
      e.first_gap = e.first_gap > 0 ? e.first_gap : e.last_gap;
    }
    e.low = fmin(e.low, v);
    e.high = fmax(e.high, v);
    before = v;
    e.count++;
  }
  return e;
}

/* Two decades, or one and a half with steps that grow. */
static int wants_logarithm(extent e) {
  return e.low > 0 && (e.high >= 100 * e.low ||
                       (e.high >= 30 * e.low && e.last_gap > 4 * e.first_gap));
}

/* ---- writing */

/* Text inside '...': quotes doubled, marks of gnuplot's markup as blanks. */
static void quote(bperc_i_text *t, const char *text, size_t length) {
  for (size_t k = 0; k < length; k++) {
    unsigned char c = (unsigned char)text[k];
    if (c == '\'')
      bperc_i_text_add(t, "''");
    else if (c < ' ' || strchr("_^{}@&~\\`", c))
      bperc_i_text_add(t, " ");
    else
      bperc_i_text_add_bytes(t, text + k, 1);
  }
}

static void quote_key(bperc_i_text *t, const char *name, size_t length) {
  if (!bperc_i_word(t, "plot", name, length))
    quote(t, name, length);
}

typedef struct {
  size_t x, y;                     /* fields */
  const char *series[MOST_SERIES]; /* a row of each */
  size_t series_count;
} panel;

static int is_series_key(const grid *g, const panel *p, size_t k) {
  return k < g->keys && k != p->x &&
         !(g->lengths[k] == 1 && *g->names[k] == 'k');
}

static int same_series(const grid *g, const panel *p, const char *a,
                       const char *b) {
  for (size_t k = 0; k < g->keys; k++) {
    size_t n, m;
    const char *u = bperc_i_line_field(a, k, &n),
               *v = bperc_i_line_field(b, k, &m);
    if (is_series_key(g, p, k) && (n != m || memcmp(u, v, n)))
      return 0;
  }
  return 1;
}

static void find_series(const grid *g, panel *p) {
  for (const char *r = bperc_i_next_line(g->text); *r;
       r = bperc_i_next_line(r)) {
    size_t s = 0;
    while (s < p->series_count && !same_series(g, p, p->series[s], r))
      s++;
    if (s == p->series_count && s < MOST_SERIES)
      p->series[p->series_count++] = r;
  }
}

/* The points of one series as a block of data. */
static void write_points(bperc_i_text *t, const grid *g, const panel *p,
                         size_t s, size_t block) {
  size_t rows = 0, step, at = 0;
  for (const char *r = bperc_i_next_line(g->text); *r; r = bperc_i_next_line(r))
    rows += same_series(g, p, p->series[s], r);
  step = rows / MOST_POINTS + 1;
  bperc_i_text_format(t, "$data%zu << EOD\n\"x\"\t\"y\"\t\"e\"\n", block);
  for (const char *r = bperc_i_next_line(g->text); *r;
       r = bperc_i_next_line(r)) {
    double x, y, e;
    if (!same_series(g, p, p->series[s], r) || at++ % step)
      continue;
    x = number(r, p->x);
    y = number(r, p->y);
    e = number(r, p->y + 1);
    if (isfinite(x) && isfinite(y))
      bperc_i_text_format(t, "%.9g\t%.9g\t%.9g\n", x, y, isfinite(e) ? e : 0);
  }
  bperc_i_text_add(t, "EOD\n");
}

static void write_title(bperc_i_text *t, const grid *g, const panel *p,
                        const char *row) {
  const char *comma = "";
  bperc_i_text_add(t, " title '");
  for (size_t k = 0; k < g->keys; k++) {
    size_t length;
    const char *value = bperc_i_line_field(row, k, &length);
    if (!is_series_key(g, p, k))
      continue;
    bperc_i_text_add(t, comma);
    quote_key(t, g->names[k], g->lengths[k]);
    bperc_i_text_add(t, " = ");
    quote(t, value, length);
    comma = ", ";
  }
  bperc_i_text_add(t, "'");
}

static void write_panel(bperc_i_text *t, const bperc_i_figure *f,
                        const bperc_i_sheet *sheet, const grid *g, panel *p,
                        size_t number, size_t *blocks) {
  extent x = measure_extent(g, p->x), y = measure_extent(g, p->y);
  const char *label = bperc_i_table_label(f, sheet->name);
  size_t first = *blocks;
  find_series(g, p);
  for (size_t s = 0; s < p->series_count; s++)
    write_points(t, g, p, s, (*blocks)++);
  bperc_i_text_format(t, "set title '(%c) ", (char)('a' + number));
  quote(t, label, strlen(label));
  bperc_i_text_add(t, "'\nset xlabel '");
  quote_key(t, g->names[p->x], g->lengths[p->x]);
  bperc_i_text_add(t, "'\nset ylabel '");
  quote(t, g->names[p->y], g->lengths[p->y]);
  bperc_i_text_format(
      t, "'\n%s\n%s\nplot ",
      wants_logarithm(x) ? "set logscale x" : "unset logscale x",
      wants_logarithm(y) ? "set logscale y" : "unset logscale y");
  for (size_t s = 0; s < p->series_count; s++) {
    bperc_i_text_format(t, "%s$data%zu using 1:2:3 with yerrorlines ls %zu",
                        s ? ", \\\n  " : "", first + s, s + 1);
    write_title(t, g, p, p->series[s]);
  }
  bperc_i_text_add(t, "\n");
}

/* ---- choosing panels */

static int varies(const grid *g, size_t k) {
  extent e = measure_extent(g, k);
  return e.count > 1 && e.high > e.low;
}

/* The field of the x axis; g->count when there is none. */
static size_t choose_x(const grid *g) {
  if (g->keys && g->lengths[g->keys - 1] == 1 &&
      *g->names[g->keys - 1] == 'k' && varies(g, g->keys))
    return g->keys;
  for (size_t k = g->keys; k-- > 0;)
    if (varies(g, k))
      return k;
  return g->count;
}

size_t bperc_i_default_plot(bperc_i_text *t, const bperc_i_figure *f) {
  size_t panels = 0, blocks = 0;
  bperc_i_text body = {0};
  for (size_t n = 0; n < f->sheet_count; n++) {
    size_t here = 0, x;
    grid *g = bperc_alloc(1, sizeof *g);
    if (!g) {
      t->failed = 1;
      break;
    }
    open_grid(f->sheets[n].text, g);
    x = choose_x(g);
    for (size_t k = g->keys;
         k < g->count && x < g->count && here < PANELS_PER_TABLE &&
         panels < MOST_PANELS && !bperc_cancelled();
         k++) {
      panel p = {.x = x, .y = k};
      if (k == x || !is_result(g, k) || !varies(g, k))
        continue;
      write_panel(&body, f, &f->sheets[n], g, &p, panels++, &blocks);
      here++;
    }
    bperc_free(g);
  }
  if (panels) {
    size_t columns = panels == 1 ? 1 : panels <= 4 ? 2 : 3;
    bperc_i_text_format(t, "set multiplot layout %zu,%zu\n",
                        (panels + columns - 1) / columns, columns);
    bperc_i_text_add(t, body.text ? body.text : "");
    bperc_i_text_add(t, "unset multiplot\n");
  }
  t->failed |= body.failed;
  bperc_i_text_clear(&body);
  return panels;
}
