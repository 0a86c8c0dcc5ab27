/* Tables to instances: every rule of an encoding against a literal reading,
 * and what is refused. */
#include "scratch.h"

#include "base/number.h"
#include "bperc/data.h"
#include "no_memory.h"

#include <locale.h>

static const bperc_model any;
static const bperc_read_options at_zero = {.given = BPERC_GIVEN_THRESHOLD};

static bperc_status read_csv(const char *text, const bperc_data_options *how,
                             bperc_encoding **e, bperc_instance **in,
                             bperc_error *error) {
  const char *path = scratch(".csv", text, strlen(text));
  bperc_status status = bperc_data_read(path, how, &at_zero, e, in, error);
  unlink(path);
  return status;
}

/* The rows as "label:bits label:bits ...". */
static void rows_are(const char *text, const bperc_data_options *how,
                     const char *want) {
  bperc_encoding *e;
  bperc_instance *in;
  bperc_error error = {BPERC_OK, ""};
  char got[4096] = "";
  if (read_csv(text, how, &e, &in, &error) != BPERC_OK) {
    print_error("%s\n", error.text);
    fail();
  }
  for (size_t mu = 0; mu < in->m; mu++) {
    char *to = got + strlen(got);
    *to++ = mu ? ' ' : 'r';
    *to++ = (char)('0' + in->labels[mu]);
    *to++ = ':';
    for (size_t i = 0; i < in->n; i++)
      *to++ = (char)('0' +
                     (bperc_instance_pattern(in, mu)[i / 64] >> (i % 64) & 1));
    *to = 0;
  }
  assert_string_equal(got + 1, want);
  bperc_encoding_free(e);
  bperc_instance_free(in);
}

static void refused(const char *text, const bperc_data_options *how,
                    const char *says) {
  bperc_encoding *e;
  bperc_instance *in;
  bperc_error error = {BPERC_OK, ""};
  assert_int_not_equal(read_csv(text, how, &e, &in, &error), BPERC_OK);
  assert_null(e);
  assert_null(in);
  if (!strstr(error.text, says)) {
    print_error("'%s' is not in '%s'\n", says, error.text);
    fail();
  }
}

static void bits_as_they_are(void **state) {
  (void)state;
  rows_are("label,a,b,c\n1,0,1,1\n0,1,0,0\n", NULL, "1:011 0:100");
  /* Quotes, CRLF, byte order mark, blanks, blank lines, a last line without
   * its end, TSV, semicolons. */
  rows_are("\xef\xbb\xbf\"label\",\"a, b\",c\r\n1,\"0\", 1\r\n\r\n0,1,0", NULL,
           "1:01 0:10");
  rows_are("label\ta\tb\n1\t0\t1\n0\t1\t1\n", NULL, "1:01 0:11");
  rows_are("label;a\n1;0\n0;1\n", NULL, "1:0 0:1");
  rows_are("label|a\n1|0\n0|1\n", NULL, "1:0 0:1");
  /* Lines that end with a carriage return alone. */
  rows_are("label,a\r1,0\r0,1\r", NULL, "1:0 0:1");
}

/* Read where the comma does not separate columns, refused where it does. */
static void decimal_commas(void **state) {
  (void)state;
  rows_are("label;x\n0;0,5\n0;-1,5\n1;2,5e0\n1;12\n", NULL, "0:0 0:0 1:1 1:1");
  rows_are("label\tx\n0\t0,5\n0\t-1,5\n1\t2,5\n1\t12\n", NULL,
           "0:0 0:0 1:1 1:1");
  rows_are("label;c\n0;a,b\n1;c,d\n", NULL, "0:10 1:01");
  refused("label,x\n0,\"0,5\"\n1,\"2,5\"\n", NULL,
          ":2: column 'x' is '0,5': write numbers with a decimal point");
  refused("label;x\n0;1.234,5\n1;2,5\n", NULL,
          ":2: column 'x' is '1.234,5': write numbers");
}

static void label_columns(void **state) {
  static const char text[] = "a,b,class\n1,0,yes\n0,1,no\n1,1,yes\n";
  (void)state;
  rows_are(text, &(bperc_data_options){.label = "class"}, "1:10 0:01 1:11");
  rows_are(text, &(bperc_data_options){.label = "3"}, "1:10 0:01 1:11");
  rows_are(text, &(bperc_data_options){.label = "class", .positive = "no"},
           "0:10 1:01 0:11");
  rows_are("a,b\n-1,1\n+1,0\n", NULL, "0:1 1:0"); /* the first column */
  rows_are("d,b\n3,1\n7,0\n5.0,1\n", &(bperc_data_options){.positive = "5,7"},
           "0:1 1:0 1:1");
  rows_are("a,b,c,label\n1,0,0,1\n0,1,1,0\n",
           &(bperc_data_options){.drop = "b"}, "1:10 0:01");
}

static void numbers_by_cuts(void **state) {
  static const char text[] =
      "label,x\n0,1\n0,2\n0,3\n1,4\n1,10\n"; /* median 3, mean 4 */
  (void)state;
  rows_are(text, NULL, "0:0 0:0 0:0 1:1 1:1");
  rows_are(text, &(bperc_data_options){.binarise = "mean"},
           "0:0 0:0 0:0 1:0 1:1");
  rows_are(text, &(bperc_data_options){.binarise = "1.5"},
           "0:0 0:1 0:1 1:1 1:1");
  rows_are(text, &(bperc_data_options){.binarise = "levels=4"},
           "0:0000 0:1000 0:1100 1:1110 1:1111");
  rows_are(text, &(bperc_data_options){.complement = 1},
           "0:01 0:01 0:01 1:10 1:10");
  /* Six equal values: quantiles fall together, the levels are still found. */
  rows_are("label,x\n0,0\n0,0\n0,0\n0,0\n0,0\n0,0\n1,1\n1,2\n1,5\n",
           &(bperc_data_options){.binarise = "levels=3"},
           "0:000 0:000 0:000 0:000 0:000 0:000 1:100 1:110 1:111");
  /* Neighbouring numbers: half-way between them is rounded to the larger. */
  rows_are("label,x\n0,1.0000000000000002\n1,1.0000000000000004\n", NULL,
           "0:0 1:1");
  rows_are("label,x\n0,1\n0,1.0000000000000002\n1,1.0000000000000004\n",
           &(bperc_data_options){.binarise = "levels=2"}, "0:00 0:10 1:11");
  /* The largest value is the most frequent one; a constant column is none. */
  rows_are("label,x,k\n0,1,7\n0,9,7\n1,9,7\n", NULL, "0:0 0:1 1:1");
}

static void categories(void **state) {
  (void)state;
  rows_are("label,c\n0,red\n1,blue\n1,red\n0,green\n", NULL,
           "0:001 1:100 1:001 0:010");
}

static void bad_tables(void **state) {
  (void)state;
  refused("label,a\n1,0\n0,1,1\n", NULL, ":3: 3 fields where the header has 2");
  rows_are("label,a\n1,0\n0,\n1,1\n", NULL, "1:00 0:01 1:10");
  rows_are("label,a,b\n1,NaN,x\n0,,\n1,1,none\n", NULL,
           "1:01010 0:01001 1:10100");
  refused("label,a\n1,inf\n0,1\n", &(bperc_data_options){.drop = "b"},
          "no column 'b'");
  refused("label,a\n1,0\n0,1\n2,1\n", NULL,
          "3 different values ('0', '1', '2')");
  refused("label,a\n1,2\n0,3\n0,4\n1,x\n1,5\n", NULL,
          ":5: column 'a' is not a number here, and is one in 4 of 5 rows");
  refused("0,1.5\n1,2.5\n0,3.5\n", NULL, ":1: the first row is numbers");
  refused("label,a\n1,0\n1,1\n", NULL, "1 different value,");
  refused("label,a\n", NULL, "no rows");
  refused("", NULL, "empty");
  refused("label,a,a\n1,0,1\n", NULL, "two columns are called 'a'");
  refused("label,\n1,0\n", NULL, "column 2 has no name");
  refused("label,a\n1,\"0\n0,1\n", NULL, ":2: a quote opens here");
  refused("label,a\n1,\"0\"x\n0,1\n", NULL, "text behind the quotes");
  refused("label,a\n1,5\n0,5\n", NULL, "no column can be used");
  refused("label,a\n1,2\n0,3\n", &(bperc_data_options){.binarise = "medain"},
          "'medain' is not median");
  refused("label,a\n1,2\n0,3\n", &(bperc_data_options){.binarise = "levels=0"},
          "levels=K");
  refused("label,a\n1,2\n0,3\n", &(bperc_data_options){.label = "clas"},
          "no column 'clas'");
  refused("label,a\n1,2\n0,3\n", &(bperc_data_options){.positive = "7"},
          "no row has the label '7'");
}

/* Rows of other files by the rules that were learnt. */
static void other_rows(void **state) {
  static const char train[] = "label,x,c,b\n0,1,u,0\n0,2,v,1\n1,9,v,1\n";
  static const char test[] = "b,extra,x,c\n0,7,5.5,w\n3,7,-1,u\n";
  bperc_encoding *e;
  bperc_instance *in = NULL, *more;
  bperc_error error;
  const char *path;
  int labelled;
  (void)state;
  assert_int_equal(read_csv(train, NULL, &e, &in, &error), BPERC_OK);
  path = scratch(".csv", test, strlen(test));
  assert_int_equal(bperc_data_encode(path, e, &any, &labelled, &more, &error),
                   BPERC_OK);
  unlink(path);
  assert_int_equal(labelled, 0);
  assert_int_equal(more->n, 4); /* x above 5.5?, c is u, c is v, b */
  assert_int_equal(more->patterns[0], 0x0);
  assert_int_equal(more->patterns[1], 0xa);
  bperc_instance_free(more);
  path = scratch(".csv", "x,b\n1,0\n", 8);
  assert_int_equal(bperc_data_encode(path, e, &any, &labelled, &more, &error),
                   BPERC_E_FORMAT);
  assert_non_null(strstr(error.text, "'c'"));
  unlink(path);
  bperc_encoding_free(e);
  bperc_instance_free(in);
}

static void arrays_and_values(void **state) {
  static const char svm[] = "+1 1:0.5 3:2\n-1 2:1.5\n-1 1:2 3:7 # c\n";
  /* 3 x 2 unsigned bytes, labels first. */
  static const char header[] = "{'descr': '|u1', 'fortran_order': False, "
                               "'shape': (3, 2), }\n";
  char npy[256];
  size_t size = 10 + sizeof header - 1;
  bperc_encoding *e;
  bperc_instance *in;
  bperc_error error = {BPERC_OK, ""};
  const char *path = scratch(".svm", svm, sizeof svm - 1);
  (void)state;
  assert_int_equal(bperc_data_read(path, NULL, &at_zero, &e, &in, &error),
                   BPERC_OK);
  assert_int_equal(in->n, 3);
  assert_int_equal(in->labels[0] + 2 * in->labels[1] + 4 * in->labels[2], 1);
  assert_int_equal(in->patterns[0], 0x0);
  assert_int_equal(in->patterns[1], 0x2);
  assert_int_equal(in->patterns[2], 0x5);
  unlink(path);
  bperc_encoding_free(e);
  bperc_instance_free(in);
  memcpy(npy, "\x93NUMPY\x01\x00", 8);
  npy[8] = sizeof header - 1;
  npy[9] = 0;
  memcpy(npy + 10, header, sizeof header - 1);
  memcpy(npy + size, "\x01\x09\x00\x01\x01\x07", 6);
  path = scratch(".npy", npy, size + 6);
  assert_int_equal(bperc_data_read(path, NULL, &at_zero, &e, &in, &error),
                   BPERC_OK);
  assert_int_equal(in->n, 1);
  assert_int_equal(in->labels[0] + 2 * in->labels[1] + 4 * in->labels[2], 5);
  assert_int_equal(
      in->patterns[0] | in->patterns[1] << 1 | in->patterns[2] << 2, 0x1);
  unlink(path);
  bperc_encoding_free(e);
  bperc_instance_free(in);
}

/* A few bytes that promise a table of gigabytes: refused before anything is
 * allocated for it. */
static void promises(void **state) {
  static const char header[] = "{'descr': '<f8', 'fortran_order': False, "
                               "'shape': (9, 9999999), }\n";
  static const char svm[] = "1 1:0.5 268435456:2\n";
  char npy[256] = "\x93NUMPY\x01";
  bperc_instance *in;
  bperc_error error = {BPERC_OK, ""};
  const char *path;
  (void)state;
  npy[8] = sizeof header - 1;
  memcpy(npy + 10, header, sizeof header - 1);
  path = scratch(".npy", npy, 10 + sizeof header - 1 + 72);
  assert_int_equal(bperc_data_read(path, NULL, &at_zero, NULL, &in, &error),
                   BPERC_E_FORMAT);
  assert_non_null(strstr(error.text, "shorter than its header says"));
  unlink(path);
  path = scratch(".svm", svm, sizeof svm - 1);
  assert_int_equal(bperc_data_read(path, NULL, &at_zero, NULL, &in, &error),
                   BPERC_E_FORMAT);
  assert_non_null(strstr(error.text, "index from 1 to 2^24"));
  unlink(path);
}

/* Every allocation of the reading fails once. */
static void no_memory_at(const char *path) {
  bperc_data_options how = {.binarise = "levels=2", .complement = 1};
  bperc_encoding *e;
  bperc_instance *in;
  bperc_error error;
  for (long k = 0;; k++) {
    bperc_status status;
    bperc_i_alloc_fail_after(k);
    status = bperc_data_read(path, &how, &at_zero, &e, &in, &error);
    bperc_i_alloc_fail_after(-1);
    if (status == BPERC_OK) {
      assert_true(k > 20);
      break;
    }
    assert_int_equal(status, BPERC_E_MEMORY);
    assert_null(in);
    assert_null(e);
  }
  bperc_encoding_free(e);
  bperc_instance_free(in);
}

static void every_allocation_may_fail(void **state) {
  static const char bad[] = "label,\"x\ny\",c\n0,1,u\n1,2,v\n";
  static const char good[] = "label,x,c\n0,1,\"u\nu\"\n1,2,v\n1,3,w\n0,0,w\n";
  const char *path = scratch(".csv", good, sizeof good - 1);
  (void)state;
  no_memory_at(path);
  unlink(path);
  refused(bad, NULL, "line end inside a column's name");
}

static void numbers_in_any_locale(void **state) {
  static const double values[] = {0.1,    1.5,    -2.25e-7, 1e22, 123456789.125,
                                  1. / 3, 5e-324, 0.3,      -0.0};
  char text[40], *end;
  (void)state;
  setlocale(LC_NUMERIC, "de_DE.UTF-8"); /* where it is installed */
  for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
    bperc_i_show_real(values[k], text, sizeof text);
    assert_null(strchr(text, ','));
    assert_true(bperc_i_strtod(text, &end) == values[k]);
    assert_int_equal(*end, 0);
  }
  assert_string_equal(bperc_i_show_real(0.3, text, sizeof text), "0.3");
  assert_true(bperc_i_strtod("17.5,3", &end) == 17.5 && *end == ',');
  assert_true(bperc_i_strtod("-12345678901234567890", NULL) ==
              -12345678901234567890.);
  assert_true(bperc_i_strtod("1.7976931348623157e308", NULL) ==
              1.7976931348623157e308);
  setlocale(LC_NUMERIC, "C");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bits_as_they_are),
      cmocka_unit_test(decimal_commas),
      cmocka_unit_test(label_columns),
      cmocka_unit_test(numbers_by_cuts),
      cmocka_unit_test(categories),
      cmocka_unit_test(bad_tables),
      cmocka_unit_test(other_rows),
      cmocka_unit_test(arrays_and_values),
      cmocka_unit_test(promises),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(numbers_in_any_locale),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
