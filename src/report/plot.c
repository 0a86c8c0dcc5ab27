/* Pictures: gnuplot runs a script on the tables of a folder.
 *
 * The script is the experiment's own plot.gp where it is trusted, else one that
 * is made from the tables. It sees the variables of series.gp and the common
 * style. gnuplot writes figure.svg and figure.pdf; only when it ends well do
 * they get their names, so that nothing half-written stays.
 */
#include "report/figure.h"

#include "base/alloc.h"
#include "report/plot_style.h"
#include "sweep/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- files of a folder */

/* Without memory too. */
static void remove_in(const char *folder, const char *name) {
  char path[PATH_MAX];
  if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) < sizeof path)
    unlink(path);
}

static void move_in(const char *folder, const char *from, const char *name,
                    const char *end) {
  char source[PATH_MAX], target[PATH_MAX];
  int from_length = snprintf(source, sizeof source, "%s/%s", folder, from);
  int to_length =
      snprintf(target, sizeof target, "%s/%s.%s", folder, name, end);
  if (from_length < PATH_MAX && to_length < PATH_MAX)
    rename(source, target);
}

/* ---- gnuplot */

/* Ends early, with the child, when the program is told to stop. */
static int wait_for(pid_t child) {
  const struct timespec nap = {0, 5000000};
  int status = 0;
  for (;;) {
    pid_t got = waitpid(child, &status, WNOHANG);
    if (got == child)
      return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
    if (got < 0 && errno != EINTR)
      return 126;
    if (bperc_cancelled())
      kill(child, SIGKILL);
    nanosleep(&nap, NULL);
  }
}

/* Runs gnuplot in the folder; its exit status, 127 when it is not there. */
static int run(const char *folder, const char *script, const char *log) {
  pid_t child = fork();
  if (child < 0)
    return 126;
  if (child == 0) {
    int in = open("/dev/null", O_RDONLY), out;
    if (chdir(folder) != 0)
      _exit(126);
    out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0666);
    if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 ||
        dup2(out, 2) < 0)
      _exit(126);
    execlp("gnuplot", "gnuplot", script, (char *)NULL);
    _exit(127);
  }
  return wait_for(child);
}

/* ---- scripts */

/* Width and height in pixels from the plan. */
static void size_of(const bperc_experiment *x, unsigned *width,
                    unsigned *height) {
  unsigned w, h;
  *width = 900;
  *height = 600;
  if (sscanf(bperc_i_ini_get(&x->plan.sections[0], "size", ""), "%4ux%4u", &w,
             &h) == 2 &&
      w >= 100 && h >= 100) {
    *width = w;
    *height = h;
  }
}

static void one_terminal(bperc_i_text *t, const char *end, const char *script) {
  bperc_i_text_format(t,
                      "set output 'figure.%s'\nload 'series.gp'\n"
                      "load 'style.gp'\nload '%s'\nunset output\nreset\n",
                      end, script);
}

static void write_figure(bperc_i_text *t, const bperc_experiment *x) {
  unsigned width, height;
  size_of(x, &width, &height);
  bperc_i_text_format(t,
                      "set terminal svg size %u,%u dynamic enhanced font "
                      "'Helvetica,13' background 'white'\n",
                      width, height);
  one_terminal(t, "svg", "panels.gp");
  bperc_i_text_format(t,
                      "set terminal pdfcairo size %.2fin,%.2fin enhanced font "
                      "'Helvetica,9'\n",
                      width / 96.0, height / 96.0);
  one_terminal(t, "pdf", "panels.gp");
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
  char *log = NULL, *line;
  size_t size;
  if (code == 127) {
    bperc_i_text_clear(warning);
    bperc_i_text_add(warning, "gnuplot is not installed: no pictures");
    return;
  }
  log = bperc_i_folder_read(folder, "gnuplot.log", &size);
  line = log ? last_of(log, "line ") : NULL;
  if (line)
    line[strcspn(line, "\n")] = 0;
  bperc_i_text_format(warning, "%s%s: gnuplot failed: %s, see %s/gnuplot.log",
                      warning->length ? "; " : "", bperc_experiment_name(f->x),
                      line ? line : "no picture", folder);
  bperc_i_free(log);
}

/* The numbers behind the picture; their absence is no failure. */
static void tabulate(bperc_i_figure *f, const char *folder,
                     const char *panels) {
  bperc_i_text script = {0}, asking = {0};
  char *log, *table;
  size_t size;
  bperc_i_text_add(&script, "set terminal svg\nset output '/dev/null'\n"
                            "load 'series.gp'\nload 'style.gp'\n"
                            "set table 'points.tsv.part'\nload 'points.gp'\n");
  bperc_i_points_script(&asking, panels);
  if (!script.failed && !asking.failed &&
      bperc_i_folder_write(folder, "points", ".gp", asking.text, NULL) ==
          BPERC_OK &&
      bperc_i_folder_write(folder, "ask", ".gp", script.text, NULL) ==
          BPERC_OK &&
      run(folder, "ask.gp", "points.log") == 0) {
    log = bperc_i_folder_read(folder, "points.log", &size);
    table = bperc_i_folder_read(folder, "points.tsv.part", &size);
    if (log && table)
      f->points = bperc_i_points_join(log, table);
    bperc_i_free(log);
    bperc_i_free(table);
  }
  remove_in(folder, "points.gp");
  remove_in(folder, "ask.gp");
  remove_in(folder, "points.log");
  remove_in(folder, "points.tsv.part");
  bperc_i_text_clear(&script);
  bperc_i_text_clear(&asking);
}

static bperc_status draw(bperc_i_figure *f, const char *folder,
                         const char *style, const char *panels,
                         bperc_i_text *warning, bperc_error *error) {
  bperc_i_text commands = {0};
  bperc_status status;
  int code;
  write_figure(&commands, f->x);
  status = bperc_i_folder_write(folder, "figure", ".gp",
                                commands.failed ? NULL : commands.text, error);
  if (status == BPERC_OK)
    status = bperc_i_folder_write(folder, "panels", ".gp", panels, error);
  if (status == BPERC_OK)
    status = bperc_i_folder_write(folder, "style", ".gp", style, error);
  bperc_i_text_clear(&commands);
  if (status != BPERC_OK)
    return status;
  code = run(folder, "figure.gp", "gnuplot.log");
  if (code == 0) {
    f->picture = bperc_i_folder_read(folder, "figure.svg", &f->picture_size);
    move_in(folder, "figure.svg", f->x->name, "svg");
    move_in(folder, "figure.pdf", f->x->name, "pdf");
    tabulate(f, folder, panels);
    remove_in(folder, "gnuplot.log");
  } else if (!bperc_cancelled()) {
    complain(f, folder, code, warning);
    f->plot_failed = code != 127;
  }
  remove_in(folder, "figure.svg");
  remove_in(folder, "figure.pdf");
  return bperc_cancelled()
             ? bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted")
             : BPERC_OK;
}

/* Removes a picture of an earlier run, which might be of other numbers. */
static void remove_old(const bperc_i_figure *f, const char *folder) {
  static const char *const ends[] = {"svg", "pdf"};
  for (int k = 0; k < 2; k++) {
    bperc_i_text name = {0};
    bperc_i_text_format(&name, "%s.%s", f->x->name, ends[k]);
    if (!name.failed)
      remove_in(folder, name.text);
    bperc_i_text_clear(&name);
  }
}

bperc_status bperc_i_figure_plot(bperc_i_figure *f, const char *folder,
                                 int trusted, bperc_i_text *warning,
                                 bperc_error *error) {
  char *script = NULL, *style = NULL;
  size_t size;
  bperc_i_text made = {0};
  bperc_status status = BPERC_OK;
  remove_old(f, folder);
  if (f->x->folder)
    script = bperc_i_folder_read(f->x->folder, "plot.gp", &size);
  if (script && trusted)
    style = bperc_i_folder_read(f->x->folder, "../style.gp", &size);
  f->is_made = script && !trusted;
  if (script && trusted)
    status = draw(f, folder, style ? style : BPERC_I_PLOT_STYLE, script,
                  warning, error);
  else if (bperc_i_default_plot(&made, f))
    status = made.failed ? bperc_i_report_no_memory(error)
                         : draw(f, folder, BPERC_I_PLOT_STYLE, made.text,
                                warning, error);
  bperc_i_text_clear(&made);
  bperc_i_free(script);
  bperc_i_free(style);
  return status;
}
