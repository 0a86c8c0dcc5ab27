/* What gnuplot draws, as numbers: the page makes its own plots of them.
 *
 * A script runs once more with `set table`, and before each `plot` gnuplot is
 * asked for its settings. Of the two outputs this is kept:
 *
 *   = panel                         one per plot command
 *   set xlabel "A"                  and other settings that matter
 *   # Curve 0 of 5, 14 points
 *   # Curve title: "f_{in} = 0.1"
 *   # x y ylow yhigh type
 *   10  0.31  0.30  0.32
 */
#include "lab/page/figure.h"

#include "lab/base/memory.h"

#include <ctype.h>
#include <string.h>

static int starts(const char *line, const char *word) {
  return strncmp(line, word, strlen(word)) == 0;
}

/* The script with a question before every plot; tables know no errors of
 * yerrorlines, so that they become yerrorbars. */
void bperc_i_points_script(bperc_i_text *t, const char *script) {
  int continues = 0;
  while (*script) {
    size_t length = strcspn(script, "\n"), at = 0;
    size_t indent = strspn(script, " \t");
    if (!continues && starts(script + indent, "plot "))
      bperc_i_text_add(t, "save set \"-\"\n");
    while (at < length) {
      if (starts(script + at, "with yerrorlines")) {
        bperc_i_text_add(t, "with yerrorbars");
        at += 16;
      } else
        bperc_i_text_add_bytes(t, script + at++, 1);
    }
    bperc_i_text_add(t, "\n");
    continues = length && script[length - 1] == '\\';
    script += length + (script[length] == '\n');
  }
}

static const char *const kept[] = {
    "set title \"",  "set xlabel \"",  "set ylabel \"",
    "set logscale ", "set label 1 \"", "set arrow ",
    "set xrange ",   "set yrange ",    "set object "};

/* Whether a line of settings matters. */
static int is_kept(const char *line) {
  for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
    if (starts(line, kept[k]))
      return 1;
  return 0;
}

static void add_script_line(bperc_i_text *t, const char *line) {
  bperc_i_text_add_bytes(t, line, strcspn(line, "\n"));
  bperc_i_text_add(t, "\n");
}

/* Settings of one panel; ends where those of the next begin. */
static const char *copy_settings(bperc_i_text *t, const char *log) {
  int inside = 0;
  for (; *log; log = bperc_i_next_line(log)) {
    if (starts(log, "#!/")) { /* the first line of what `save` writes */
      if (inside)
        return log;
      inside = 1;
    } else if (inside && is_kept(log))
      add_script_line(t, log);
  }
  return log;
}

/* One row without its type, nothing for undefined points. */
static void copy_row(bperc_i_text *t, const char *row) {
  size_t length = strcspn(row, "\n"), indent = strspn(row, " ");
  while (length > indent && isspace((unsigned char)row[length - 1]))
    length--;
  if (length < indent + 3 || row[length - 1] == 'u')
    return;
  bperc_i_text_add_bytes(t, row + indent, length - 1 - indent);
  bperc_i_text_add(t, "\n");
}

/* Curves of one panel; ends where the next begins. */
static const char *copy_curves(bperc_i_text *t, const char *table) {
  int inside = 0;
  for (; *table; table = bperc_i_next_line(table)) {
    if (starts(table, "# Curve 0 of ")) {
      if (inside)
        return table;
      inside = 1;
    }
    if (!inside)
      continue;
    if (starts(table, "# Curve ") || starts(table, "# x"))
      add_script_line(t, table);
    else if (*table != '#')
      copy_row(t, table);
  }
  return table;
}

char *bperc_i_points_join(const char *log, const char *table) {
  bperc_i_text t = {0};
  while (*log && *table) {
    bperc_i_text_add(&t, "= panel\n");
    log = copy_settings(&t, log);
    table = copy_curves(&t, table);
  }
  return bperc_i_text_take(&t);
}
