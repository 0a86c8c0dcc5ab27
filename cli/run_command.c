/* Runs a command whose options are parsed: the clock before, and after it what
 * may have gone wrong without the command knowing.
 *
 * A file of its own, so that the command line can be fuzzed up to here. */
#include "cli.h"

int cli_run(cli *cx) {
  int code;
  cli_limit_time(cx->common.time_limit);
  cli_interrupt_wants_json(cx->common.json);
  cli_json_start();
  code = cx->command->run(cx);
  if (cli_json_lost() && code <= CLI_NEGATIVE)
    code = cli_no_memory();
  if (code == CLI_INTERRUPTED && cx->common.json)
    cli_json_print_nothing();
  if (code == CLI_INTERRUPTED && cli_time_is_up()) {
    cli_warn("stopped at the time limit of %g s", cx->common.time_limit);
    code = CLI_NEGATIVE;
  }
  return code;
}
