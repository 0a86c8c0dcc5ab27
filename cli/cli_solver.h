/* The choice of a solver and its options, for every command that runs one. */
#ifndef BPERC_CLI_SOLVER_H
#define BPERC_CLI_SOLVER_H

#include "cli.h"

typedef struct {
  int64_t choice;
  const bperc_solver_class *class; /* after cli_group_solver */
  _Alignas(16) char options[BPERC_SOLVER_OPTIONS_MOST];
} cli_solver;

/* Adds --solver and the options of the solver that the user names, else of
 * the one called `initial`, or of SBPI if one of its options is given. */
void cli_group_solver(cli *cx, cli_solver *solver, const char *initial);
/* The most steps that its options allow, 0 if they do not say. */
double cli_solver_budget(const cli_solver *solver);
/* {"solver": name, "options": {...}}, the values that a run on this instance
 * uses; and those of the runs on random instances. */
json_t *cli_json_solver(const cli_solver *solver, const bperc_instance *in);
json_t *cli_json_solver_on(const cli_solver *solver,
                           const bperc_ensemble *ensemble);
/* --class-weights: 'balanced' or W0,W1; NULL: neither. */
int cli_read_class_weights(const char *text, double weights[2], int *balanced);
/* The whole range of seeds: above 2^63 - 1 a string of digits. */
json_t *cli_json_seed(uint64_t seed);

/* One line of weights, bits or integers, whichever is not NULL. */
void cli_print_weights(FILE *out, size_t n, const uint64_t *bits,
                       const int32_t *integers);
/* A file of weights; "-" is standard output. */
int cli_write_weights(const char *path, const bperc_instance *in,
                      const uint64_t *bits, const int32_t *integers);

/* "12 s", "3 min", "2 h": for remaining times; returns buffer. */
const char *cli_duration(double seconds, char *buffer, size_t size);

#endif
