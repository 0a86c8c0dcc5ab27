/* bperc: finds the command and parses its options. */
#include "cli.h"

#include <string.h>

static BPERC_OPTIONS_DEFINE(common_rows, cli_common, CLI_COMMON_ROWS);

static const cli_command *find_command(const char *name) {
  for (size_t k = 0; cli_commands[k]; k++)
    if (strcmp(cli_commands[k]->name, name) == 0)
      return cli_commands[k];
  return NULL;
}

static void prepare_process(cli *cx) {
  cx->command->setup(cx);
  cli_group(cx, "common", common_rows(), &cx->common);
}

void cli_prepare_all(cli *cx, const cli_command *command) {
  *cx = (cli){.command = command, .every_solver = true};
  prepare_process(cx);
}

static int dispatch_command(const cli_command *command, int argc, char **argv) {
  cli cx = {.command = command, .argc = argc, .argv = argv};
  int code;
  prepare_process(&cx);
  cli_speak_for(&cx);
  code = cli_parse(&cx);
  if (code != CLI_DONE)
    return code;
  if (cx.common.help) {
    cli_help_command(&cx, stdout);
    return CLI_DONE;
  }
  return cli_run(&cx);
}

/* For the build: manual pages and completion. */
static int hidden(int argc, char **argv) {
  cli cx;
  const cli_command *command = argc > 2 ? find_command(argv[2]) : NULL;
  if (strcmp(argv[1], "__completion") == 0)
    return cli_completion(argc > 2 ? argv[2] : "bash", stdout) ? CLI_DONE
                                                               : CLI_USAGE;
  if (argc == 2) {
    cli_man_overview(stdout);
    return CLI_DONE;
  }
  if (!command)
    return CLI_USAGE;
  cli_prepare_all(&cx, command);
  cli_man(&cx, stdout);
  return CLI_DONE;
}

static int no_command(const char *name) {
  const char *nearest = cli_nearest_command(name);
  if (name[0] == '-')
    return cli_usage("there is no option %s before a command: see bperc --help",
                     name);
  if (nearest)
    return cli_usage("there is no command '%s': did you mean '%s'?", name,
                     nearest);
  return cli_usage("there is no command '%s': see bperc --help", name);
}

static int answer_arguments(int argc, char **argv) {
  const cli_command *command;
  const char *name;
  char *help = (char[]){"--help"};
  int wants_help;
  if (argc < 2) {
    cli_help(stderr);
    return CLI_USAGE;
  }
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
      (!strcmp(argv[1], "help") && (argc == 2 || argv[2][0] == '-'))) {
    cli_help(stdout);
    return CLI_DONE;
  }
  if (!strcmp(argv[1], "--version")) {
    printf("bperc %s\n", bperc_version());
    return CLI_DONE;
  }
  if (!strcmp(argv[1], "__completion") || !strcmp(argv[1], "__man"))
    return hidden(argc, argv);
  wants_help = !strcmp(argv[1], "help");
  name = argv[1 + wants_help];
  command = find_command(name);
  if (!command)
    return no_command(name);
  if (wants_help)
    return dispatch_command(command, 1, &help);
  return dispatch_command(command, argc - 2, argv + 2);
}

int main(int argc, char **argv) {
  cli_catch_signals();
  return cli_flushed(answer_arguments(argc, argv));
}
