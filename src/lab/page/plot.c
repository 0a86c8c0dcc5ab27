/* Pictures: gnuplot runs a script on the tables of a folder.
 *
 * The script is the experiment's own plot.gp where it is trusted, else one that
 * is made from the tables. It sees the variables of series.gp and the common
 * style. gnuplot is given names of memory: in a folder it would follow a link
 * that lies under a name which others can guess, and it does not notice a full
 * disk. Only when it ends well are its pictures written, as other outputs are.
 */
#include "lab/page/figure.h"

#include "bperc/io.h"
#include "lab/base/memory.h"
#include "lab/page/plot_style.h"
#include "lab/plan/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
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

/* ---- files that gnuplot writes */

/* Memory under a name, in this process and in gnuplot. */
typedef struct {
  int file;
  char name[32];
} sheet;

static bperc_status open_sheet(sheet *s, bperc_error *error) {
  s->file = memfd_create("picture", MFD_CLOEXEC);
  if (s->file < 0)
    return bperc_error_set(error, BPERC_E_IO, "no memory for a picture: %s",
                           strerror(errno));
  snprintf(s->name, sizeof s->name, "/proc/self/fd/%d", s->file);
  return BPERC_OK;
}

static void close_sheet(const sheet *s) {
  if (s->file >= 0)
    close(s->file);
}

/* ---- gnuplot */

/* Ends early, with the child, when the program is told to stop. */
static int wait_for_gnuplot(pid_t child) {
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

/* Runs gnuplot in the folder, with the names of two sheets that the script may
 * write (or of one and NULL); its exit status, 127 when it is not there. */
static int run_gnuplot(const char *folder, const char *script, const char *log,
                       const sheet *first, const sheet *second) {
  pid_t child = fork();
  if (child < 0)
    return 126;
  if (child == 0) {
    int in = open("/dev/null", O_RDONLY), out;
    if (chdir(folder) != 0)
      _exit(126);
    unlink(log);
    out = open(log, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
    if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 ||
        dup2(out, 2) < 0 || fcntl(first->file, F_SETFD, 0) < 0 ||
        (second && fcntl(second->file, F_SETFD, 0) < 0))
      _exit(126);
    execlp("gnuplot", "gnuplot", "-c", script, first->name,
           second ? second->name : NULL, (char *)NULL);
    _exit(127);
  }
  return wait_for_gnuplot(child);
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

/* Into the file that argument k names; by hand, without arguments, figure.END.
 */
static void one_terminal(bperc_i_text *t, int k, const char *end) {
  bperc_i_text_format(
      t,
      "set output (exists('ARG%d') && strlen(ARG%d) ? ARG%d : 'figure.%s')\n"
      "load 'series.gp'\nload 'style.gp'\nload 'panels.gp'\n"
      "unset output\nreset\n",
      k, k, k, end);
}

static void write_figure(bperc_i_text *t, const bperc_experiment *x) {
  unsigned width, height;
  size_of(x, &width, &height);
  bperc_i_text_format(t,
                      "set terminal svg size %u,%u dynamic enhanced font "
                      "'Helvetica,13' background 'white'\n",
                      width, height);
  one_terminal(t, 1, "svg");
  bperc_i_text_format(t,
                      "set terminal pdfcairo size %.2fin,%.2fin enhanced font "
                      "'Helvetica,9'\n",
                      width / 96.0, height / 96.0);
  one_terminal(t, 2, "pdf");
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
  bperc_i_folder_read(folder, "gnuplot.log", &log, &size, NULL);
  line = log ? last_of(log, "line ") : NULL;
  if (line)
    line[strcspn(line, "\n")] = 0;
  bperc_i_text_format(warning, "%s%s: gnuplot failed: %s, see %s/gnuplot.log",
                      warning->length ? "; " : "", bperc_experiment_name(f->x),
                      line ? line : "no picture", folder);
  bperc_free(log);
}

/* Asks gnuplot for the points of all curves, into a table; NULL without. */
static char *ask_points(const char *folder, const char *panels,
                        const sheet *table) {
  bperc_i_text script = {0}, asking = {0};
  char *log = NULL, *rows = NULL, *points = NULL;
  size_t size;
  bperc_i_text_add(&script, "set terminal svg\nset output '/dev/null'\n"
                            "load 'series.gp'\nload 'style.gp'\n"
                            "set table ARG1\nload 'points.gp'\n");
  bperc_i_points_script(&asking, panels);
  if (!script.failed && !asking.failed &&
      bperc_i_folder_write(folder, "points", ".gp", asking.text, NULL) ==
          BPERC_OK &&
      bperc_i_folder_write(folder, "ask", ".gp", script.text, NULL) ==
          BPERC_OK &&
      run_gnuplot(folder, "ask.gp", "points.log", table, NULL) == 0) {
    bperc_i_folder_read(folder, "points.log", &log, &size, NULL);
    if (log && bperc_i_file_read(table->name, &rows, &size, NULL) == BPERC_OK)
      points = bperc_i_points_join(log, rows);
  }
  bperc_free(log);
  bperc_free(rows);
  bperc_i_text_clear(&script);
  bperc_i_text_clear(&asking);
  return points;
}

/* The numbers behind the picture; their absence is no failure. */
static void tabulate(bperc_i_figure *f, const char *folder,
                     const char *panels) {
  sheet table;
  if (open_sheet(&table, NULL) != BPERC_OK)
    return;
  f->points = ask_points(folder, panels, &table);
  close_sheet(&table);
  remove_in(folder, "points.gp");
  remove_in(folder, "ask.gp");
  remove_in(folder, "points.log");
}

static bperc_status write_scripts(const bperc_i_figure *f, const char *folder,
                                  const char *style, const char *panels,
                                  bperc_error *error) {
  bperc_i_text commands = {0};
  bperc_status status;
  write_figure(&commands, f->x);
  status = bperc_i_folder_write(folder, "figure", ".gp",
                                commands.failed ? NULL : commands.text, error);
  if (status == BPERC_OK)
    status = bperc_i_folder_write(folder, "panels", ".gp", panels, error);
  if (status == BPERC_OK)
    status = bperc_i_folder_write(folder, "style", ".gp", style, error);
  bperc_i_text_clear(&commands);
  return status;
}

/* A finished picture gets its name in the folder; the caller has its bytes. */
static bperc_status keep_picture(const bperc_i_figure *f, const char *folder,
                                 const char *end, const sheet *s, char **bytes,
                                 size_t *size, bperc_error *error) {
  bperc_i_text path = {0};
  bperc_output out;
  bperc_status status = bperc_i_file_read(s->name, bytes, size, error);
  bperc_i_text_format(&path, "%s/%s.%s", folder, f->x->name, end);
  if (status == BPERC_OK && path.failed)
    status = bperc_i_report_no_memory(error);
  if (status == BPERC_OK)
    status = bperc_output_open(&out, path.text, error);
  if (status == BPERC_OK) {
    fwrite(*bytes, 1, *size, out.stream);
    status = bperc_output_commit(&out, error);
  }
  bperc_i_text_clear(&path);
  return status;
}

/* The page needs the SVG too. */
static bperc_status keep_both(bperc_i_figure *f, const char *folder,
                              const sheet *svg, const sheet *pdf,
                              bperc_error *error) {
  char *bytes = NULL;
  size_t size;
  bperc_status status =
      keep_picture(f, folder, "svg", svg, &f->picture, &f->picture_size, error);
  if (status == BPERC_OK)
    status = keep_picture(f, folder, "pdf", pdf, &bytes, &size, error);
  bperc_free(bytes);
  return status;
}

static bperc_status draw_into(bperc_i_figure *f, const char *folder,
                              const sheet *svg, const sheet *pdf,
                              bperc_i_text *warning, bperc_error *error) {
  int code = run_gnuplot(folder, "figure.gp", "gnuplot.log", svg, pdf);
  if (code == 0) {
    remove_in(folder, "gnuplot.log");
    return keep_both(f, folder, svg, pdf, error);
  }
  if (!bperc_cancelled()) {
    complain(f, folder, code, warning);
    f->plot_failed = code != 127;
  }
  return BPERC_OK;
}

static bperc_status draw_pictures(bperc_i_figure *f, const char *folder,
                                  const char *style, const char *panels,
                                  bperc_i_text *warning, bperc_error *error) {
  sheet svg = {.file = -1}, pdf = {.file = -1};
  bperc_status status = write_scripts(f, folder, style, panels, error);
  if (status == BPERC_OK)
    status = open_sheet(&svg, error);
  if (status == BPERC_OK)
    status = open_sheet(&pdf, error);
  if (status == BPERC_OK)
    status = draw_into(f, folder, &svg, &pdf, warning, error);
  close_sheet(&svg);
  close_sheet(&pdf);
  if (status == BPERC_OK && f->picture)
    tabulate(f, folder, panels);
  return status == BPERC_OK && bperc_cancelled()
             ? bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted")
             : status;
}

/* Removes a picture of an earlier run, which might be of other numbers. */
static void remove_old(const bperc_i_figure *f, const char *folder) {
  static const char *const ends[] = {"svg", "pdf"};
  for (int k = 0; k < 2; k++) {
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s.%s", f->x->name, ends[k]);
    remove_in(folder, name);
  }
}

/* By the script that was read, else by one that is made. */
static bperc_status draw_any(bperc_i_figure *f, const char *folder,
                             const char *style, const char *script,
                             bperc_i_text *warning, bperc_error *error) {
  bperc_i_text made = {0};
  bperc_status status = BPERC_OK;
  if (script)
    return draw_pictures(f, folder, style ? style : BPERC_I_PLOT_STYLE, script,
                         warning, error);
  size_t panels = bperc_i_default_plot(&made, f);
  if (made.failed)
    status = bperc_i_report_no_memory(error);
  else if (panels)
    status =
        draw_pictures(f, folder, BPERC_I_PLOT_STYLE, made.text, warning, error);
  bperc_i_text_clear(&made);
  return status;
}

bperc_status bperc_i_figure_plot(bperc_i_figure *f, const char *folder,
                                 int trusted, bperc_i_text *warning,
                                 bperc_error *error) {
  char *script, *style = NULL;
  size_t size;
  bperc_status status =
      bperc_i_folder_read(f->x->folder, "plot.gp", &script, &size, error);
  remove_old(f, folder);
  if (status == BPERC_OK && script && trusted)
    status =
        bperc_i_folder_read(f->x->folder, "../style.gp", &style, &size, error);
  f->is_made = script && !trusted;
  if (status == BPERC_OK)
    status =
        draw_any(f, folder, style, trusted ? script : NULL, warning, error);
  bperc_free(script);
  bperc_free(style);
  return status;
}
