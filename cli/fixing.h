/* Options that fix weights before an exact search. */
#ifndef BPERC_CLI_FIXING_H
#define BPERC_CLI_FIXING_H

#include "cli.h"

#define CLI_FIXING_ROWS(X)                                                     \
  X(TEXT, fix, "i=v,...", "weights held at 0 or 1")                            \
  X(TEXT, order, "FILE",                                                       \
    "answer of `bperc decimate --json`, or lines `weight value`")              \
  X(INT, fixed, 0, 0, 0, 1e10, "how many weights of the order are held")
BPERC_OPTIONS_DECLARE(cli_fixing_options, CLI_FIXING_ROWS);

/* Adds --fix, --order and --fixed. */
void cli_group_fixing(cli *cx, cli_fixing_options *options);
/* n values 0, 1 or -1, as the options say; release with bperc_free. */
int cli_read_fixing(const cli_fixing_options *options, size_t n, int8_t **out);
/* The answer of `bperc decimate --json`, or lines "weight value"; nothing to
 * clear after a failure. */
int cli_read_order(const char *path, size_t n, bperc_order *out);

#endif
