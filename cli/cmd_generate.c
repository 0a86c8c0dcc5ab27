/* bperc generate: a random instance. */
#include "cli_ensemble.h"
#include "cli_solver.h"
#include "commands.h"

#define ROWS(X)                                                                \
  X(TEXT, out, "FILE", "write there instead of standard output")               \
  X(CHOICE, format, 0, 0, CLI_FORMATS, "how to write it")                      \
  X(TEXT, teacher_out, "FILE",                                                 \
    "write the teacher's weights there (implies --teacher)")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(generate_option_rows, options, ROWS);

static options opt;
static cli_ensemble kind;

static void setup_generate(cli *cx) {
  cli_group_ensemble(cx, &kind, true);
  cli_group(cx, "output", generate_option_rows(), &opt);
}

static json_t *describe_generated(const cli *cx, const bperc_ensemble *e) {
  json_t *told =
      json_pack("{s:I, s:f, s:o, s:s?, s:s?}", "m", (json_int_t)e->m, "alpha",
                (double)e->m / (double)e->n, "seed", cli_json_seed(cx->seed),
                "out", opt.out, "teacher_out", opt.teacher_out);
  cli_json_merge(told, cli_json_ensemble(e));
  return told;
}

/* The instance below a comment with its teacher. */
static int write_with_teacher(const bperc_instance *in,
                              const uint64_t *teacher) {
  cli_output out;
  bperc_error error;
  int code = cli_output_open(&out, opt.out);
  if (code != CLI_DONE)
    return code;
  fputs("# teacher ", out.stream);
  cli_print_weights(out.stream, in->n, teacher, NULL);
  if (bperc_instance_print(in, (bperc_format)opt.format, out.stream, &error)) {
    cli_output_abandon(&out);
    return cli_fail(&error);
  }
  return cli_output_close(&out);
}

/* The teacher goes to its file, or into a comment where there are comments. */
static int write(const bperc_ensemble *e, const bperc_instance *in,
                 uint64_t seed) {
  uint64_t *teacher = NULL;
  bperc_error error;
  int code = CLI_DONE;
  bool comment =
      e->teacher && !opt.teacher_out &&
      (opt.format == BPERC_FORMAT_TEXT || opt.format == BPERC_FORMAT_SVMLIGHT);
  if (e->teacher && bperc_ensemble_teacher(e, seed, &teacher, &error))
    return cli_fail(&error);
  if (opt.teacher_out)
    code = cli_write_weights(opt.teacher_out, in, teacher, NULL);
  if (code == CLI_DONE)
    code = comment ? write_with_teacher(in, teacher)
                   : cli_write_instance(in, (bperc_format)opt.format, opt.out);
  bperc_free(teacher);
  return code;
}

static int run_generate(cli *cx) {
  bperc_ensemble ensemble;
  bperc_instance *in = NULL;
  bperc_error error;
  int code;
  if (opt.teacher_out)
    kind.teacher = 1;
  code = cli_ensemble_take(cx, &kind, true, &ensemble);
  if (code == CLI_DONE && bperc_ensemble_draw(&ensemble, cx->seed, &in, &error))
    code = cli_fail(&error);
  if (code != CLI_DONE)
    goto done;
  if (opt.out || opt.teacher_out || !cx->common.json)
    code = write(&ensemble, in, cx->seed);
  if (code == CLI_DONE && cx->common.json)
    cli_json_print(describe_generated(cx, &ensemble));
done:
  bperc_instance_free(in);
  cli_ensemble_release(&kind);
  return code;
}

const cli_command cmd_generate = {
    .name = "generate",
    .arguments = "",
    .summary = "make a random instance",
    .text =
        "Writes a random instance: inputs are 1 with probability f_in,\n"
        "labels are 1 with probability f_out, or the outputs of a teacher.\n"
        "Patterns can be noisy copies, vary around prototypes, or come\n"
        "from a source of few dimensions. The same seed with a larger M\n"
        "extends the smaller instance. docs/model.md describes it all.\n\n"
        "  bperc generate --n 480 --alpha 0.2 --fin 0.3 --a 40 --out p.txt\n"
        "  bperc generate --n 1001 --alpha 0.5 --weights pm --inputs pm\n"
        "  bperc generate --n 480 --alpha 0.4 --fin 0.3 --a 40 \\\n"
        "    --teacher-out w.txt --out p.txt && bperc check p.txt w.txt",
    .keys = cli_keys_generate,
    .common = "seed",
    .setup = setup_generate,
    .run = run_generate,
};
