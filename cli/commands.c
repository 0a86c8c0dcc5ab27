/* The table of commands, in the order of `bperc --help`. */
#include "commands.h"

/* One command a line. */
/* clang-format off */
const cli_command *const cli_commands[] = {
    &cmd_generate,
    &cmd_solve,
    &cmd_check,
    &cmd_fit,
    &cmd_predict,
    &cmd_walk,
    &cmd_local_entropy,
    &cmd_xcorr,
    &cmd_enumerate,
    &cmd_decimate,
    &cmd_embed,
    &cmd_export,
    &cmd_capacity,
    &cmd_solving_time,
    &cmd_theory,
    &cmd_bp,
    &cmd_infer,
    &cmd_reproduce,
    &cmd_sweep,
    &cmd_report,
    &cmd_store,
    NULL,
};
/* clang-format on */
