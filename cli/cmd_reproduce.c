/* bperc reproduce: figures of the paper, from their plans to verdicts. */
#include "commands.h"
#include "lab.h"

#include <string.h>
#include <strings.h>

static lab_options opt;

static void setup(cli *cx) {
  lab_setup(cx, "reproduce", &opt,
            "scale store out experiments list retry shard save trust");
}

/* all, fig2, or 2. */
static bool names(const char *name, const char *id) {
  return !strcmp(id, "all") || !strcasecmp(name, id) ||
         (!strncasecmp(name, "fig", 3) && !strcasecmp(name + 3, id));
}

typedef struct {
  cli *cx;
  bool used[CLI_ARGUMENTS], no_memory;
  char names[1024]; /* of all experiments there are, for a mistyped one */
} request;

/* A lab_wanted: by its name or by one of its claims. */
static bool is_wanted(void *context, const char *path, const char *name) {
  request *r = context;
  size_t length = strlen(r->names);
  bool wanted = false;
  snprintf(r->names + length, sizeof r->names - length, "%s %s",
           length ? "," : "", name);
  for (unsigned q = 0; q < r->cx->argument_count; q++) {
    const char *id = r->cx->arguments[q];
    int mentioned = names(name, id) ? 1 : bperc_claims_mention(path, id);
    r->no_memory |= mentioned < 0;
    if (mentioned <= 0)
      continue;
    r->used[q] = wanted = true;
  }
  return wanted;
}

/* If only some of its claims are asked for, an experiment becomes the part that
 * they need. */
static void keep_part(bperc_experiment *x, bperc_judge *judge, cli *cx) {
  const char *claims[CLI_ARGUMENTS];
  size_t count = 0;
  for (unsigned q = 0; q < cx->argument_count; q++) {
    if (names(bperc_experiment_name(x), cx->arguments[q]))
      return;
    if (bperc_judge_has(judge, cx->arguments[q]))
      claims[count++] = cx->arguments[q];
  }
  bperc_judge_narrow(judge, x, claims, count);
}

/* Reads what was asked for and nothing else. */
static int choose(lab *l, cli *cx, const char *folder) {
  request r = {.cx = cx};
  int code = lab_read_all(l, folder, is_wanted, &r);
  if (code == CLI_DONE && r.no_memory)
    code = cli_no_memory();
  if (code != CLI_DONE)
    return code;
  for (unsigned q = 0; q < cx->argument_count; q++)
    if (!r.used[q])
      return cli_usage("there is no experiment or claim '%s': give all, a "
                       "claim such as F2.1, or one of%s",
                       cx->arguments[q], r.names);
  for (size_t k = 0; k < l->count; k++)
    keep_part(l->list[k], l->judges[k], cx);
  for (size_t k = 0; k < l->count; k++)
    if (opt.save && bperc_experiment_is_part(l->list[k]))
      return cli_usage("--save keeps whole experiments: ask for %s",
                       bperc_experiment_name(l->list[k]));
  return CLI_DONE;
}

static int run(cli *cx) {
  lab l = {.cx = cx, .options = &opt};
  char folder[4096];
  int code = lab_find_folder(&l, folder, sizeof folder);
  if (code == CLI_DONE)
    code = choose(&l, cx, folder);
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
    .setup = setup,
    .run = run,
};
