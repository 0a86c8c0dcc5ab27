/* bperc reproduce: figures of the paper, from their plans to verdicts. */
#include "commands.h"
#include "lab.h"

static lab_options opt;

static void setup_reproduce(cli *cx) {
  lab_setup(cx, "reproduce", &opt,
            "scale store out experiments list looks retry shard save trust");
}

/* Whether --save can keep what was chosen: whole experiments. */
static int check_save(const lab *l) {
  for (size_t k = 0; opt.save && k < bperc_lab_count(l->all); k++)
    if (bperc_experiment_is_part(bperc_lab_experiment(l->all, k)))
      return cli_usage("--save keeps whole experiments: ask for %s",
                       bperc_experiment_name(bperc_lab_experiment(l->all, k)));
  return CLI_DONE;
}

static int run_reproduce(cli *cx) {
  lab l;
  bperc_error error;
  char folder[4096];
  int code = lab_open(&l, cx, &opt);
  if (code == CLI_DONE)
    code = lab_find_folder(&l, folder, sizeof folder);
  if (code == CLI_DONE &&
      bperc_lab_choose(l.all, folder, (const char *const *)cx->arguments,
                       cx->argument_count, &error))
    code = lab_fail_read(&error);
  if (code == CLI_DONE)
    code = check_save(&l);
  if (code == CLI_DONE)
    code = lab_run(&l);
  lab_clear(&l);
  return code;
}

const cli_command cmd_reproduce = {
    .name = "reproduce",
    .arguments = "ID...",
    .summary = "run, plot and judge figures of the paper",
    .text =
        "ID is an experiment (fig2, or 2), a claim (F2.1) or all. Runs what "
        "the store\n"
        "does not have yet, writes tables, pictures and index.html, and "
        "says which\n"
        "claims hold. For a claim only what it needs is run, and no picture is "
        "drawn.\n"
        "Interrupted or killed, it goes on where it was. "
        "Under mpirun the\n"
        "tasks are spread over ranks. Exit status 1 when a claim fails.\n\n"
        "  bperc reproduce fig2 --out report\n"
        "  bperc reproduce all --scale paper --store night.db\n"
        "  bperc reproduce F2.2 --list F2.2",
    .least = 1,
    .most = CLI_ARGUMENTS,
    .keys = cli_keys_reproduce,
    .common = "seed threads time_limit quiet",
    .setup = setup_reproduce,
    .run = run_reproduce,
};
