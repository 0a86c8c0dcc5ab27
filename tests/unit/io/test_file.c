/* The program that reads and writes HDF5 files, as the library sees it: what
 * it writes it reads back, and whatever it does the caller goes on. */
#include "check.h"

#include "base/cancel.h"
#include "bperc/ensemble.h"
#include "bperc/instance.h"
#include "bperc/io.h"
#include "io/hdf5_file.h"
#include "io/helper.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/bperc-hdf5-XXXXXX";
static const char *program; /* what BPERC_HDF5 was */

static const char *in_folder(const char *name) {
  static char paths[4][128];
  static unsigned turn;
  char *path = paths[turn++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

/* A script in the place of the program. */
static void use_script(const char *text) {
  const char *path = in_folder("script");
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "#!/bin/sh\n%s\n", text);
  fclose(file);
  assert_int_equal(chmod(path, 0700), 0);
  setenv("BPERC_HDF5", path, 1);
}

static int restore(void **state) {
  (void)state;
  bperc_i_helper_replace(NULL);
  bperc_i_cancel_after(-1);
  bperc_i_cancel_reset();
  return setenv("BPERC_HDF5", program, 1);
}

/* ---- there and back */

enum { ROWS = 700, COLUMNS = 1001 }; /* more than one message */

typedef struct {
  uint8_t seen[ROWS * COLUMNS];
} table;

static uint8_t value(size_t row, size_t column) {
  return (uint8_t)(7 * row + 3 * column + row * column % 11);
}

static bperc_status take(void *context, const uint64_t *start,
                         const uint64_t *count, const void *values,
                         bperc_error *error) {
  table *t = context;
  (void)error;
  for (size_t i = 0; i < count[0]; i++)
    for (size_t j = 0; j < count[1]; j++) {
      size_t row = start[0] + i, column = start[1] + j;
      assert_int_equal(((const uint8_t *)values)[i * count[1] + j],
                       value(row, column));
      t->seen[row * COLUMNS + column]++;
    }
  return BPERC_OK;
}

static void write_table(const char *path, unsigned flags) {
  bperc_error error = {BPERC_OK, ""};
  bperc_i_h5 *file;
  uint64_t whole = 12345678901234567;
  uint8_t row[COLUMNS];
  assert_int_equal(bperc_i_h5_create(path, &file, &error), BPERC_OK);
  bperc_i_h5_value(file, "/", "whole", BPERC_I_H5_U64, &whole);
  bperc_i_h5_words(file, "/", "free", "some words", 0);
  bperc_i_h5_words(file, "/", "fixed", "pm", 3);
  bperc_i_h5_group(file, "group");
  bperc_i_h5_words(file, "group", "inside", "x", 0);
  int set =
      bperc_i_h5_set(file, "table", BPERC_I_H5_U8, 2, ROWS, COLUMNS, flags);
  for (size_t i = 0; i < ROWS; i++) {
    for (size_t j = 0; j < COLUMNS; j++)
      row[j] = value(i, j);
    bperc_i_h5_rows(file, set, row, COLUMNS);
    assert_false(bperc_i_h5_failed(file));
  }
  assert_int_equal(bperc_i_h5_close(file, &error), BPERC_OK);
}

static void check_words(bperc_i_h5 *file) {
  bperc_i_h5_attribute found;
  bperc_error error;
  assert_int_equal(bperc_i_h5_ask(file, "/", "whole", &found, &error), 0);
  assert_int_equal(found.kind, BPERC_I_H5_NUMBER);
  assert_true(found.count == 12345678901234567);
  assert_int_equal(bperc_i_h5_ask(file, "/", "free", &found, &error), 0);
  assert_string_equal(found.text, "some words");
  assert_int_equal(bperc_i_h5_ask(file, "/", "fixed", &found, &error), 0);
  assert_string_equal(found.text, "pm");
  assert_int_equal(bperc_i_h5_ask(file, "group", "inside", &found, &error), 0);
  assert_string_equal(found.text, "x");
  assert_int_equal(bperc_i_h5_ask(file, "/", "none", &found, &error), 0);
  assert_int_equal(found.kind, BPERC_I_H5_ABSENT);
}

static void test_there_and_back(void **state) {
  const char *path = in_folder("table.h5");
  const unsigned kinds[] = {0, BPERC_I_H5_GROWS,
                            BPERC_I_H5_GROWS | BPERC_I_H5_DEFLATE};
  (void)state;
  for (size_t k = 0; k < 3; k++) {
    bperc_error error = {BPERC_OK, ""};
    bperc_i_h5 *file;
    bperc_i_h5_info info;
    static table t;
    memset(&t, 0, sizeof t);
    write_table(path, kinds[k]);
    assert_int_equal(bperc_i_h5_open(path, &file, &error), BPERC_OK);
    check_words(file);
    assert_int_equal(bperc_i_h5_look(file, "none", &info, &error), BPERC_OK);
    assert_int_equal(info.state, BPERC_I_H5_MISSING);
    assert_int_equal(bperc_i_h5_look(file, "group", &info, &error), BPERC_OK);
    assert_int_equal(info.state, BPERC_I_H5_NO_SET);
    assert_int_equal(bperc_i_h5_look(file, "table", &info, &error), BPERC_OK);
    assert_int_equal(info.state, BPERC_I_H5_GOOD);
    assert_int_equal(info.dims[0], ROWS);
    assert_int_equal(info.dims[1], COLUMNS);
    assert_true(info.whole && !info.is_signed && info.readable);
    assert_int_equal(
        bperc_i_h5_read(file, "table", &info, BPERC_I_H5_U8, take, &t, &error),
        BPERC_OK);
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
      assert_int_equal(t.seen[i], 1);
    bperc_i_h5_free(file);
  }
}

/* ---- the program in its cage */

/* A line of /proc/PID/limits. */
static unsigned long long limit_of(pid_t pid, const char *name) {
  char path[64], line[256];
  unsigned long long value = 0;
  FILE *file;
  snprintf(path, sizeof path, "/proc/%d/limits", (int)pid);
  file = fopen(path, "r");
  if (!file)
    return 0;
  while (fgets(line, sizeof line, file))
    if (strncmp(line, name, strlen(name)) == 0)
      value = strtoull(line + strlen(name), NULL, 10);
  fclose(file);
  return value;
}

static void test_memory_is_limited(void **state) {
  bperc_i_h5_message m = {
      .kind = BPERC_I_H5_OPEN, .type = BPERC_I_H5_VERSION, .size = 1};
  bperc_i_helper helper = {0};
  bperc_error error;
  (void)state;
#if defined(__SANITIZE_ADDRESS__)
  skip(); /* a sanitizer takes address space by the terabyte */
#endif
  assert_int_equal(bperc_i_helper_start(&helper, &error), BPERC_OK);
  assert_int_equal(bperc_i_helper_put(&helper, &m, sizeof m), BPERC_OK);
  assert_int_equal(bperc_i_helper_put(&helper, "x", 1), BPERC_OK);
  assert_int_equal(bperc_i_helper_get(&helper, &m, sizeof m), BPERC_OK);
  assert_int_equal(m.kind, BPERC_I_H5_FAILED); /* no such file */
  assert_int_equal(limit_of(helper.pid, "Max address space"), 1ull << 31);
  bperc_i_helper_end(&helper);
}

static void test_no_descriptor_is_inherited(void **state) {
  bperc_i_h5 *file;
  bperc_error error;
  char text[512] = "", script[512];
  int open_ones[5];
  FILE *list;
  (void)state;
  for (size_t k = 0; k < 5; k++)
    open_ones[k] = open("/dev/zero", O_RDONLY);
  snprintf(script, sizeof script,
           "for d in /proc/$$/fd/*; do readlink $d; done >%s",
           in_folder("open"));
  use_script(script);
  assert_int_not_equal(bperc_i_h5_open("x", &file, &error), BPERC_OK);
  assert_null(file);
  for (size_t k = 0; k < 5; k++)
    close(open_ones[k]);
  list = fopen(in_folder("open"), "r");
  assert_non_null(list);
  text[fread(text, 1, sizeof text - 1, list)] = 0;
  fclose(list);
  assert_non_null(strstr(text, "socket:"));
  assert_null(strstr(text, "/dev/zero"));
}

/* ---- whatever it does */

static void test_missing(void **state) {
  bperc_instance *in;
  bperc_error error;
  (void)state;
  write_table(in_folder("table.h5"), 0);
  setenv("BPERC_HDF5", in_folder("nothing"), 1);
  assert_int_equal(
      bperc_instance_read(in_folder("table.h5"), NULL, &in, &error),
      BPERC_E_SYSTEM);
  assert_non_null(strstr(error.text, "table.h5: HDF5 files need the program "
                                     "bperc-hdf5, which is not installed"));
  assert_non_null(strstr(error.text, "-Dhdf5=enabled"));
}

/* It dies at once: no SIGPIPE, and nothing is left behind. */
static void test_death(void **state) {
  const char *path = in_folder("dead.h5");
  bperc_instance *in;
  bperc_error error;
  (void)state;
  assert_int_equal(bperc_ensemble_draw(&(bperc_ensemble){.n = 1000,
                                                         .m = 2000,
                                                         .fin = 0.3,
                                                         .model = {.a = 40}},
                                       1, &in, NULL),
                   BPERC_OK);
  use_script("exit 3");
  assert_int_equal(bperc_instance_write(in, BPERC_FORMAT_HDF5, path, &error),
                   BPERC_E_IO);
  assert_non_null(strstr(error.text, "dead.h5: cannot be written"));
  assert_int_not_equal(access(path, F_OK), 0);
  bperc_instance_free(in);
}

/* It says nothing and is waited for until the call is cancelled. */
static void test_silence_is_cancelled(void **state) {
  bperc_i_h5 *file;
  bperc_error error;
  (void)state;
  use_script("exec sleep 1000");
  bperc_i_cancel_after(3);
  assert_int_equal(bperc_i_h5_open("x", &file, &error), BPERC_E_INTERRUPTED);
  assert_string_equal(error.text, "interrupted");
}

static void test_no_disk(void **state) {
  bperc_instance *in;
  bperc_error error;
  (void)state;
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = 10, .m = 20, .fin = 0.3, .model = {.a = 4}}, 1,
          &in, NULL),
      BPERC_OK);
  assert_int_equal(
      bperc_instance_write(in, BPERC_FORMAT_HDF5, "/dev/full", &error),
      BPERC_E_IO);
  bperc_instance_free(in);
}

static int make_folder(void **state) {
  (void)state;
  program = strdup(getenv("BPERC_HDF5"));
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  char command[128];
  (void)state;
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_there_and_back),
      cmocka_unit_test(test_memory_is_limited),
      cmocka_unit_test_teardown(test_no_descriptor_is_inherited, restore),
      cmocka_unit_test_teardown(test_missing, restore),
      cmocka_unit_test_teardown(test_death, restore),
      cmocka_unit_test_teardown(test_silence_is_cancelled, restore),
      cmocka_unit_test_teardown(test_no_disk, restore),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
