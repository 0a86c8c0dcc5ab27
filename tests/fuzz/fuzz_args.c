/* The command line: one word a line. Everything is parsed and nothing runs: the
 * call that would run the command comes back at once (-Wl,--wrap). */
#include "base/cancel.h"
#include "cli.h"
#include "fuzz.h"
#include "sink.h"

#include <stdlib.h>

int bperc_main(int argc, char **argv); /* cli/main.c */

static sink out, err;
static int came_through; /* everything was parsed */

int __wrap_cli_run(cli *cx);
int __wrap_cli_run(cli *cx) {
  assert(cx->command && cx->common.time_limit >= 0);
  came_through = 1;
  return CLI_DONE;
}

/* The handlers of the fuzzer stay. */
static int caught;
void __wrap_cli_catch_signals(void);
void __wrap_cli_catch_signals(void) { caught = 1; }

/* What those of the program do: an interrupt cancels what runs. */
static void interrupt(void) {
  assert(caught && !bperc_cancelled() && !bperc_cancel_seen());
  bperc_cancel();
  assert(bperc_cancelled() && bperc_cancel_seen());
  bperc_i_cancel_reset();
}

enum { WORDS = 40, LONGEST = 2000 };

/* Empty words too. */
static int split(char *text, char **argv) {
  int argc = 1;
  while (argc < WORDS && text) {
    argv[argc++] = text;
    text = strchr(text, '\n');
    if (text)
      *text++ = 0;
  }
  argv[argc] = NULL;
  return argc;
}

static void run(const uint8_t *data, size_t size) {
  static char text[LONGEST + 1];
  char *argv[WORDS + 1], name[] = "bperc";
  int code;
  if (size > LONGEST)
    size = LONGEST;
  if (size)
    memcpy(text, data, size);
  text[size] = 0;
  int argc = size ? split(text, argv) : 1; /* nothing: the program alone */
  argv[0] = name;
  sink_begin(&out, &stdout);
  sink_begin(&err, &stderr);
  came_through = 0;
  code = bperc_main(argc, argv);
  sink_end(&err, &stderr);
  sink_end(&out, &stdout);
  if (!size && !fuzz_is_faulty())
    interrupt();
  if (came_through || (size && code == CLI_USAGE && !strncmp(argv[1], "__", 2)))
    return;
  assert(code == CLI_DONE || code == CLI_USAGE);
  assert(code == CLI_DONE ? out.size : err.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_run(data, size, run);
}
