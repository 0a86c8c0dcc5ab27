/* What commands say: messages, JSON, files, progress. */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void say_with_prefix(const char *prefix, const char *format,
                            va_list args) {
  fputs(prefix, stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
}

int cli_usage(const char *format, ...) {
  va_list args;
  va_start(args, format);
  say_with_prefix("bperc: ", format, args);
  va_end(args);
  return CLI_USAGE;
}

void cli_warn(const char *format, ...) {
  va_list args;
  va_start(args, format);
  say_with_prefix("bperc: ", format, args);
  va_end(args);
}

static int code_of(bperc_status status, int io) {
  switch (status) {
  case BPERC_OK:
    return CLI_DONE;
  case BPERC_E_ARGUMENT:
    return CLI_USAGE;
  case BPERC_E_FORMAT:
    return CLI_INPUT;
  case BPERC_E_IO:
    return io;
  case BPERC_E_LIMIT:
  case BPERC_E_NUMERIC:
    return CLI_NEGATIVE;
  case BPERC_E_INTERRUPTED:
    return CLI_INTERRUPTED;
  default:
    return CLI_SYSTEM;
  }
}

/* ---- the time limit */

static bperc_control limit; /* also polls for the progress line */

void cli_limit_time(double seconds) {
  if (!(seconds > 0))
    return;
  limit.deadline = bperc_control_in(seconds);
  bperc_control_use(&limit);
  cli_watch_deadline(seconds);
}

bool cli_time_is_up(void) {
  return limit.deadline > 0 && bperc_control_in(0) >= limit.deadline;
}

/* ---- failures of the library */

static const cli *speaker;

void cli_speak_for(const cli *cx) { speaker = cx; }

static void tell_error(const bperc_error *error) {
  char text[2 * sizeof error->text];
  cli_warn("%s", cli_typed(error->text, speaker, text, sizeof text));
}

/* At the time limit main says so. */
int cli_fail(const bperc_error *error) {
  if (error->status != BPERC_E_INTERRUPTED || !cli_time_is_up())
    tell_error(error);
  return code_of(error->status, CLI_SYSTEM);
}

int cli_fail_input(const bperc_error *error) {
  tell_error(error);
  return error->status == BPERC_E_ARGUMENT ? CLI_INPUT
                                           : code_of(error->status, CLI_INPUT);
}

int cli_no_memory(void) {
  cli_warn("not enough memory");
  return CLI_SYSTEM;
}

void cli_print_mean(int digits, double mean, double error, const char *rest) {
  printf("mean %.*g", digits, mean);
  if (isfinite(error))
    printf(" +- %.2g", error);
  printf("%s\n", rest);
}

/* Chance of at least k of n at probability p < k/n: the terms fall. */
static double chance_at_least(double k, double n, double p) {
  double sum = 0, term = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) +
                             k * log(p) + (n - k) * log1p(-p));
  for (double j = k; j <= n && term > 1e-17 * sum; j++) {
    sum += term;
    term *= (n - j) / (j + 1) * p / (1 - p);
  }
  return sum;
}

/* The p at which k of n or more come in 2.5 % of cases. */
static double lowest_share(size_t k, size_t n) {
  double low = 0, high = (double)k / (double)n;
  for (int step = 0; k > 0 && step < 60; step++) {
    double p = (low + high) / 2;
    *(chance_at_least((double)k, (double)n, p) < 0.025 ? &low : &high) = p;
  }
  return low;
}

void cli_print_share(size_t k, size_t n) {
  printf("%zu of %zu, %.4g %%, between %.3g and %.3g %%", k, n,
         100 * (double)k / (double)n, 100 * lowest_share(k, n),
         100 * (1 - lowest_share(n - k, n)));
}

bperc_status cli_measured(bperc_status status, bperc_error *error) {
  switch (status) {
  case BPERC_OK:
    return status;
  case BPERC_E_MEMORY:
    return bperc_error_set(error, status, "not enough memory for the measures");
  case BPERC_E_INTERRUPTED:
    return bperc_error_set(
        error, status,
        "interrupted while the solutions were measured: nothing is kept");
  default:
    return bperc_error_set(error, status, "the measures failed: %s",
                           bperc_status_name(status));
  }
}

/* ---- JSON */

/* Building an answer never stops half-way for want of memory: jansson's
 * functions take the NULL of a failed one. What was lost is remembered here,
 * and an answer with a loss is not printed. */
static bool json_lost;

static void *json_allocate(size_t size) {
  void *block = bperc_alloc(size, 1);
  json_lost = json_lost || (!block && size > 0);
  return block;
}

void cli_json_start(void) { json_set_alloc_funcs(json_allocate, bperc_free); }

bool cli_json_lost(void) { return json_lost; }

json_t *cli_json_lose(void) {
  json_lost = true;
  return NULL;
}

static bool json_printed;

bool cli_json_printed(void) { return json_printed; }

void cli_json_print_nothing(void) {
  if (!json_printed)
    cli_json_print(json_object());
}

/* Commands that may end early say whether they came to their end. */
static void add_complete(json_t *object) {
  if (speaker && cli_has(speaker, "time_limit") &&
      !json_object_get(object, "complete"))
    json_object_set_new(object, "complete", json_boolean(!bperc_cancel_seen()));
}

void cli_json_print(json_t *object) {
  add_complete(object);
  json_printed = true;
  char *text = cli_json_text(object);
  json_decref(object);
  json_lost = json_lost || !text;
  if (!json_lost)
    puts(text);
  bperc_free(text);
}

json_t *cli_json_real(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *cli_json_options(bperc_option_table table, const void *values) {
  json_t *object = json_object();
  for (size_t k = 0; k < table.count; k++) {
    const bperc_option *row = &table.rows[k];
    const void *at = (const char *)values + row->offset;
    char text[64];
    json_t *value;
    if (row->kind == BPERC_OPTION_REAL)
      value = cli_json_real(*(const double *)at);
    else if (row->kind == BPERC_OPTION_INT)
      value = json_integer(*(const int64_t *)at);
    else if (row->kind == BPERC_OPTION_FLAG)
      value = json_boolean(*(const int64_t *)at);
    else if (row->kind == BPERC_OPTION_TEXT && !*(const char *const *)at)
      value = json_null();
    else
      value = json_string(bperc_options_show(row, values, text, sizeof text));
    json_object_set_new(object, row->name, value);
  }
  return object;
}

void cli_json_merge(json_t *object, json_t *more) {
  json_object_update(object, more);
  json_decref(more);
}

json_t *cli_json_bits(const uint64_t *bits, size_t n) {
  char *text = json_allocate(n + 1);
  json_t *value;
  if (!text)
    return NULL;
  for (size_t i = 0; i < n; i++)
    text[i] = (char)('0' + (bits[i / 64] >> (i % 64) & 1));
  value = json_stringn(text, n);
  bperc_free(text);
  return value;
}

/* ---- files that appear when complete */

int cli_output_open(cli_output *out, const char *path) {
  bperc_error error;
  *out = (cli_output){.stream = stdout};
  if (!path || strcmp(path, "-") == 0)
    return CLI_DONE;
  if (bperc_output_open(&out->file, path, &error))
    return cli_fail(&error);
  out->stream = out->file.stream;
  return CLI_DONE;
}

int cli_flushed(int code) {
  if (code > CLI_NEGATIVE || (!ferror(stdout) && fflush(stdout) == 0))
    return code;
  cli_warn("standard output: %s", strerror(errno));
  return CLI_SYSTEM;
}

int cli_output_close(cli_output *out) {
  bperc_error error;
  if (out->file.stream)
    return bperc_output_commit(&out->file, &error) ? cli_fail(&error)
                                                   : CLI_DONE;
  return cli_flushed(CLI_DONE);
}

void cli_output_abandon(cli_output *out) {
  if (out->file.stream)
    bperc_output_abandon(&out->file);
}

/* ---- progress */

double cli_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cli_progress_start(cli_progress *p, const cli *cx) {
  p->active = isatty(STDERR_FILENO) && !cx->common.quiet;
  p->started = cli_now();
  p->last = p->started;
}

/* Of the thread that waits for the call; other threads poll too. */
static _Thread_local bool waits;

static int poll_line(void *context) {
  cli_progress *p = context;
  if (waits && cli_progress_due(p))
    p->show(p, p->context);
  return 0;
}

void cli_progress_start_call(cli_progress *p, const cli *cx,
                             cli_progress_text *show, void *context) {
  cli_progress_start(p, cx);
  p->show = show;
  p->context = context;
  if (!p->active)
    return;
  waits = true;
  limit.poll = poll_line;
  limit.context = p;
  bperc_control_use(&limit);
}

bool cli_progress_due(cli_progress *p) {
  return p->active && cli_now() - p->last >= 0.1;
}

void cli_progress_show(cli_progress *p, const char *format, ...) {
  va_list args;
  if (!p->active)
    return;
  va_start(args, format);
  fputs("\r\033[K", stderr);
  vfprintf(stderr, format, args);
  fflush(stderr);
  va_end(args);
  p->last = cli_now();
}

void cli_progress_end(cli_progress *p) {
  if (limit.context == p)
    limit.poll = NULL;
  if (p->active)
    fputs("\r\033[K", stderr);
  p->active = false;
}
