/* Scores as text and JSON. */
#ifndef BPERC_CLI_DATA_H
#define BPERC_CLI_DATA_H

#include "cli.h"

/* {"errors": .., "accuracy": .., "balanced_accuracy": .., "confusion": ..} */
json_t *cli_json_score(const bperc_score *score);
/* One row of a table: name, errors, accuracy, balanced accuracy, counts. */
void cli_print_score_head(void);
void cli_print_score(const char *name, const bperc_score *score);

#endif
