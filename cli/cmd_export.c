/* bperc export: an instance for other solvers and tools. */
#include "commands.h"

#define ROWS(X)                                                                \
  X(CHOICE, format, -1, -1, CLI_FORMATS, "what to write")                      \
  X(TEXT, out, "FILE", "write there instead of standard output")               \
  X(FLAG, soft, 0, 0,                                                          \
    "with opb: patterns may be left out, and the fewest errors are the "       \
    "objective")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(export_option_rows, options, ROWS);

static options opt;

static void setup_export(cli *cx) {
  cli_group(cx, "export", export_option_rows(), &opt);
  cli_group_instance(cx);
}

static json_t *describe_export(const cli *cx, const bperc_instance *in) {
  return json_pack("{s:s, s:s, s:s?, s:I, s:I, s:f, s:s}", "file",
                   cx->arguments[0], "format", cli_peek(cx, "format", ""),
                   "out", opt.out, "n", (json_int_t)in->n, "m",
                   (json_int_t)in->m, "a", in->a, "ties",
                   bperc_ties_name(in->ties));
}

static int run_export(cli *cx) {
  bperc_instance *in;
  bperc_format format = (bperc_format)opt.format;
  int code;
  if (!cli_given(cx, "format"))
    return cli_usage("export needs --format %s", CLI_FORMATS);
  if (cx->common.json && !opt.out)
    return cli_usage("export --json needs --out: both would go to standard "
                     "output");
  if (opt.soft && format != BPERC_FORMAT_OPB)
    return cli_usage("--soft goes with --format opb");
  if (opt.soft)
    format = BPERC_FORMAT_OPB_SOFT;
  code = cli_read_instance(cx, 0, &in);
  if (code != CLI_DONE)
    return code;
  code = cli_write_instance(in, format, opt.out);
  if (code == CLI_DONE && cx->common.json)
    cli_json_print(describe_export(cx, in));
  bperc_instance_free(in);
  return code;
}

const cli_command cmd_export = {
    .name = "export",
    .arguments = "FILE",
    .summary = "write an instance for other solvers and tools",
    .text =
        "opb and lp state the constraints under --ties, for pseudo-Boolean "
        "and\n"
        "integer-programming solvers; weight i is the variable x(i+1). text,\n"
        "svmlight and hdf5 are the formats that bperc reads itself.\n\n"
        "  bperc export p.txt --format opb --out p.opb && clasp p.opb\n"
        "  bperc export p.txt --format lp --out p.lp && cbc p.lp solve\n"
        "  bperc export p.svm --a 40 --format hdf5 --out p.h5",
    .least = 1,
    .most = 1,
    .keys = cli_keys_export,
    .common = "",
    .setup = setup_export,
    .run = run_export,
};
