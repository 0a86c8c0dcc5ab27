/* --solver and what depends on it. */
#include "cli_solver.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "sbpi|ecp|..." from the list of solvers. */
static const char *solver_names(void) {
  static char names[256];
  if (names[0])
    return names;
  for (size_t k = 0; bperc_solvers()[k]; k++) {
    size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s", k ? "|" : "",
             bperc_solvers()[k]->name);
  }
  return names;
}

static size_t solver_position(const bperc_solver_class *solver) {
  size_t k = 0;
  while (bperc_solvers()[k] != solver)
    k++;
  return k;
}

/* SBPI was the default once: its options without --solver still mean it. */
static bool given_sbpi_option(const cli *cx) {
  bperc_option_table table = bperc_sbpi_class.options();
  for (size_t k = 0; k < table.count; k++) {
    char name[32];
    snprintf(name, sizeof name, "%s", table.rows[k].name);
    for (char *c = name; *c; c++)
      if (*c == '_')
        *c = '-';
    if (cli_given(cx, name))
      return true;
  }
  return false;
}

/* Every solver with a group of its own; the values are not used. */
static void group_all(cli *cx) {
  static _Alignas(16) char values[BPERC_SOLVER_OPTIONS_MOST];
  static char titles[16][32];
  for (size_t k = 0; bperc_solvers()[k] && k < 16; k++) {
    snprintf(titles[k], sizeof titles[k], "--solver %s",
             bperc_solvers()[k]->name);
    if (bperc_solvers()[k]->options().count)
      cli_group(cx, titles[k], bperc_solvers()[k]->options(), values);
  }
}

void cli_group_solver(cli *cx, cli_solver *solver, const char *initial) {
  static bperc_option row = {
      .name = "solver",
      .kind = BPERC_OPTION_CHOICE,
      .offset = offsetof(cli_solver, choice),
      .meaning =
          "which one; its options follow, those of another one: --solver "
          "NAME --help"};
  const char *name;
  if (given_sbpi_option(cx))
    initial = "sbpi";
  name = cli_peek(cx, "solver", initial);
  row.choices = solver_names();
  row.initial = row.paper = (double)solver_position(bperc_solver_find(initial));
  solver->class = bperc_solver_find(name);
  if (!solver->class)
    solver->class = bperc_solver_find(initial);
  cli_group(cx, "solver", (bperc_option_table){&row, 1}, solver);
  if (cx->every_solver)
    group_all(cx);
  else if (solver->class->options().count)
    cli_group(cx, solver->class->name, solver->class->options(),
              solver->options);
}

double cli_solver_budget(const cli_solver *solver) {
  bperc_option_table table = solver->class->options();
  for (size_t k = 0; k < table.count; k++)
    if (table.rows[k].kind == BPERC_OPTION_INT &&
        strncmp(table.rows[k].name, "max_", 4) == 0)
      return (double)*(const int64_t *)(solver->options + table.rows[k].offset);
  return 0;
}

json_t *cli_json_solver(const cli_solver *solver, const bperc_instance *in) {
  _Alignas(16) char used[BPERC_SOLVER_OPTIONS_MOST];
  if (bperc_solver_options(solver->class, in, solver->options, used, NULL))
    return cli_json_lose();
  return json_pack("{s:s, s:o}", "solver", solver->class->name, "options",
                   cli_json_options(solver->class->options(), used));
}

json_t *cli_json_solver_on(const cli_solver *solver,
                           const bperc_ensemble *ensemble) {
  bperc_instance *in; /* without patterns: those of the runs differ */
  if (bperc_instance_new(ensemble->n, 0, &ensemble->model, &in, NULL))
    return cli_json_lose();
  json_t *said = cli_json_solver(solver, in);
  bperc_instance_free(in);
  return said;
}

int cli_read_class_weights(const char *text, double weights[2], int *balanced) {
  char *end;
  *balanced = text && strcmp(text, "balanced") == 0;
  if (!text || *balanced)
    return CLI_DONE;
  weights[0] = strtod(text, &end);
  weights[1] = *end == ',' ? strtod(end + 1, &end) : 0;
  if (*end || !(weights[0] > 0 && weights[1] > 0) || !isfinite(weights[0]) ||
      !isfinite(weights[1]))
    return cli_usage("--class-weights: '%s' is neither 'balanced' nor two "
                     "positive numbers W0,W1",
                     text);
  return CLI_DONE;
}

json_t *cli_json_seed(uint64_t seed) {
  char digits[24];
  if (seed <= INT64_MAX)
    return json_integer((json_int_t)seed);
  snprintf(digits, sizeof digits, "%" PRIu64, seed);
  return json_string(digits);
}

void cli_print_weights(FILE *out, size_t n, const uint64_t *bits,
                       const int32_t *integers) {
  for (size_t i = 0; i < n; i++)
    if (integers)
      fprintf(out, i ? " %d" : "%d", integers[i]);
    else
      putc_unlocked('0' + (int)(bits[i / 64] >> (i % 64) & 1), out);
  putc_unlocked('\n', out);
}

int cli_write_weights(const char *path, const bperc_instance *in,
                      const uint64_t *bits, const int32_t *integers) {
  cli_output out;
  int code = cli_output_open(&out, path);
  if (code != CLI_DONE)
    return code;
  bperc_weights_print(in, bits, integers, out.stream);
  return cli_output_close(&out);
}

const char *cli_duration(double seconds, char *buffer, size_t size) {
  if (seconds < 100)
    snprintf(buffer, size, "%.0f s", seconds);
  else if (seconds < 6000)
    snprintf(buffer, size, "%.0f min", seconds / 60);
  else
    snprintf(buffer, size, "%.1f h", seconds / 3600);
  return buffer;
}
