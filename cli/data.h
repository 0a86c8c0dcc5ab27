/* Options that say how a table is read, and scores as text and JSON. */
#ifndef BPERC_CLI_DATA_H
#define BPERC_CLI_DATA_H

#include "cli.h"

typedef struct {
  const char *label, *positive, *binarise, *drop;
  int64_t complement;
} cli_data;

/* Adds --label, --positive, --binarise, --drop, --complement. */
void cli_group_data(cli *cx, cli_data *data);
bperc_data_options cli_data_options(const cli_data *data);

/* {"errors": .., "accuracy": .., "balanced_accuracy": .., "confusion": ..} */
json_t *cli_json_score(const bperc_score *score);
/* One row of a table: name, errors, accuracy, balanced accuracy, counts. */
void cli_print_score_head(void);
void cli_print_score(const char *name, const bperc_score *score);

#endif
