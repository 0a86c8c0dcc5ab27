/* Every command, one file each. */
#ifndef BPERC_CLI_COMMANDS_H
#define BPERC_CLI_COMMANDS_H

#include "cli.h"

extern const cli_command cmd_decimate;
extern const cli_command cmd_embed;
extern const cli_command cmd_enumerate;
extern const cli_command cmd_generate;
extern const cli_command cmd_check;
extern const cli_command cmd_export;
extern const cli_command cmd_fit;
extern const cli_command cmd_predict;
extern const cli_command cmd_solve;
extern const cli_command cmd_walk;
extern const cli_command cmd_local_entropy;
extern const cli_command cmd_xcorr;
extern const cli_command cmd_capacity;
extern const cli_command cmd_solving_time;
extern const cli_command cmd_theory;

extern const cli_command cmd_bp;
extern const cli_command cmd_infer;
extern const cli_command cmd_reproduce;
extern const cli_command cmd_sweep;
extern const cli_command cmd_report;
extern const cli_command cmd_store;

/* keys.c: what the fields of each JSON answer mean. */
extern const char cli_keys_bp[];
extern const char cli_keys_capacity[];
extern const char cli_keys_check[];
extern const char cli_keys_decimate[];
extern const char cli_keys_embed[];
extern const char cli_keys_enumerate[];
extern const char cli_keys_export[];
extern const char cli_keys_fit[];
extern const char cli_keys_generate[];
extern const char cli_keys_infer[];
extern const char cli_keys_local_entropy[];
extern const char cli_keys_predict[];
extern const char cli_keys_report[];
extern const char cli_keys_reproduce[];
extern const char cli_keys_solve[];
extern const char cli_keys_solving_time[];
extern const char cli_keys_store[];
extern const char cli_keys_sweep[];
extern const char cli_keys_theory[];
extern const char cli_keys_walk[];
extern const char cli_keys_xcorr[];

#endif
