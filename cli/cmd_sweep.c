/* bperc sweep: a user's own plan. */
#include "commands.h"
#include "lab.h"

static lab_options opt;

static void setup_sweep(cli *cx) {
  lab_setup(cx, "sweep", &opt,
            "scale store out list retry shard measurements trust");
}

static void describe_parameter(const bperc_option *row, const char *prefix) {
  char value[64], name[128];
  snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "", row->name);
  if (row->kind == BPERC_OPTION_CHOICE)
    snprintf(value, sizeof value, "%s", row->choices);
  else if (row->kind == BPERC_OPTION_FLAG)
    snprintf(value, sizeof value, "yes|no");
  else
    snprintf(value, sizeof value, "%.6g to %.6g", row->low, row->high);
  printf("- `%s` (%s): %s\n", name, value, row->meaning);
}

/* Markdown: docs/measurements.md is this text. */
static void describe_measurement(const bperc_measurement *m) {
  bperc_option_table table = m->options();
  printf("\n## %s\n\n%s; result version %d.\n\nParameters:\n\n", m->name,
         m->summary, m->version);
  for (size_t k = 0; k < table.count; k++)
    describe_parameter(&table.rows[k], "");
  for (size_t g = 0; g < BPERC_MEASURE_GROUPS && m->groups[g].prefix; g++)
    printf("- `%s.*`: options of `%s`%s%s\n", m->groups[g].prefix,
           m->groups[g].prefix, m->groups[g].when ? ", when " : "",
           m->groups[g].when ? m->groups[g].when : "");
  printf("\nResults:\n\n```text\n%s\n```\n", m->results);
  if (!m->seeded_by)
    printf("\nNothing in it is random: one instance is enough.\n");
}

static int run_sweep(cli *cx) {
  lab l;
  bperc_error error;
  int code;
  if (opt.measurements) {
    printf("# Measurements\n\nWritten by `bperc sweep --measurements`.\n");
    for (size_t k = 0; bperc_measurements()[k]; k++)
      describe_measurement(bperc_measurements()[k]);
    return CLI_DONE;
  }
  if (cx->argument_count == 0)
    return cli_usage("usage: bperc sweep PLAN... [options]; see bperc sweep "
                     "--help");
  code = lab_open(&l, cx, &opt);
  for (unsigned k = 0; k < cx->argument_count && code == CLI_DONE; k++)
    if (bperc_lab_read(l.all, cx->arguments[k], &error))
      code = lab_fail_read(&error);
  if (code == CLI_DONE)
    code = lab_run(&l);
  lab_clear(&l);
  return code;
}

const cli_command cmd_sweep = {
    .name = "sweep",
    .arguments = "PLAN...",
    .summary = "run your own plans",
    .text =
        "A plan is a text file, or a folder with a plan, claims and a "
        "gnuplot script;\n"
        "docs/sweeps.md says how to write one. Only what the store does "
        "not have is\n"
        "run; results are the same for every number of threads or ranks.\n\n"
        "  bperc sweep my.plan --out results\n"
        "  bperc sweep --measurements",
    .least = 0,
    .most = CLI_ARGUMENTS,
    .keys = cli_keys_sweep,
    .common = "seed threads time_limit quiet",
    .setup = setup_sweep,
    .run = run_sweep,
};
