/* Failing system calls on request, in a program and in all that it starts.
 *
 *     failing_calls count FILE PROGRAM ARGUMENT...
 *     failing_calls KIND:ERROR:K[+] FILE PROGRAM ARGUMENT...
 *
 * The K-th call of a kind fails, in whichever thread or process it is made;
 * with + all later ones too. KIND is write, sync, rename, truncate, create,
 * folder, remove or any; ERROR is EIO, ENOSPC, "short" (half of the bytes are
 * written; a single byte is left alone) or "kill" (SIGKILL to the program
 * instead of the call). How many calls of each kind there were is written to
 * FILE, a line "KIND COUNT" each. Ends as the program does; exit status 77
 * where no program may be traced.
 *
 * Calls are counted by the kernel's side of them (ptrace), because stdio and
 * SQLite do not come by functions that a preload could replace. Not counted are
 * writes to standard error, where a failure is told, and to memory (memfd).
 * With
 * + only writes to files fail, as on a full disk. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind { WRITE, SYNC, RENAME, TRUNCATE, CREATE, FOLDER, REMOVE, ANY, KINDS };
static const char *const kind_names[KINDS] = {
    "write", "sync", "rename", "truncate", "create", "folder", "remove", "any"};

static const struct {
  int number;
  enum kind kind;
} calls[] = {{SYS_write, WRITE},        {SYS_pwrite64, WRITE},
             {SYS_writev, WRITE},       {SYS_pwritev, WRITE},
             {SYS_fsync, SYNC},         {SYS_fdatasync, SYNC},
             {SYS_msync, SYNC},         {SYS_rename, RENAME},
             {SYS_renameat, RENAME},    {SYS_renameat2, RENAME},
             {SYS_link, RENAME},        {SYS_linkat, RENAME},
             {SYS_truncate, TRUNCATE},  {SYS_ftruncate, TRUNCATE},
             {SYS_fallocate, TRUNCATE}, {SYS_open, CREATE},
             {SYS_openat, CREATE},      {SYS_creat, CREATE},
             {SYS_mkdir, FOLDER},       {SYS_mkdirat, FOLDER},
             {SYS_unlink, REMOVE},      {SYS_unlinkat, REMOVE},
             {SYS_rmdir, REMOVE}};
enum { CALLS = sizeof calls / sizeof *calls };

enum how { FAIL, SHORT, KILL };
static enum kind faulty = KINDS;
static enum how how;
static int error_number, onwards;
static long at, count[KINDS];

static int failing(const char *what) {
  fprintf(stderr, "failing_calls: %s: %s\n", what, strerror(errno));
  exit(errno == EPERM || errno == ENOSYS ? 77 : 125);
}

/* ---- the program */

/* The kernel stops at these calls and at no others. */
static int install_filter(void) {
  struct sock_filter code[CALLS + 3];
  struct sock_fprog program = {CALLS + 3, code};
  code[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                         offsetof(struct seccomp_data, nr));
  for (size_t k = 0; k < CALLS; k++)
    code[k + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                               (unsigned)calls[k].number,
                                               (unsigned char)(CALLS - k), 0);
  code[CALLS + 1] =
      (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  code[CALLS + 2] =
      (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void become(char **words, const int go[2]) {
  char byte;
  close(go[1]);
  if (read(go[0], &byte, 1) != 1) /* until it is traced */
    _exit(77);
  close(go[0]);
  if (!install_filter())
    _exit(77);
  execvp(words[0], words);
  _exit(127);
}

static pid_t start(char **words) {
  const long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE |
                       PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                       PTRACE_O_EXITKILL;
  int go[2];
  pid_t child;
  if (pipe(go) != 0 || (child = fork()) < 0)
    return -1;
  if (child == 0)
    become(words, go);
  close(go[0]);
  if (ptrace(PTRACE_SEIZE, child, NULL, options) != 0)
    failing("ptrace");
  if (write(go[1], "", 1) != 1)
    failing("pipe");
  close(go[1]);
  return child;
}

/* ---- a call that was stopped */

enum what { MEMORY, REGULAR, OTHER };

static enum what behind(pid_t pid, int descriptor) {
  static const char memory[] = "/memfd:";
  char path[64], name[sizeof memory] = "";
  struct stat info;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pid, descriptor);
  if (readlink(path, name, sizeof name - 1) > 0 && !strcmp(name, memory))
    return MEMORY;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? REGULAR : OTHER;
}

static enum kind kind_of(long number) {
  for (size_t k = 0; k < CALLS; k++)
    if (calls[k].number == number)
      return calls[k].kind;
  return KINDS;
}

static int counts(pid_t pid, const struct user_regs_struct *r, enum kind kind) {
  if (kind == WRITE)
    return (int)r->rdi != STDERR_FILENO && behind(pid, (int)r->rdi) != MEMORY;
  if (kind == CREATE && r->orig_rax == SYS_open)
    return (r->rsi & O_CREAT) != 0;
  if (kind == CREATE && r->orig_rax == SYS_openat)
    return (r->rdx & O_CREAT) != 0;
  return kind != KINDS;
}

/* Half of the bytes, or of the pieces. */
static int shorten(struct user_regs_struct *r) {
  if (r->rdx < 2)
    return 0;
  r->rdx = (r->rdx + 1) / 2;
  return 1;
}

static int is_hit(pid_t pid, const struct user_regs_struct *r, enum kind kind,
                  long now) {
  if ((faulty != kind && faulty != ANY) || now < at)
    return 0;
  if (now == at)
    return 1;
  return onwards && (kind != WRITE || behind(pid, (int)r->rdi) == REGULAR);
}

static void look(pid_t pid, pid_t program) {
  struct user_regs_struct r;
  enum kind kind;
  if (ptrace(PTRACE_GETREGS, pid, NULL, &r) != 0)
    return; /* killed meanwhile */
  kind = kind_of((long)r.orig_rax);
  if (!counts(pid, &r, kind))
    return;
  count[kind]++;
  count[ANY]++;
  if (!is_hit(pid, &r, kind, count[faulty == ANY ? ANY : kind]))
    return;
  if (how == KILL)
    kill(program, SIGKILL);
  if (how == SHORT && !shorten(&r))
    return;
  if (how != SHORT) {
    r.orig_rax = (unsigned long long)-1; /* not done */
    r.rax = (unsigned long long)-(long)error_number;
  }
  ptrace(PTRACE_SETREGS, pid, NULL, &r);
}

/* Signals go on to whom they were sent. */
static void resume(pid_t pid, int status) {
  int stop = status >> 16;
  ptrace(PTRACE_CONT, pid, NULL, stop == 0 ? (long)WSTOPSIG(status) : 0L);
}

/* How the program ended, when all that it started have ended too. */
static int follow(pid_t program) {
  int status, ending = 0;
  pid_t pid;
  while ((pid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
    if (pid < 0)
      continue;
    if (!WIFSTOPPED(status)) {
      if (pid == program)
        ending = status;
      continue;
    }
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8))
      look(pid, program);
    resume(pid, status);
  }
  return ending;
}

/* ---- */

static int read_fault(const char *text) {
  char kind[16], error[16], more = 0;
  if (!strcmp(text, "count"))
    return 1;
  if (sscanf(text, "%15[a-z]:%15[A-Za-z]:%ld%c", kind, error, &at, &more) < 3)
    return 0;
  for (faulty = 0; faulty < KINDS && strcmp(kind, kind_names[faulty]) != 0;)
    faulty++;
  onwards = more == '+';
  how = !strcmp(error, "short") ? SHORT : !strcmp(error, "kill") ? KILL : FAIL;
  error_number = !strcmp(error, "ENOSPC") ? ENOSPC : EIO;
  return faulty < KINDS && at > 0;
}

static void tell_counts(const char *path) {
  FILE *f = fopen(path, "w");
  if (!f)
    failing(path);
  for (int k = 0; k < KINDS; k++)
    fprintf(f, "%s %ld\n", kind_names[k], count[k]);
  fclose(f);
}

int main(int argc, char **argv) {
  int ending;
  if (argc < 4 || !read_fault(argv[1])) {
    fputs("usage: failing_calls count|KIND:ERROR:K[+] FILE PROGRAM ...\n",
          stderr);
    return 125;
  }
  pid_t program = start(argv + 3);
  if (program < 0)
    failing("fork");
  ending = follow(program);
  tell_counts(argv[2]);
  if (WIFSIGNALED(ending))
    return 128 + WTERMSIG(ending);
  return WEXITSTATUS(ending);
}
