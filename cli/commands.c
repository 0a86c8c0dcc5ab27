/* The table of commands, in the order of `bperc --help`. */
#include "commands.h"

const cli_command *const cli_commands[] = {
    &cmd_generate,
    &cmd_solve,
    &cmd_check,
    &cmd_theory,
    NULL,
};
