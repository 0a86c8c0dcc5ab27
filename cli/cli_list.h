/* Lists of numbers on the command line. */
#ifndef BPERC_CLI_LIST_H
#define BPERC_CLI_LIST_H

#include <stddef.h>

typedef struct {
  size_t n;
  double *values;
} cli_list;

/* "1,2.5,4", "low:high:step" or "low:high:xCOUNT" with equal ratios, also
 * mixed with commas. CLI_DONE, or CLI_USAGE with a message that names the
 * option. */
int cli_list_read(const char *option, const char *text, cli_list *out);
void cli_list_free(cli_list *list);

#endif
