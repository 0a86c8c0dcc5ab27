/* Reading what the user brings. */
#include "cli.h"

int cli_read_instance(cli *cx, unsigned k, bperc_instance **out) {
  bperc_error error;
  bperc_read_options options = {.ties = (bperc_ties)cx->instance.ties,
                                .a = cx->instance.a,
                                .threshold = cx->instance.threshold,
                                .n = (size_t)cx->instance.n};
  if (bperc_instance_read(cx->arguments[k], &options, out, &error))
    return cli_fail_input(&error);
  return CLI_DONE;
}

int cli_read_weights(cli *cx, unsigned k, size_t n, uint64_t **out) {
  bperc_error error;
  if (bperc_weights_read(cx->arguments[k], n, out, &error))
    return cli_fail_input(&error);
  return CLI_DONE;
}

void cli_free(void *p) { bperc_free(p); }
