/* The progress line of an exact search. */
#ifndef BPERC_CLI_SEARCH_PROGRESS_H
#define BPERC_CLI_SEARCH_PROGRESS_H

#include "cli.h"

typedef struct {
  cli_progress line;
  bperc_exact_watch watch;
} cli_search_progress;

void cli_search_progress_start(cli_search_progress *p, const cli *cx);
void cli_search_progress_end(cli_search_progress *p);

#endif
