/* Failing allocations on request, preloaded into any program.
 *
 * FAULT=K          the K-th allocation of the process fails (1, 2, ...),
 *                  whichever library asks for it; K = 0: none
 * FAULT=K+         that one and all later ones
 * FAULT_COUNT=FILE how many there were is written there at the end
 *
 * Counted from the start of main on, and only in the process that was started,
 * not in what it starts. A host (Python) that wants a part of itself counted
 * calls fault_arm and fault_disarm instead, and fault_only for the libraries
 * whose own calls count. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern int __libc_start_main(int (*)(int, char **, char **), int, char **,
                             void (*)(void), void (*)(void), void (*)(void),
                             void *);
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static int onwards;
static long at;
static pid_t owner;
static _Atomic long count;
static atomic_int ready;

static int (*real_main)(int, char **, char **);

static int counted_main(int argc, char **argv, char **environment) {
  const char *told = getenv("FAULT");
  char *end;
  owner = getpid();
  if (told) {
    at = strtol(told, &end, 10);
    onwards = *end == '+';
  }
  unsetenv("FAULT"); /* not for what this one starts */
  ready = told != NULL;
  return real_main(argc, argv, environment);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int __libc_start_main(int (*run)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  real_main = run;
  return REAL(__libc_start_main)(counted_main, argc, argv, init, fini,
                                 rtld_fini, stack_end);
}

enum { MOST_RANGES = 64 };
static struct { const char *from, *to; } range[MOST_RANGES];
static int ranges;

static int add_range(struct dl_phdr_info *info, size_t size, void *name) {
  (void)size;
  if (!strstr(info->dlpi_name, name))
    return 0;
  for (int k = 0; k < info->dlpi_phnum && ranges < MOST_RANGES; k++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[k];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
      continue;
    range[ranges].from = (const char *)(info->dlpi_addr + part->p_vaddr);
    range[ranges].to = range[ranges].from + part->p_memsz;
    ranges++;
  }
  return 0;
}

static int counts(const char *caller) {
  for (int k = 0; k < ranges; k++)
    if (caller >= range[k].from && caller < range[k].to)
      return 1;
  return ranges == 0;
}

/* Whether this allocation, asked for at this place, is the one that fails. */
static int hit(const void *caller) {
  long now;
  if (!ready || getpid() != owner || !counts(caller))
    return 0;
  now = ++count;
  return at > 0 && (now == at || (onwards && now > at));
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAULT_COUNT");
  char text[32];
  int file, size;
  long total = count;
  ready = 0;
  if (!path || getpid() != owner)
    return;
  file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  size = snprintf(text, sizeof text, "%ld\n", total);
  if (file >= 0 && write(file, text, (size_t)size) == size)
    close(file);
}

/* Calls from libraries with this word in their path count, no others; returns
 * how many pieces of code that is so far. */
int fault_only(char *word);

int fault_only(char *word) {
  dl_iterate_phdr(add_range, word);
  return ranges;
}

/* From now on: the k-th fails, or all from it on; 0: none. */
void fault_arm(long k, int all);
/* How many there were since. */
long fault_disarm(void);

void fault_arm(long k, int all) {
  owner = getpid();
  at = k;
  onwards = all;
  count = 0;
  ready = 1;
}

long fault_disarm(void) {
  ready = 0;
  return count;
}

/* ---- memory */

static void *refuse(void) {
  errno = ENOMEM;
  return NULL;
}

void *malloc(size_t size) {
  return hit(__builtin_return_address(0)) ? refuse() : __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
  return hit(__builtin_return_address(0)) ? refuse() : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size) {
  return hit(__builtin_return_address(0)) ? refuse()
                                          : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return hit(__builtin_return_address(0)) ? refuse()
                                          : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  if (hit(__builtin_return_address(0)))
    return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}

void *mmap(void *where, size_t size, int protection, int flags, int file,
           off_t offset) {
  static __typeof__(&mmap) real;
  if (file < 0 && hit(__builtin_return_address(0))) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  if (!real)
    real = REAL(mmap);
  return real(where, size, protection, flags, file, offset);
}
