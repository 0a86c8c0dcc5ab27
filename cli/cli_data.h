/* Scores as text and JSON. */
#ifndef BPERC_CLI_DATA_H
#define BPERC_CLI_DATA_H

#include "cli.h"

/* {"errors": .., "accuracy": .., "balanced_accuracy": .., "confusion": ..} */
json_t *cli_json_score(const bperc_score *score);
/* The same of K classes: confusion[K * true + predicted] */
json_t *cli_json_confusion(const size_t *confusion, size_t classes);
/* Its accuracy, balanced accuracy; how many errors. */
size_t cli_confusion_errors(const size_t *confusion, size_t classes,
                            double *accuracy, double *balanced);
void cli_print_confusion(const char *name, const size_t *confusion,
                         size_t classes);
/* Texts that training has not seen: as JSON, and on stderr. */
json_t *cli_json_unseen(const bperc_data_facts *facts);
void cli_say_unseen(const bperc_data_facts *facts);
/* One row of a table: name, errors, accuracy, balanced accuracy, counts. */
void cli_print_score_head(void);
void cli_print_score(const char *name, const bperc_score *score);

#endif
