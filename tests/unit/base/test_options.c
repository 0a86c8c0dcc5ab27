/* Option tables: defaults, presets, parsing, range checks. */
#include "check.h"

#include "base/options.h"

#include <string.h>

#define ROWS(X)                                                                \
  X(INT, max_steps, 4000, 17, 1, 1e9, "steps")                                 \
  X(REAL, gamma_base, 0.99, 0.9, 0, 1, "reinforcement")                        \
  X(CHOICE, margin, 0, 2, "deepen|printed|off", "rule")                        \
  X(FLAG, warm, 0, 1, "keep the state")                                        \
  X(TEXT, path, "FILE", "where")                                               \
  X(AUTO_INT, k, 21, 0, 100, "by size", "bound")                               \
  X(AUTO_REAL, damping, BPERC_AUTO, 0, 1, "by size", "fraction")               \
  X(OPEN_REAL, theta, -1, -1, 5, "default: the 0: of the file", "threshold")
BPERC_OPTIONS_DECLARE(sample, ROWS);
static BPERC_OPTIONS_DEFINE(sample_table, sample, ROWS);

static void defaults_and_presets(void **state) {
  sample s;
  bperc_error error;
  (void)state;
  bperc_options_default(sample_table(), &s);
  assert_int_equal(s.max_steps, 4000);
  assert_close(s.gamma_base, 0.99, 0);
  assert_int_equal(s.margin, 0);
  assert_int_equal(bperc_options_preset(sample_table(), &s, "paper", &error),
                   BPERC_OK);
  assert_int_equal(s.max_steps, 17);
  assert_int_equal(s.margin, 2);
  assert_int_equal(s.warm, 1);
  assert_int_equal(bperc_options_preset(sample_table(), &s, "pap", &error),
                   BPERC_E_ARGUMENT);
}

static bperc_status set(sample *s, const char *name, const char *text) {
  bperc_error error;
  return bperc_options_set(bperc_options_find(sample_table(), name), s, text,
                           &error);
}

static void parsing(void **state) {
  sample s;
  (void)state;
  bperc_options_default(sample_table(), &s);
  assert_int_equal(set(&s, "max-steps", "1e6"), BPERC_OK);
  assert_int_equal(s.max_steps, 1000000);
  assert_int_equal(set(&s, "max_steps", "0"), BPERC_E_ARGUMENT);
  assert_int_equal(set(&s, "max_steps", "12x"), BPERC_E_ARGUMENT);
  assert_int_equal(set(&s, "max_steps", "1.5"), BPERC_E_ARGUMENT);
  assert_int_equal(set(&s, "gamma-base", "nan"), BPERC_E_ARGUMENT);
  assert_int_equal(set(&s, "gamma-base", "1.0001"), BPERC_E_ARGUMENT);
  assert_int_equal(set(&s, "gamma-base", "0.5"), BPERC_OK);
  assert_close(s.gamma_base, 0.5, 0);
  assert_int_equal(set(&s, "margin", "off"), BPERC_OK);
  assert_int_equal(s.margin, 2);
  assert_int_equal(set(&s, "margin", "of"), BPERC_E_ARGUMENT);
  assert_int_equal(set(&s, "warm", "yes"), BPERC_OK);
  assert_int_equal(s.warm, 1);
  assert_null(bperc_options_find(sample_table(), "max-step"));
}

static void check_finds_bad_fields(void **state) {
  sample s;
  bperc_error error;
  (void)state;
  bperc_options_default(sample_table(), &s);
  assert_int_equal(bperc_i_options_check(sample_table(), &s, &error), BPERC_OK);
  s.gamma_base = NAN;
  assert_int_equal(bperc_i_options_check(sample_table(), &s, &error),
                   BPERC_E_ARGUMENT);
  assert_non_null(strstr(error.text, "gamma_base"));
  s.gamma_base = 0.3;
  s.margin = 3;
  assert_int_equal(bperc_i_options_check(sample_table(), &s, &error),
                   BPERC_E_ARGUMENT);
}

/* `auto` is for rows that say so, whatever their texts say. */
static void numbers_left_to_the_program(void **state) {
  sample s;
  bperc_error error;
  (void)state;
  bperc_options_default(sample_table(), &s);
  assert_int_equal(s.k, BPERC_AUTO);
  assert_close(s.damping, BPERC_AUTO, 0);
  assert_close(s.theta, -1, 0);
  assert_null(s.path);
  assert_int_equal(set(&s, "k", "7"), BPERC_OK);
  assert_int_equal(s.k, 7);
  assert_int_equal(set(&s, "k", "auto"), BPERC_OK);
  assert_int_equal(s.k, BPERC_AUTO);
  assert_int_equal(set(&s, "damping", "0.5"), BPERC_OK);
  assert_int_equal(set(&s, "damping", "auto"), BPERC_OK);
  assert_close(s.damping, BPERC_AUTO, 0);
  assert_int_equal(set(&s, "theta", "auto"), BPERC_E_ARGUMENT);
  assert_int_equal(set(&s, "gamma_base", "auto"), BPERC_E_ARGUMENT);
  assert_int_equal(set(&s, "max_steps", "auto"), BPERC_E_ARGUMENT);
  assert_int_equal(bperc_options_preset(sample_table(), &s, "paper", &error),
                   BPERC_OK);
  assert_int_equal(s.k, 21);
  assert_close(s.damping, BPERC_AUTO, 0);
}

/* Who parses knows the name and how to write it; who checks a struct is told
 * it. */
static void sentences(void **state) {
  sample s;
  bperc_error error;
  (void)state;
  bperc_options_default(sample_table(), &s);
  bperc_options_set(bperc_options_find(sample_table(), "max_steps"), &s, "x",
                    &error);
  assert_string_equal(error.text, "'x' is not a whole number");
  s.max_steps = 0;
  bperc_i_options_check(sample_table(), &s, &error);
  assert_string_equal(error.text, "max_steps: '0' is not in the range 1 to "
                                  "1000000000");
}

static void showing(void **state) {
  sample s;
  char text[32];
  (void)state;
  bperc_options_default(sample_table(), &s);
  s.margin = 1;
  assert_string_equal(
      bperc_options_show(bperc_options_find(sample_table(), "margin"), &s, text,
                         sizeof text),
      "printed");
  assert_string_equal(
      bperc_options_show(bperc_options_find(sample_table(), "gamma_base"), &s,
                         text, sizeof text),
      "0.99");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults_and_presets),
      cmocka_unit_test(parsing),
      cmocka_unit_test(check_finds_bad_fields),
      cmocka_unit_test(numbers_left_to_the_program),
      cmocka_unit_test(sentences),
      cmocka_unit_test(showing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
