/* A million rows of a hundred columns: read with hardly more memory than the
 * packed patterns take.
 *
 * Counted is the peak of a process that reads them less the peak of one that
 * reads two rows: libraries, stack and the buffers of a small file are not the
 * table's. */
#include "check.h"

#include "bperc/data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COLUMNS = 100, ROWS = 1000000, WORDS = 2, TEXT = 2 * COLUMNS + 2 };

/* Rows "label,bits": column k of row r is bit k % 31 of a number that grows by
 * an odd step. */
static void write_table(FILE *file, size_t rows) {
  char text[TEXT];
  fputs("label", file);
  for (int k = 0; k < COLUMNS; k++)
    fprintf(file, ",x%d", k);
  for (uint32_t r = 0; r < rows; r++) {
    uint32_t number = r * 2654435761u + 12345;
    for (int k = 0; k <= COLUMNS; k++) {
      text[2 * k] =
          k ? (char)('0' + (number >> k % 31 & 1)) : (char)('0' + r % 2);
      text[2 * k + 1] = ',';
    }
    text[TEXT - 1] = 0;
    fputc('\n', file);
    fwrite(text, 1, TEXT - 1, file);
  }
}

static int read_table(const char *path, size_t rows) {
  static const bperc_read_options read = {.given = BPERC_GIVEN_THRESHOLD,
                                          .threshold = 20};
  bperc_instance *in;
  bperc_encoding *e;
  int good = bperc_data_read(path, NULL, &read, &e, &in, NULL) == BPERC_OK &&
             in->m == rows && in->n == COLUMNS && in->words == WORDS;
  bperc_encoding_free(e);
  bperc_instance_free(in);
  return good;
}

/* Of a process that reads the table, in bytes. */
static double peak(const char *path, size_t rows) {
  struct rusage used;
  int status;
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0)
    _exit(!read_table(path, rows));
  assert_int_equal(wait4(child, &status, 0, &used), child);
  assert_int_equal(status, 0);
  return 1024 * (double)used.ru_maxrss;
}

static double peak_of(size_t rows) {
  const char *folder = getenv("BUILD");
  char path[4096];
  FILE *file;
  double bytes;
  int number;
  snprintf(path, sizeof path, "%s/peak-XXXXXX.csv", folder ? folder : "/tmp");
  number = mkstemps(path, 4);
  assert_true(number >= 0);
  file = fdopen(number, "w");
  assert_non_null(file);
  write_table(file, rows);
  assert_int_equal(fclose(file), 0);
  bytes = peak(path, rows);
  unlink(path);
  return bytes;
}

static void million_rows(void **state) {
  double packed = (double)ROWS * WORDS * sizeof(uint64_t), more;
  (void)state;
#if defined(__SANITIZE_ADDRESS__)
  skip(); /* the sanitizer keeps memory of its own */
#endif
  more = peak_of(ROWS) - peak_of(2);
  print_message("packed %.0f bytes, read with %.0f (%+.1f %%)\n", packed, more,
                100 * (more / packed - 1));
  assert_true(more <= 1.1 * packed);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(million_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
