/* Reading and writing what the user brings. */
#include "cli.h"

#include <string.h>

int cli_read_instance(cli *cx, unsigned k, bperc_instance **out) {
  bperc_error error;
  const cli_instance_options *o = &cx->instance;
  bperc_read_options options = {.ties = (bperc_ties)o->ties,
                                .a = o->a,
                                .threshold = o->threshold,
                                .kappa = o->kappa,
                                .weights = o->weights == CLI_WEIGHTS_PM
                                               ? BPERC_WEIGHTS_PM
                                               : BPERC_WEIGHTS_01,
                                .n = (size_t)o->n};
  options.given = (o->a > 0 ? BPERC_GIVEN_A : 0) |
                  (cli_given(cx, "threshold") ? BPERC_GIVEN_THRESHOLD : 0) |
                  (cli_given(cx, "kappa") ? BPERC_GIVEN_KAPPA : 0) |
                  (o->weights != CLI_WEIGHTS_FILE ? BPERC_GIVEN_WEIGHTS : 0);
  if (o->a > 0 && cli_given(cx, "threshold"))
    return cli_usage("give --a or --threshold, not both");
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

int cli_read_integers(cli *cx, unsigned k, size_t n, int32_t **out) {
  bperc_error error;
  if (bperc_integers_read(cx->arguments[k], n, out, &error))
    return cli_fail_input(&error);
  return CLI_DONE;
}

int cli_write_instance(const bperc_instance *in, bperc_format format,
                       const char *path) {
  bperc_error error;
  bperc_status status;
  bool standard = !path || strcmp(path, "-") == 0;
  if (standard && format == BPERC_FORMAT_HDF5)
    return cli_usage("an HDF5 file does not go to standard output: give --out");
  status = standard ? bperc_instance_print(in, format, stdout, &error)
                    : bperc_instance_write(in, format, path, &error);
  return status ? cli_fail(&error) : CLI_DONE;
}

void cli_free(void *p) { bperc_free(p); }
