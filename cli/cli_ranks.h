/* The program under mpirun. */
#ifndef BPERC_CLI_RANKS_H
#define BPERC_CLI_RANKS_H

#include "bperc/lab/run.h"
#include "cli.h"

/* The folder of the running program; "" when it cannot be told. */
void cli_program_folder(char *out, size_t size);
/* Rank 0 of 1 without mpirun. */
int cli_ranks_start(bperc_ranks *out);

#endif
