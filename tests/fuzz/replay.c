/* Drives a fuzz target without libFuzzer: replays a corpus, then a million
 * random bytes in pieces, then seeded mutations of the corpus.
 *
 *   replay_NAME CORPUS [MUTATIONS [SEED]]
 *
 * Files of the corpus are also read with every fault of memory and reading in
 * turn. A crash, a failed assertion or an input that takes more than SLOWEST
 * seconds ends the program; it says in which file the guilty bytes are. */
#include "fuzz.h"

#include "bperc/stream.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 256, LONGEST = 1 << 16, RANDOM_BYTES = 1000000 };
/* More than a reader waits for a silent program (src/io/helper.c). */
enum { SLOWEST = 90 };

typedef struct {
  uint8_t bytes[LONGEST];
  size_t size;
} input;

static input *corpus;
static size_t corpus_size;

static void load(const char *folder, const char *name) {
  char path[4096];
  FILE *file;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, "rb");
  if (!file || corpus_size == MOST_FILES) {
    fprintf(stderr, "%s: cannot be used\n", path);
    exit(2);
  }
  corpus[corpus_size].size = fread(corpus[corpus_size].bytes, 1, LONGEST, file);
  corpus_size++;
  fclose(file);
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static void load_all(const char *folder) {
  struct dirent **names;
  int count = scandir(folder, &names, NULL, by_name);
  corpus = calloc(MOST_FILES, sizeof *corpus);
  for (int k = 0; k < count; k++) {
    if (names[k]->d_name[0] != '.')
      load(folder, names[k]->d_name);
    free(names[k]);
  }
  if (count >= 0)
    free(names);
  if (!corpus_size) {
    fprintf(stderr, "%s: no corpus\n", folder);
    exit(2);
  }
}

/* ---- the input at work, kept when something goes wrong */

static const uint8_t *current;
static size_t current_size;

static void keep_guilty(void) {
  char path[] = "/tmp/bperc-fuzz-XXXXXX", text[100];
  int file = mkstemp(path);
  if (file < 0 || (current_size && write(file, current, current_size) < 0))
    return;
  snprintf(text, sizeof text, "\nthe input is in %s\n", path);
  if (write(STDERR_FILENO, text, strlen(text)) < 0)
    return;
}

static void on_signal(int number) {
  keep_guilty();
  signal(number, SIG_DFL);
  raise(number);
}

/* Where a sanitizer ends the program. */
extern void __sanitizer_set_death_callback(void (*call)(void))
    __attribute__((weak));

static void watch_for_crashes(void) {
  static const int numbers[] = {SIGABRT, SIGALRM, SIGFPE};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    signal(numbers[k], on_signal);
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(keep_guilty);
  else
    signal(SIGSEGV, on_signal);
}

static void try(const uint8_t *data, size_t size) {
  current = data;
  current_size = size;
  alarm(SLOWEST);
  LLVMFuzzerTestOneInput(data, size);
}

static void random_bytes(bperc_stream *s) {
  static uint8_t bytes[4096];
  for (size_t done = 0; done < RANDOM_BYTES;) {
    size_t size = 1 + bperc_stream_below(s, sizeof bytes);
    for (size_t k = 0; k < size; k++)
      bytes[k] = (uint8_t)bperc_stream_u64(s);
    try(bytes, size);
    done += size;
  }
}

/* ---- mutations, each in place */

static size_t place(bperc_stream *s, const input *in) {
  return bperc_stream_below(s, in->size + (in->size == 0));
}

static void cut(input *in, size_t at, size_t count) {
  if (count > in->size - at)
    count = in->size - at;
  memmove(in->bytes + at, in->bytes + at + count, in->size - at - count);
  in->size -= count;
}

static void insert(input *in, size_t at, const uint8_t *bytes, size_t count) {
  if (count > LONGEST - in->size)
    count = LONGEST - in->size;
  memmove(in->bytes + at + count, in->bytes + at, in->size - at);
  memcpy(in->bytes + at, bytes, count);
  in->size += count;
}

static void overwrite(bperc_stream *s, input *in, size_t at) {
  static const uint64_t values[] = {
      0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, UINT64_MAX};
  uint64_t value = values[bperc_stream_below(s, 9)];
  size_t width = (size_t)1 << bperc_stream_below(s, 4);
  for (size_t k = 0; k < width && at + k < in->size; k++)
    in->bytes[at + k] = (uint8_t)(value >> (8 * k));
}

static void insert_word(bperc_stream *s, input *in, size_t at) {
  static const char *const words[] = {
      "0",    "1",   "-1",  " ",    "\n",  "\r\n", "#",   ":1", "99999999999",
      "1e99", "nan", "inf", "0x1p", "\t ", "+",    "4 4", ":",  "1:1 1:1"};
  const char *word = words[bperc_stream_below(s, sizeof words / sizeof *words)];
  insert(in, at, (const uint8_t *)word, strlen(word));
}

static void splice(bperc_stream *s, input *in, size_t at) {
  const input *other = &corpus[bperc_stream_below(s, corpus_size)];
  size_t from = place(s, other), count = place(s, other) / 2;
  if (count > other->size - from)
    count = other->size - from;
  insert(in, at, other->bytes + from, count);
}

static void mutate(bperc_stream *s, input *in) {
  size_t at = place(s, in);
  switch (bperc_stream_below(s, 7)) {
  case 0:
    in->bytes[at] ^= (uint8_t)(1 << bperc_stream_below(s, 8));
    break;
  case 1:
    in->bytes[at] = (uint8_t)bperc_stream_u64(s);
    break;
  case 2:
    overwrite(s, in, at);
    break;
  case 3:
    cut(in, at, 1 + bperc_stream_below(s, 8));
    break;
  case 4:
    insert_word(s, in, at);
    break;
  case 5:
    splice(s, in, at);
    break;
  default:
    if (bperc_stream_below(s, 4) == 0)
      in->size = at;
  }
}

static void mutations(long count, uint64_t seed) {
  static input in;
  for (long k = 0; k < count; k++) {
    bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, (uint64_t)k);
    in = corpus[(size_t)k % corpus_size];
    for (size_t times = 1 + bperc_stream_below(&s, 6); times; times--)
      mutate(&s, &in);
    try(in.bytes, in.size);
  }
}

int main(int argc, char **argv) {
  long count = argc > 2 ? atol(argv[2]) : 10000;
  uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
  bperc_stream s = bperc_stream_make(seed, BPERC_FOR_TEST, UINT64_MAX);
  if (argc < 2) {
    fprintf(stderr, "usage: %s CORPUS [MUTATIONS [SEED]]\n", argv[0]);
    return 2;
  }
  load_all(argv[1]);
  printf("seed %llu\n", (unsigned long long)seed);
  watch_for_crashes();
  try(NULL, 0);
  for (size_t k = 0; k < corpus_size; k++) {
    try(corpus[k].bytes, corpus[k].size);
    fuzz_every_fault(corpus[k].bytes, corpus[k].size);
  }
  random_bytes(&s);
  mutations(count, seed);
  printf("%zu corpus files, %d random bytes, %ld mutations\n", corpus_size,
         RANDOM_BYTES, count);
  free(corpus);
  return 0;
}
