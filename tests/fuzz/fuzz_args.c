/* The command line: one word a line. Everything is parsed and nothing runs: the
 * call that starts the clock of --time-limit, the last before a command runs,
 * ends it (-Wl,--wrap). */
#include "cli.h"
#include "fuzz.h"
#include "sink.h"

#include <setjmp.h>
#include <stdlib.h>

int bperc_main(int argc, char **argv); /* cli/main.c */

static jmp_buf parsed;
static sink out, err;

void __wrap_cli_limit_time(double seconds);
void __wrap_cli_limit_time(double seconds) {
  assert(seconds >= 0);
  longjmp(parsed, 1);
}

/* The handlers of the fuzzer stay. */
typedef void handler(int number);
handler *__wrap_signal(int number, handler *use);
handler *__wrap_signal(int number, handler *use) {
  (void)number;
  (void)use;
  return NULL;
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
  volatile int code = CLI_DONE, came_through = 0;
  if (size > LONGEST)
    size = LONGEST;
  if (size)
    memcpy(text, data, size);
  text[size] = 0;
  int argc = split(text, argv);
  argv[0] = name;
  sink_begin(&out, &stdout);
  sink_begin(&err, &stderr);
  if (setjmp(parsed) == 0)
    code = bperc_main(argc, argv);
  else
    came_through = 1;
  sink_end(&err, &stderr);
  sink_end(&out, &stdout);
  if (came_through || (code == CLI_USAGE && !strncmp(argv[1], "__", 2)))
    return;
  assert(code == CLI_DONE || code == CLI_USAGE);
  assert(code == CLI_DONE ? out.size : err.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzz_run(data, size, run);
}
