/* Pictures: gnuplot runs the experiment's script on the tables of a folder.
 *
 * The script sees the variables of series.gp, the common style.gp beside the
 * experiments' folders, and nothing else; size and terminal come from here.
 */
#include "report/figure.h"

#include "base/alloc.h"
#include "sweep/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *absolute(const char *folder, const char *name) {
  bperc_i_text path = {0};
  char *full = NULL, *copy = NULL;
  bperc_i_text_format(&path, "%s/%s", folder, name);
  if (!path.failed)
    full = realpath(path.text, NULL);
  if (full)
    copy = bperc_i_strdup(full);
  free(full);
  bperc_i_text_clear(&path);
  return copy;
}

static void one_terminal(bperc_i_text *t, const char *terminal,
                         const char *name, const char *end, const char *style,
                         const char *script) {
  bperc_i_text_format(t,
                      "reset\nset terminal %s\nset output \"%s.%s\"\n"
                      "load \"series.gp\"\n",
                      terminal, name, end);
  if (style)
    bperc_i_text_format(t, "load \"%s\"\n", style);
  bperc_i_text_format(t, "load \"%s\"\nunset output\n", script);
}

/* Width and height in points from the plan. */
static void size_of(const bperc_experiment *x, unsigned *width,
                    unsigned *height) {
  *width = 900;
  *height = 600;
  sscanf(bperc_i_ini_get(&x->plan.sections[0], "size", ""), "%ux%u", width,
         height);
}

static void write_script(bperc_i_text *t, const bperc_experiment *x,
                         const char *style, const char *script) {
  unsigned width, height;
  char terminal[200];
  size_of(x, &width, &height);
  snprintf(terminal, sizeof terminal,
           "svg size %u,%u dynamic enhanced font \"Helvetica,13\" "
           "background \"white\"",
           width, height);
  one_terminal(t, terminal, x->name, "svg", style, script);
  snprintf(terminal, sizeof terminal,
           "pdfcairo size %.2fin,%.2fin enhanced font \"Helvetica,9\"",
           width / 96.0, height / 96.0);
  one_terminal(t, terminal, x->name, "pdf", style, script);
}

/* Runs gnuplot in the folder; its exit status, 127 when it is not there. */
static int run(const char *folder) {
  int status = 0;
  pid_t child = fork();
  if (child < 0)
    return 127;
  if (child == 0) {
    int in = open("/dev/null", O_RDONLY);
    int out;
    if (chdir(folder) != 0)
      _exit(126);
    out = open("gnuplot.log", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 ||
        dup2(out, 2) < 0)
      _exit(126);
    execlp("gnuplot", "gnuplot", "figure.gp", (char *)NULL);
    _exit(127);
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

/* The last place of a word in a text. */
static char *last_of(char *text, const char *word) {
  char *last = NULL;
  while ((text = strstr(text, word)))
    last = text++;
  return last;
}

/* The last line of gnuplot that names a line of a script: the error. */
static void complain(const bperc_i_figure *f, const char *folder, int code,
                     bperc_i_text *warning) {
  bperc_i_text path = {0};
  char *log = NULL, *line;
  size_t size;
  if (code == 127) {
    bperc_i_text_clear(warning);
    bperc_i_text_add(warning, "gnuplot is not installed: no pictures");
    return;
  }
  bperc_i_text_format(&path, "%s/gnuplot.log", folder);
  if (!path.failed)
    bperc_i_file_read(path.text, &log, &size, NULL);
  line = log ? last_of(log, "line ") : NULL;
  if (line)
    line[strcspn(line, "\n")] = 0;
  bperc_i_text_format(warning, "%s%s: gnuplot failed: %s",
                      warning->length ? "; " : "", bperc_experiment_name(f->x),
                      line ? line : "see gnuplot.log");
  bperc_i_free(log);
  bperc_i_text_clear(&path);
}

static bperc_status draw(bperc_i_figure *f, const char *folder,
                         const char *style, const char *script,
                         bperc_i_text *warning, bperc_error *error) {
  bperc_i_text commands = {0}, path = {0};
  bperc_status status = BPERC_E_MEMORY;
  int code;
  write_script(&commands, f->x, style, script);
  bperc_i_text_format(&path, "%s/figure.gp", folder);
  if (!commands.failed && !path.failed)
    status =
        bperc_i_file_write(path.text, commands.text, commands.length, error);
  if (status == BPERC_OK) {
    code = run(folder);
    path.length = 0;
    bperc_i_text_format(&path, "%s/%s.svg", folder, f->x->name);
    if (code != 0)
      complain(f, folder, code, warning);
    else if (!path.failed)
      bperc_i_file_read(path.text, &f->picture, &f->picture_size, NULL);
  }
  bperc_i_text_clear(&commands);
  bperc_i_text_clear(&path);
  return status;
}

bperc_status bperc_i_figure_plot(bperc_i_figure *f, const char *folder,
                                 bperc_i_text *warning, bperc_error *error) {
  char *script = NULL, *style = NULL;
  bperc_status status = BPERC_OK;
  if (f->x->folder) {
    script = absolute(f->x->folder, "plot.gp");
    style = absolute(f->x->folder, "../style.gp");
  }
  if (script)
    status = draw(f, folder, style, script, warning, error);
  bperc_i_free(script);
  bperc_i_free(style);
  return status;
}
