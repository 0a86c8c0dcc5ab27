/* Files of instances and weights: what is written is read back, in every
 * format and size; lines of any length; every allocation may fail. */
#include "check.h"

#include "any_instance.h"
#include "literal.h"

#include "base/alloc.h"
#include "bperc/ensemble.h"
#include "bperc/io.h"
#include "io/lines.h"
#include "io/pack.h"
#include "no_memory.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/bperc-files-XXXXXX";

static const char *in_folder(const char *name) {
  static char paths[4][128];
  static unsigned turn;
  char *path = paths[turn++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static const char *file_of(const char *text) {
  const char *path = in_folder("given");
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  return path;
}

static bperc_instance *example(size_t n, size_t m) {
  bperc_instance *in;
  assert_int_equal(
      bperc_ensemble_draw(
          &(bperc_ensemble){.n = n,
                            .m = m,
                            .fin = 0.37,
                            .model = {.a = 3.3, .ties = BPERC_TIES_EITHER}},
          5, &in, NULL),
      BPERC_OK);
  return in;
}

static void assert_same(const bperc_instance *a, const bperc_instance *b) {
  assert_int_equal(a->n, b->n);
  assert_int_equal(a->m, b->m);
  assert_close(a->a, b->a, 1e-12);
  for (size_t mu = 0; mu < a->m; mu++)
    assert_int_equal(bperc_instance_bound(a, mu), bperc_instance_bound(b, mu));
  assert_memory_equal(a->patterns, b->patterns, a->m * a->words * 8);
  assert_memory_equal(a->labels, b->labels, a->m);
}

static const bperc_format readable[] = {
    BPERC_FORMAT_TEXT, BPERC_FORMAT_SVMLIGHT, BPERC_FORMAT_HDF5,
    BPERC_FORMAT_HDF5_BITS};

/* How many of them this build has: the last two need bperc-hdf5. */
static size_t formats(void) {
  return access(getenv("BPERC_HDF5"), X_OK) == 0 ? 4 : 2;
}

/* What a reader needs to be told about a file of this format. */
static bperc_read_options needed(bperc_format format,
                                 const bperc_instance *in) {
  bperc_read_options options = {.ties = in->ties};
  if (format == BPERC_FORMAT_SVMLIGHT) {
    options.n = in->n;
    options.given = BPERC_GIVEN_A;
    options.a = in->a;
  }
  return options;
}

static void round_trips(void **state) {
  static const size_t sizes[][2] = {{1, 1},      {63, 7},   {64, 5},
                                    {65, 0},     {200, 3},  {1000, 9},
                                    {300000, 2}, {7, 70000}};
  (void)state;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (size_t f = 0; f < formats(); f++) {
      bperc_instance *in = example(sizes[k][0], sizes[k][1]), *back;
      bperc_read_options options = needed(readable[f], in);
      bperc_error error = {0};
      bperc_status status;
      assert_int_equal(
          bperc_instance_write(in, readable[f], in_folder("x"), &error),
          BPERC_OK);
      status = bperc_instance_read(in_folder("x"), &options, &back, &error);
      if (status != BPERC_OK)
        print_error("n %zu m %zu format %d: %s\n", in->n, in->m, readable[f],
                    error.text);
      assert_int_equal(status, BPERC_OK);
      assert_same(in, back);
      bperc_instance_free(in);
      bperc_instance_free(back);
    }
}

/* Every kind comes back from every format with the same bounds, without being
 * told anything but the tie rule. */
static void every_kind_comes_back(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 216; seed++)
    for (size_t f = 0; f < (seed % 12 ? 2 : formats()); f++) {
      bperc_instance *in = any_instance(1 + seed % 90, seed % 7, seed), *back;
      bperc_read_options options = {.ties = in->ties};
      bperc_error error = {0};
      assert_int_equal(
          bperc_instance_write(in, readable[f], in_folder("x"), &error),
          BPERC_OK);
      if (bperc_instance_read(in_folder("x"), &options, &back, &error))
        fail_msg("seed %d format %d: %s", (int)seed, readable[f], error.text);
      assert_same(in, back);
      assert_int_equal(in->weights, back->weights);
      assert_close(in->theta, back->theta, 1e-12);
      assert_close(in->kappa, back->kappa, 0);
      for (size_t mu = 0; mu < in->m; mu++)
        for (size_t i = 0; i < in->n; i++)
          assert_int_equal(literal_input(in, mu, i),
                           literal_input(back, mu, i));
      bperc_instance_free(in);
      bperc_instance_free(back);
    }
}

/* Bytes at every offset and length, against single bits; and every position
 * of a wrong byte is found. */
static void packing(void **state) {
  unsigned char bytes[150];
  (void)state;
  for (size_t k = 0; k < sizeof bytes; k++)
    bytes[k] = (unsigned char)('0' + (k * k / 3 + k / 7) % 2);
  for (size_t at = 0; at < 70; at++)
    for (size_t count = 0; count < 80; count++) {
      uint64_t fast[3] = {0}, slow[3] = {0};
      for (size_t k = 0; k < count; k++)
        slow[(at + k) / 64] |= (uint64_t)(bytes[k] == '1') << (at + k) % 64;
      assert_int_equal(bperc_i_pack(bytes, count, '0', fast, at), count);
      assert_memory_equal(fast, slow, sizeof fast);
    }
  for (size_t wrong = 0; wrong < 100; wrong++)
    for (int c = 0; c < 256; c += 1) {
      uint64_t bits[3] = {0};
      unsigned char kept = bytes[wrong];
      bytes[wrong] = (unsigned char)c;
      assert_int_equal(bperc_i_pack(bytes, 100, '0', bits, 0),
                       c == '0' || c == '1' ? 100 : wrong);
      bytes[wrong] = kept;
    }
}

/* Lines longer than a block, comments, blank lines, line ends of any kind. */
static void lines_of_any_length(void **state) {
  static const size_t lengths[] = {1, 262142, 262143, 262144, 700000, 3};
  bperc_i_lines lines;
  FILE *file = fopen(in_folder("long"), "wb");
  int more;
  (void)state;
  for (size_t k = 0; k < 6; k++) {
    fprintf(file, "# comment %zu\n\n \t\r\n", k);
    for (size_t j = 0; j < lengths[k]; j++)
      putc((int)('a' + k), file);
    fputs(k == 5 ? "" : k % 2 ? "\r\n" : "\n", file);
  }
  fclose(file);
  assert_int_equal(bperc_i_lines_open(&lines, in_folder("long"), NULL), 0);
  for (size_t k = 0; k < 6; k++) {
    assert_int_equal(bperc_i_lines_next(&lines, &more, NULL), 0);
    assert_true(more);
    assert_int_equal(lines.length, lengths[k]);
    assert_int_equal(lines.number, 4 * k + 4);
    assert_int_equal(lines.text[0], 'a' + k);
    assert_int_equal(lines.text[lengths[k] - 1], 'a' + k);
    if (k == 3) { /* again, from here */
      assert_int_equal(bperc_i_lines_mark(&lines, NULL), 0);
      assert_int_equal(bperc_i_lines_back(&lines, NULL), 0);
      assert_int_equal(bperc_i_lines_next(&lines, &more, NULL), 0);
      assert_int_equal(lines.length, lengths[3]);
      assert_int_equal(lines.number, 16);
    }
  }
  assert_int_equal(bperc_i_lines_left(&lines), 0);
  assert_int_equal(bperc_i_lines_next(&lines, &more, NULL), 0);
  assert_false(more);
  bperc_i_lines_close(&lines);
}

/* Standard input as a pipe: the temporary copy must hold the same lines. */
static void pipes_are_read_twice(void **state) {
  bperc_read_options options = {.given = BPERC_GIVEN_THRESHOLD,
                                .threshold = 1.5};
  bperc_instance *in;
  int ends[2], kept = dup(STDIN_FILENO);
  (void)state;
  assert_int_equal(pipe(ends), 0);
  assert_true(dprintf(ends[1], "# first\r\n+1 2:1\r\n-1 1:1 4:1\n1 3:1") > 0);
  close(ends[1]);
  dup2(ends[0], STDIN_FILENO);
  assert_int_equal(bperc_instance_read("-", &options, &in, NULL), BPERC_OK);
  dup2(kept, STDIN_FILENO);
  close(kept);
  close(ends[0]);
  clearerr(stdin);
  assert_int_equal(in->n, 4);
  assert_int_equal(in->m, 3);
  assert_int_equal(in->patterns[0], 2);
  assert_int_equal(in->patterns[1], 9);
  assert_int_equal(in->patterns[2], 4);
  assert_close(in->theta, 1.5, 1e-12);
  bperc_instance_free(in);
}

static void whole_number_weights(void **state) {
  static const struct {
    const char *text;
    size_t n;
    int32_t values[3]; /* {-1}: refused */
  } rows[] = {
      {"101\n", 3, {1, 0, 1}},
      {"1 0 1\r\n", 3, {1, 0, 1}},
      {"# c\n12 0 3", 3, {12, 0, 3}},
      {"10 1", 2, {10, 1, 0}},
      {"7", 1, {7, 0, 0}},
      {"1 01", 3, {1, 0, 1}},
      {"2147483647 0", 2, {2147483647, 0, 0}},
      {"2147483648 0", 2, {-1}},
      {"-1 0", 2, {-1}},
      {"1.5 0", 2, {-1}},
      {"1 2 3 4", 3, {-1}},
      {"1 2", 3, {-1}},
      {"1011", 3, {-1}},
      {"12", 3, {-1}},
      {"1 0 1\n1 0 1", 3, {-1}},
      {"", 3, {-1}},
      {"x", 1, {-1}},
  };
  (void)state;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    int32_t *weights;
    bperc_error error = {0};
    bperc_status status =
        bperc_integers_read(file_of(rows[k].text), rows[k].n, &weights, &error);
    if ((status == BPERC_OK) != (rows[k].values[0] >= 0))
      print_error("row %zu '%s': %s\n", k, rows[k].text, error.text);
    assert_int_equal(status == BPERC_OK, rows[k].values[0] >= 0);
    for (size_t i = 0; weights && i < rows[k].n; i++)
      assert_int_equal(weights[i], rows[k].values[i]);
    bperc_free(weights);
  }
}

/* The k-th allocation fails, for every k until none does. */
static void no_memory_for_instances(void **state) {
  bperc_instance *in = example(90, 11), *back;
  (void)state;
  for (size_t f = 0; f < formats(); f++) {
    bperc_read_options options = needed(readable[f], in);
    bperc_status status = BPERC_E_MEMORY;
    long k;
    assert_int_equal(
        bperc_instance_write(in, readable[f], in_folder("y"), NULL), BPERC_OK);
    for (k = 0; status != BPERC_OK; k++) {
      bperc_error error = {0};
      bperc_i_alloc_fail_after(k);
      status = bperc_instance_read(in_folder("y"), &options, &back, &error);
      if (status == BPERC_OK)
        break;
      assert_int_equal(status, BPERC_E_MEMORY);
      assert_int_equal(error.status, BPERC_E_MEMORY);
      assert_null(back);
    }
    bperc_i_alloc_fail_after(-1);
    assert_true(k >= 3);
    assert_same(in, back);
    bperc_instance_free(back);
  }
  bperc_instance_free(in);
}

static void no_memory_for_weights(void **state) {
  uint64_t *bits;
  int32_t *integers;
  (void)state;
  assert_needs_memory(2, bperc_weights_read(file_of("101\n"), 3, &bits, NULL),
                      bits);
  assert_needs_memory(
      3, bperc_integers_read(file_of("101\n"), 3, &integers, NULL), integers);
}

/* Failure leaves neither the file nor its temporary behind. */
static void no_memory_for_writers(void **state) {
  bperc_instance *in = example(20, 3);
  (void)state;
  for (bperc_format f = BPERC_FORMAT_TEXT; f <= BPERC_FORMAT_LP; f++) {
    long k;
    if (f == BPERC_FORMAT_HDF5 && formats() < 4)
      continue;
    for (k = 0;; k++) {
      bperc_status status;
      bperc_i_alloc_fail_after(k);
      status = bperc_instance_write(in, f, in_folder("fresh/z"), NULL);
      bperc_i_alloc_fail_after(-1);
      if (status == BPERC_OK)
        break;
      assert_int_equal(status, BPERC_E_MEMORY);
      assert_int_equal(rmdir(in_folder("fresh")), 0); /* it is empty */
      mkdir(in_folder("fresh"), 0700);
    }
    assert_true(k >= 2);
    assert_int_equal(remove(in_folder("fresh/z")), 0);
  }
  bperc_instance_free(in);
}

static void sizes_are_bounded(void **state) {
  bperc_read_options options = {
      .most_bytes = 1000, .given = BPERC_GIVEN_A, .a = 2};
  bperc_error error;
  bperc_instance *in;
  (void)state;
  assert_int_equal(
      bperc_instance_read(file_of("1 999999:1\n"), &options, &in, &error),
      BPERC_E_LIMIT);
  assert_null(in);
}

static int make_folder(void **state) {
  (void)state;
  if (!mkdtemp(folder))
    return -1;
  return mkdir(in_folder("fresh"), 0700);
}

static int remove_folder(void **state) {
  static const char *const names[] = {"given", "x", "y", "long"};
  (void)state;
  for (size_t k = 0; k < 4; k++)
    remove(in_folder(names[k]));
  rmdir(in_folder("fresh"));
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_comes_back),
      cmocka_unit_test(packing),
      cmocka_unit_test(lines_of_any_length),
      cmocka_unit_test(round_trips),
      cmocka_unit_test(pipes_are_read_twice),
      cmocka_unit_test(whole_number_weights),
      cmocka_unit_test(no_memory_for_instances),
      cmocka_unit_test(no_memory_for_weights),
      cmocka_unit_test(no_memory_for_writers),
      cmocka_unit_test(sizes_are_bounded),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
