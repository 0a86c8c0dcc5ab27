/* bperc theory: what the replica method predicts. */
#include "cli_theory.h"

#include <string.h>

theory_options theory_asked;

static BPERC_OPTIONS_DEFINE(theory_rows, theory_options, THEORY_ROWS);

static void setup_theory(cli *cx) {
  cli_group(cx, "theory", theory_rows(), &theory_asked);
}

static const struct {
  const char *name;
  theory_question *ask;
} questions[] = {
    {"capacity", theory_capacity},
    {"entropy", theory_entropy},
    {"curve", theory_curve},
    {"geometry", theory_geometry},
    {"large-deviation", theory_large_deviation},
    {"alpha-u", theory_alpha_u},
    {"concavity", theory_concavity},
    {"franz-parisi", theory_franz_parisi},
    {"generalisation", theory_generalisation},
};

/* Questions that know a constraint on both sides. */
static bool knows_band(theory_question *ask) {
  return ask == theory_capacity || ask == theory_entropy ||
         ask == theory_franz_parisi || ask == theory_generalisation;
}

enum { QUESTIONS = sizeof questions / sizeof *questions };

static int run_theory(cli *cx) {
  json_t *answer = NULL;
  size_t k = 0;
  while (k < QUESTIONS && strcmp(questions[k].name, cx->arguments[0]))
    k++;
  if (k == QUESTIONS)
    return cli_usage(
        "theory answers capacity, entropy, curve, franz-parisi, "
        "large-deviation, alpha-u, concavity, geometry and generalisation, "
        "not '%s'",
        cx->arguments[0]);
  if (theory_asked.band > 0 && !knows_band(questions[k].ask))
    return cli_usage("theory %s is not worked out for --band",
                     cx->arguments[0]);
  int code = questions[k].ask(cx, &answer);
  if (!answer)
    return code;
  if (cx->common.json) {
    cli_json_print(answer);
  } else {
    theory_print(answer);
    json_decref(answer);
  }
  return code;
}

const cli_command cmd_theory = {
    .name = "theory",
    .arguments = "QUESTION",
    .summary = "what the replica method predicts",
    .text =
        "QUESTION is one of\n"
        "  capacity         alpha at which the entropy of solutions vanishes\n"
        "  entropy          entropy and overlap of typical solutions\n"
        "  curve            capacity over lists of A and f_in, and the best A\n"
        "  franz-parisi     local entropy around typical solutions\n"
        "  large-deviation  local entropy of the densest region\n"
        "  alpha-u          load above which the densest region breaks\n"
        "  concavity        load above which its local entropy is not concave\n"
        "  geometry         pure states: g(x), complexity, overlaps\n"
        "  generalisation   learning from a teacher: errors, thresholds, steps "
        "of\n"
        "                   message passing\n"
        "Everything depends on A and f_in through Q = 1/(A f_in). A margin K "
        "of\n"
        "the sums is kappa = K/sqrt(N f_in (1-f_in)), for inputs -1, +1\n"
        "kappa = K/sqrt(N). With --weights pm inputs are -1, +1 and f_out\n"
        "does not matter: a label can be absorbed in its pattern. Entropies\n"
        "are per weight, in nats; distances are divided by N. Lists are\n"
        "1,2,3 or low:high:step or low:high:xCOUNT (equal ratios).\n\n"
        "  bperc theory capacity --a 12 --fin 0.5\n"
        "  bperc theory capacity --weights pm\n"
        "  bperc theory capacity --weights pm --band 1\n"
        "  bperc theory generalisation --weights pm --alpha 1.3 --steps 20\n"
        "  bperc theory capacity --a 12 --fin 0.5 --fout 0.2 --kappa 0.1\n"
        "  bperc theory entropy --alpha 0.2 --a 40 --fin 0.5\n"
        "  bperc theory large-deviation --alpha 0.2 --a 40 --fin 0.5 "
        "--distances 0.001:0.1:x20\n"
        "  bperc theory large-deviation --alpha 0.2 --a 40 --fin 0.5 --y 20 "
        "--references rs --distances 0.003:0.03:x10\n"
        "  bperc theory alpha-u --a 40 --fin 0.5\n"
        "  bperc theory curve --a 2:80:2 --fin 0.1:0.5:0.1",
    .least = 1,
    .most = 1,
    .keys = cli_keys_theory,
    .common = "time_limit",
    .setup = setup_theory,
    .run = run_theory,
};
