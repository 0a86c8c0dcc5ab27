/* What to say about a decimation guided by belief propagation. */
#ifndef BPERC_CLI_BPD_H
#define BPERC_CLI_BPD_H

#include "cli.h"

/* After a step: appends it to the list if it did not converge, with what was
 * done: {"fixed", "method", "iterations", "residual"}. */
void cli_note_unconverged(json_t *list, const void *bpd_state);
/* The list as a line for people; nothing when all converged. */
void cli_print_unconverged(const json_t *list);

#endif
