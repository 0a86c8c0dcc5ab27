/* Reading and writing what the user brings. */
#include "cli.h"

#include <string.h>

static BPERC_OPTIONS_DEFINE(table_rows, cli_data, CLI_DATA_ROWS);

void cli_group_table(cli *cx) {
  cli_group(cx, "table", table_rows(), &cx->table);
}

bperc_data_options cli_table_options(const cli *cx) {
  const cli_data *data = &cx->table;
  return (bperc_data_options){.label = data->label,
                              .positive = data->positive,
                              .binarise = data->binarise,
                              .drop = data->drop,
                              .missing = data->missing,
                              .complement = (int)data->complement};
}

/* A line of n weights, or a model. */
static bool holds_weights(const char *path, size_t n) {
  uint64_t *weights = NULL;
  bperc_classifier *model = NULL;
  bool right = bperc_weights_read(path, n, &weights, NULL) == BPERC_OK ||
               bperc_classifier_read(path, &model, NULL) == BPERC_OK;
  bperc_free(weights);
  bperc_classifier_free(model);
  return right;
}

/* Where each of two arguments would have been right in the other's place. */
static bool swapped(const cli *cx, unsigned k, const bperc_data_options *rules,
                    const bperc_read_options *options) {
  bperc_instance *other = NULL;
  bool right =
      k == 0 && cx->argument_count == 2 && strcmp(cx->arguments[1], "-") != 0 &&
      bperc_data_read(cx->arguments[1], rules, options, NULL, &other, NULL) ==
          BPERC_OK &&
      holds_weights(cx->arguments[0], other->n);
  bperc_instance_free(other);
  return right;
}

int cli_fail_swapped(const cli *cx) {
  cli_warn("%s and %s are in the wrong order: bperc %s %s", cx->arguments[0],
           cx->arguments[1], cx->command->name, cx->command->arguments);
  return CLI_INPUT;
}

int cli_read_instance(cli *cx, unsigned k, bperc_instance **out) {
  bperc_error error;
  const cli_instance_options *o = &cx->instance;
  bperc_data_options rules = cli_table_options(cx);
  bperc_read_options options = {.ties = (bperc_ties)o->ties,
                                .a = o->a,
                                .threshold = o->threshold,
                                .kappa = o->kappa,
                                .band = o->band,
                                .weights = o->weights == CLI_WEIGHTS_PM
                                               ? BPERC_WEIGHTS_PM
                                               : BPERC_WEIGHTS_01,
                                .n = (size_t)o->n};
  options.given = (o->a > 0 ? BPERC_GIVEN_A : 0) |
                  (cli_given(cx, "threshold") ? BPERC_GIVEN_THRESHOLD : 0) |
                  (cli_given(cx, "kappa") ? BPERC_GIVEN_KAPPA : 0) |
                  (cli_given(cx, "band") ? BPERC_GIVEN_BAND : 0) |
                  (o->weights != CLI_WEIGHTS_FILE ? BPERC_GIVEN_WEIGHTS : 0);
  if (o->a > 0 && cli_given(cx, "threshold"))
    return cli_usage("give --a or --threshold, not both");
  if (bperc_data_read(cx->arguments[k], &rules, &options, NULL, out, &error))
    return error.status == BPERC_E_FORMAT && swapped(cx, k, &rules, &options)
               ? cli_fail_swapped(cx)
               : cli_fail_input(&error);
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
  if (standard &&
      (format == BPERC_FORMAT_HDF5 || format == BPERC_FORMAT_HDF5_BITS))
    return cli_usage("an HDF5 file does not go to standard output: give --out");
  status = standard ? bperc_instance_print(in, format, stdout, &error)
                    : bperc_instance_write(in, format, path, &error);
  return status ? cli_fail(&error) : CLI_DONE;
}

void cli_free(void *p) { bperc_free(p); }
