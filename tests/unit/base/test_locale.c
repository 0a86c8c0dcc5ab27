/* Numbers where the host writes decimal commas: a file with A = 1.5 reads,
 * options parse and print, sentences and files keep their points. */
#include "check.h"

#include "base/number.h"
#include "bperc/bperc.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/bperc-locale-XXXXXX";

static const char *in_folder(const char *name) {
  static char paths[4][128];
  static unsigned turn;
  char *path = paths[turn++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static int have_commas; /* a locale with decimal commas could be made */

static void use_commas(void) {
  char text[8];
#ifndef __GLIBC__
  print_message("this C library writes decimal points in every locale\n");
  skip();
#endif
  if (!have_commas) {
    print_message("no locale with decimal commas can be made here\n");
    skip();
  }
  assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
  snprintf(text, sizeof text, "%.1f", 1.5);
  assert_string_equal(text, "1,5"); /* the host writes commas indeed */
}

static int use_points(void **state) {
  (void)state;
  setlocale(LC_ALL, "C");
  return 0;
}

static void test_numbers(void **state) {
  char text[64], *end;
  (void)state;
  use_commas();
  assert_true(bperc_i_strtod("1.25e3x", &end) == 1250 && *end == 'x');
  assert_string_equal(bperc_i_show_real(0.3, text, sizeof text), "0.3");
  bperc_i_snprintf(text, sizeof text, "%.3f %s %g", 2.5, "a,b", 1e-7);
  assert_string_equal(text, "2.500 a,b 1e-07");
  snprintf(text, sizeof text, "%.1f", 1.5);
  assert_string_equal(text, "1,5"); /* and still does */
}

static void test_options(void **state) {
  bperc_rbp_options values;
  bperc_option_table table = bperc_rbp_class.options();
  char text[64];
  bperc_error error;
  (void)state;
  use_commas();
  bperc_options_default(table, &values);
  for (size_t k = 0; k < table.count; k++)
    if (strcmp(table.rows[k].name, "gamma") == 0) {
      assert_int_equal(
          bperc_options_set(&table.rows[k], &values, "0.875", &error),
          BPERC_OK);
      assert_string_equal(
          bperc_options_show(&table.rows[k], &values, text, sizeof text),
          "0.875");
      assert_int_not_equal(
          bperc_options_set(&table.rows[k], &values, "0,875", &error),
          BPERC_OK);
      assert_int_not_equal(
          bperc_options_set(&table.rows[k], &values, "1.5", &error), BPERC_OK);
      assert_null(strstr(error.text, ",5"));
    }
  assert_true(values.gamma == 0.875);
}

static void test_files(void **state) {
  const char *path = in_folder("p.txt");
  const bperc_format formats[] = {BPERC_FORMAT_TEXT, BPERC_FORMAT_SVMLIGHT};
  bperc_instance *in, *back;
  bperc_error error;
  FILE *file = fopen(path, "w");
  (void)state;
  use_commas();
  fputs("3 2 1.5 kappa=0.25\n1 011\n0 100\n", file);
  fclose(file);
  assert_int_equal(bperc_instance_read(path, NULL, &in, &error), BPERC_OK);
  assert_true(in->a == 1.5 && in->kappa == 0.25);
  for (size_t k = 0; k < 2; k++) {
    assert_int_equal(bperc_instance_write(in, formats[k], path, &error),
                     BPERC_OK);
    assert_int_equal(bperc_instance_read(path, NULL, &back, &error), BPERC_OK);
    assert_true(back->a == 1.5 && back->kappa == 0.25);
    bperc_instance_free(back);
  }
  bperc_instance_free(in);
  file = fopen(path, "w");
  fputs("3 0 -1.5\n", file);
  fclose(file);
  assert_int_not_equal(bperc_instance_read(path, NULL, &in, &error), BPERC_OK);
  assert_null(strstr(error.text, "1,5"));
}

static int make_folder(void **state) {
  char command[256];
  (void)state;
  if (!mkdtemp(folder))
    return -1;
  snprintf(command, sizeof command,
           "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1",
           folder);
  have_commas = system(command) == 0;
  return setenv("LOCPATH", folder, 1);
}

static int remove_folder(void **state) {
  char command[128];
  (void)state;
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(test_numbers, use_points),
      cmocka_unit_test_teardown(test_options, use_points),
      cmocka_unit_test_teardown(test_files, use_points),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
