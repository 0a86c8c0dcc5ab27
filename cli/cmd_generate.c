/* bperc generate: a random instance. */
#include "commands.h"

#include <math.h>

typedef struct {
  int64_t n, m, format;
  double alpha, fin, a;
  const char *out;
} options;

static options opt;

static void setup(cli *cx) {
  static const bperc_option rows[] = {
      {"n", BPERC_OPTION_INT, offsetof(options, n), 0, 0, 1, 4294967296., NULL,
       "number of weights N"},
      {"m", BPERC_OPTION_INT, offsetof(options, m), -1, -1, 0, 4294967296.,
       NULL, "number of patterns M, or give --alpha"},
      {"alpha", BPERC_OPTION_REAL, offsetof(options, alpha), -1, -1, 0, 1e9,
       NULL, "patterns per weight; M is the nearest whole number to alpha N"},
      {"fin", BPERC_OPTION_REAL, offsetof(options, fin), -1, -1, 0, 1, NULL,
       "probability of an input to be 1 [f_in]"},
      {"a", BPERC_OPTION_REAL, offsetof(options, a), 0, 0, 1e-12, 1e12, NULL,
       "threshold parameter A: output 1 when w.xi > N/A"},
      {"out", BPERC_OPTION_TEXT, offsetof(options, out), 0, 0, 0, 0, "FILE",
       "write there instead of standard output"},
      {"format", BPERC_OPTION_CHOICE, offsetof(options, format), 0, 0, 0, 0,
       CLI_FORMATS, "how to write it"},
  };
  cli_group(cx, "generate", CLI_TABLE(rows), &opt);
}

static json_t *describe(const cli *cx, const bperc_instance *in) {
  return json_pack("{s:I, s:I, s:f, s:f, s:f, s:I, s:s?}", "n",
                   (json_int_t)in->n, "m", (json_int_t)in->m, "alpha",
                   (double)in->m / (double)in->n, "fin", opt.fin, "a", opt.a,
                   "seed", (json_int_t)cx->seed, "out", opt.out);
}

static int run(cli *cx) {
  bperc_instance *in;
  bperc_error error;
  int code = CLI_DONE;
  if (opt.n < 1 || (opt.m < 0) == (opt.alpha < 0) || opt.fin < 0 || opt.a <= 0)
    return cli_usage("generate needs --n, --fin, --a and one of --m, --alpha");
  if (opt.m < 0)
    opt.m = (int64_t)nearbyint(opt.alpha * (double)opt.n);
  if (bperc_instance_generate((size_t)opt.n, (size_t)opt.m, opt.fin, opt.a,
                              BPERC_TIES_ZERO, cx->seed, &in, &error))
    return cli_fail(&error);
  if (opt.out || !cx->common.json)
    code = cli_write_instance(in, (bperc_format)opt.format, opt.out);
  if (code == CLI_DONE && cx->common.json)
    cli_json_print(describe(cx, in));
  bperc_instance_free(in);
  return code;
}

const cli_command cmd_generate = {
    .name = "generate",
    .arguments = "",
    .summary = "make a random instance",
    .text = "Writes a random instance: inputs are 1 with probability "
            "f_in,\n"
            "labels are fair coins. The same seed with a larger M extends the\n"
            "smaller instance.\n\n"
            "  bperc generate --n 480 --alpha 0.2 --fin 0.3 --a 40 --out p.txt",
    .setup = setup,
    .run = run,
};
