/* The progress line of an exact search: search_progress.h. */
#include "search_progress.h"

static void tell_search(void *context, double share, double found) {
  cli_search_progress *p = context;
  double spent = cli_now() - p->line.started;
  if (!cli_progress_due(&p->line))
    return;
  if (share > 0)
    cli_progress_show(&p->line,
                      "%.1f %% of the tree, %.6g solutions, %.0f s so far, "
                      "about %.0f s to go",
                      100 * share, found, spent, spent * (1 - share) / share);
}

void cli_search_progress_start(cli_search_progress *p, const cli *cx) {
  cli_progress_start(&p->line, cx);
  p->watch = (bperc_exact_watch){tell_search, p};
}

void cli_search_progress_end(cli_search_progress *p) {
  cli_progress_end(&p->line);
}
