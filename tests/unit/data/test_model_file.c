/* Model files: written and read back, changed by hand, damaged. */
#include "scratch.h"

#include "bperc/data.h"

static const char good[] = "bperc model 1\n"
                           "source \"a \\\"b\\\" c\\\\d\"\n"
                           "weights pm\n"
                           "threshold 1.5\n"
                           "kappa 0\n"
                           "ties strict\n"
                           "complement no\n"
                           "label \"class\"\n"
                           "zero \"rest\"\n"
                           "one \"x,y\" \"x\" \"y\"\n"
                           "column bit \"p\"\n"
                           "column above \"q\" -1.25 3\n"
                           "column is \"r\" \"u\" \"v w\"\n"
                           "bits 10110\n"
                           "end\n";

static bperc_status read_model(const char *text, bperc_classifier **out,
                               bperc_error *error) {
  const char *path = scratch(".model", text, strlen(text));
  bperc_status status = bperc_classifier_read(path, out, error);
  unlink(path);
  return status;
}

static void written_as_read(void **state) {
  bperc_classifier *c;
  bperc_error error = {BPERC_OK, ""};
  char back[sizeof good + 100];
  const char *path;
  FILE *file;
  size_t size;
  (void)state;
  assert_int_equal(read_model(good, &c, &error), BPERC_OK);
  assert_int_equal(c->n, 5);
  assert_int_equal(c->weights[0], 0xd);
  assert_string_equal(c->source, "a \"b\" c\\d");
  assert_int_equal(c->model.weights, BPERC_WEIGHTS_PM);
  path = scratch(".model", "", 0);
  assert_int_equal(bperc_classifier_write(c, path, &error), BPERC_OK);
  file = fopen(path, "r");
  assert_non_null(file);
  size = fread(back, 1, sizeof back - 1, file);
  back[size] = 0;
  fclose(file);
  unlink(path);
  assert_string_equal(back, good);
  bperc_classifier_free(c);
}

/* `from` in the good text replaced by `to`. */
static char *changed(const char *from, const char *to) {
  static char text[sizeof good + 200];
  const char *at = strstr(good, from);
  assert_non_null(at);
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to,
           at + strlen(from));
  return text;
}

static void refused(const char *text, const char *says) {
  bperc_classifier *c;
  bperc_error error = {BPERC_OK, ""};
  assert_int_equal(read_model(text, &c, &error), BPERC_E_FORMAT);
  assert_null(c);
  if (!strstr(error.text, says)) {
    print_error("'%s' is not in '%s'\n", says, error.text);
    fail();
  }
}

static void changed_by_hand(void **state) {
  bperc_classifier *c;
  bperc_error error;
  (void)state;
  assert_int_equal(read_model(changed("10110", "10111"), &c, &error), BPERC_OK);
  assert_int_equal(c->weights[0], 0x1d);
  bperc_classifier_free(c);
  assert_int_equal(
      read_model(changed("threshold 1.5", "threshold -2"), &c, &error),
      BPERC_OK);
  assert_close(c->model.theta, -2, 0);
  bperc_classifier_free(c);
}

static void damaged(void **state) {
  (void)state;
  refused(changed("model 1", "model 9"), "no model file");
  refused(changed("10110", "101"), "3 bits for 5 inputs");
  refused(changed("10110", "10a10"), ":14: bit 2 is not 0 or 1");
  refused(changed("\nend", ""), ":14: the file ends without 'end'");
  refused(changed("threshold 1.5\n", ""), "there is no line 'threshold'");
  refused(changed("1.5", "1.5x"), ":4: a number is due here");
  refused(changed("1.5", "nan"), ":4: a number is due here");
  refused(changed("kappa 0", "kappa -1"), ":5: kappa must not be negative");
  refused(changed("ties strict", "ties loose"), ":6: 'loose' is not known");
  refused(changed("kappa 0", "threshold 3"), "'threshold' stands here twice");
  refused(changed("kappa", "kapa"), ":5: 'kapa 0' is no key of a model");
  refused(changed("-1.25 3", "3 3"), "must rise");
  refused(changed("\"v w\"", "\"v w"), "never closed");
  refused(changed("\"p\"", "p"), "in double quotes");
  refused(changed("\"p\"", "\"p\" 7"), "is too much here");
  refused(changed("label \"class\"\n", ""), "either 'label' and 'column'");
  refused(changed("end\n", "end\nbits 1\n"), "more text behind 'end'");
  /* Cut anywhere it is refused. */
  for (size_t k = 1; k + 1 < sizeof good - 1; k++) {
    char text[sizeof good];
    memcpy(text, good, k);
    text[k] = 0;
    if (strcmp(text + (k > 4 ? k - 4 : 0), "\nend") != 0)
      refused(text, ": ");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(written_as_read),
      cmocka_unit_test(changed_by_hand),
      cmocka_unit_test(damaged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
