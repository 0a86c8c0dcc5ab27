/* bperc report: the page from a store or from kept tables; runs no task and no
 * script of a plan. */
#include "commands.h"
#include "lab.h"

static lab_options opt;

static void setup_report(cli *cx) {
  lab_setup(cx, "report", &opt, "scale store out experiments list");
}

static int run_report(cli *cx) {
  lab l;
  bperc_error error;
  char folder[4096];
  int code = lab_open(&l, cx, &opt);
  for (unsigned k = 0; k < cx->argument_count && code == CLI_DONE; k++)
    if (bperc_lab_read(l.all, cx->arguments[k], &error))
      code = lab_fail_read(&error);
  if (code == CLI_DONE && cx->argument_count == 0) {
    code = lab_find_folder(&l, folder, sizeof folder);
    if (code == CLI_DONE && bperc_lab_read_folder(l.all, folder, &error))
      code = lab_fail_read(&error);
  }
  if (code == CLI_DONE)
    code = lab_report(&l, opt.store == NULL);
  lab_clear(&l);
  return code;
}

const cli_command cmd_report = {
    .name = "report",
    .arguments = "[PLAN...]",
    .summary = "one page of figures and claims from a store",
    .text = "Writes tables, pictures and one HTML page from the results in a "
            "store and runs\n"
            "nothing: plot scripts of other people's plans are left to sweep "
            "and reproduce.\n"
            "Without --store the page shows the tables of the paper scale that "
            "are kept in the\n"
            "folders of the experiments.\n\n"
            "  bperc report --store report/store.db --out page\n"
            "  bperc report --out page",
    .least = 0,
    .most = CLI_ARGUMENTS,
    .keys = cli_keys_report,
    .common = "seed quiet",
    .setup = setup_report,
    .run = run_report,
};
