/* Under mpirun: where the module is that knows MPI. */
#include "cli_ranks.h"

#include <string.h>
#include <unistd.h>

void cli_program_folder(char *out, size_t size) {
  ssize_t length = readlink("/proc/self/exe", out, size - 1);
  out[length > 0 ? length : 0] = 0;
  if (strrchr(out, '/'))
    *strrchr(out, '/') = 0;
}

int cli_ranks_start(bperc_ranks *out) {
  char program[2048], installed[2200];
  const char *folders[] = {program, installed, BPERC_MODULES, NULL};
  bperc_error error;
  cli_program_folder(program, sizeof program);
  snprintf(installed, sizeof installed, "%s/../lib/bperc", program);
  if (bperc_ranks_start(folders, out, &error))
    return cli_fail(&error);
  /* mpirun ends the others by a signal when rank 0 leaves with status 1 */
  if (out->rank > 0)
    cli_interrupt_wants_json(false);
  return CLI_DONE;
}
