/* Signals, and what does not look for them.
 *
 * SIGINT, SIGTERM and SIGHUP cancel: loops of the library poll for it and the
 * command says what is known. What does not poll (a read that waits for a pipe,
 * a long call of another library) is ended from outside: if within half a
 * second no loop has seen the signal, unfinished files are removed and the
 * process ends. The same at a time limit. A second signal ends at once. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* Looks of 50 ms: so many without work (waiting for somebody), or so many
 * seconds of work, and nobody has seen the signal. On a busy machine work is
 * slow, and not cut off for that: a look at which the process had to wait for a
 * processor counts against the larger number. */
#define LOOK_US 50000
enum { IDLE_LOOKS = 6, DELAYED_LOOKS = 60 };
#define WORKING_SECONDS 0.3
#define IDLE_SECONDS 0.002
#define DELAY_SECONDS 0.01

static volatile sig_atomic_t caught; /* the signal, 0: none or a time limit */
static volatile sig_atomic_t watching, idle, delayed, wants_json;
static double cpu_at_start, cpu_before; /* of the watch, of the last look */
static double delay_before;

static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds that the process was ready and had no processor; 0 where the system
 * does not say. Plain system calls: this is called in a handler. */
static double delay_now(void) {
  char text[64];
  int file = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? -1 : read(file, text, sizeof text - 1);
  const char *at = text;
  double delay = 0;
  if (file >= 0)
    close(file);
  if (size <= 0)
    return 0;
  text[size] = '\0';
  while (*at && *at != ' ')
    at++;
  for (at += *at == ' '; *at >= '0' && *at <= '9'; at++)
    delay = 10 * delay + (*at - '0');
  return 1e-9 * delay;
}

/* A plain system call. */
static void look_every(long first_us, long then_us) {
  struct itimerval t = {{then_us / 1000000, then_us % 1000000},
                        {first_us / 1000000, first_us % 1000000}};
  setitimer(ITIMER_REAL, &t, NULL);
}

static void write_text(int file, const char *text) {
  ssize_t written = write(file, text, strlen(text));
  (void)written;
}

/* With whole answers alone on standard output: an answer that is being printed
 * is not followed by another one. */
static void end_process(void) {
  bool limit = caught == 0;
  bperc_output_remove_unfinished();
  write_text(STDERR_FILENO,
             limit ? "bperc: stopped at the time limit: nothing is known\n"
                   : "bperc: interrupted: nothing is known\n");
  if (wants_json && !cli_json_printed())
    write_text(STDOUT_FILENO, "{\"complete\": false}\n");
  _exit(limit ? CLI_NEGATIVE : CLI_INTERRUPTED);
}

static void start_watch(void) {
  watching = 1;
  idle = delayed = 0;
  cpu_at_start = cpu_before = cpu_now();
  delay_before = delay_now();
  look_every(LOOK_US, LOOK_US);
}

/* Whether nothing was done since the last look, and not for want of a
 * processor. */
static bool was_idle(double now) {
  double delay = delay_now();
  bool worked = now - cpu_before >= IDLE_SECONDS;
  bool waited = delay - delay_before >= DELAY_SECONDS;
  cpu_before = now;
  delay_before = delay;
  delayed = delayed + !worked;
  return !worked && !waited;
}

static void on_look(int number) {
  int before = errno;
  double now = cpu_now();
  (void)number;
  if (!watching)
    start_watch();
  else if (bperc_cancel_seen())
    look_every(0, 0);
  else {
    idle = was_idle(now) ? idle + 1 : 0;
    if (idle >= IDLE_LOOKS || delayed >= DELAYED_LOOKS ||
        now - cpu_at_start > WORKING_SECONDS)
      end_process();
  }
  errno = before;
}

static void die_by(int number) {
  bperc_output_remove_unfinished();
  signal(number, SIG_DFL);
  raise(number);
}

static void on_signal(int number) {
  if (caught) { /* a second one */
    die_by(number);
    return;
  }
  caught = number;
  bperc_cancel();
  start_watch();
}

static void catch_with(int number, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

/* A signal that the parent ignores stays ignored (nohup). */
static void catch_unless_ignored(int number, void (*handler)(int)) {
  struct sigaction now;
  if (sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
    catch_with(number, handler);
}

void cli_catch_signals(void) {
  catch_with(SIGINT, on_signal);
  catch_with(SIGTERM, on_signal);
  catch_unless_ignored(SIGHUP, on_signal);
  catch_unless_ignored(SIGPIPE, die_by);
  catch_with(SIGALRM, on_look);
  signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes becomes an error */
  signal(SIGCHLD, SIG_DFL); /* else programs that are started leave no status */
}

void cli_watch_deadline(double seconds) {
  if (seconds < 1e8)
    look_every((long)(1e6 * seconds) + LOOK_US, LOOK_US);
}

void cli_interrupt_wants_json(bool json) { wants_json = json; }
