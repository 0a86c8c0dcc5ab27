/* Recognising an instance file, and what all readers share. */
#include "model/formats.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <math.h>
#include <string.h>

void bperc_free(void *p) { bperc_i_free(p); }

/* A as the caller gave it; 0 when he did not. */
static double given_a(size_t n, const bperc_read_options *options) {
  if (options->a > 0)
    return options->a;
  return options->threshold > 0 ? (double)n / options->threshold : 0;
}

static int far_apart(double a, double b) {
  return fabs(a - b) > 1e-9 * fabs(b);
}

bperc_status bperc_i_read_agrees(const char *where, size_t n, double a,
                                 const bperc_read_options *options,
                                 bperc_error *error) {
  double given = given_a(n, options);
  if (options->n && options->n != n)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: N is %zu here and %zu was asked for (--n is "
                           "for svmlight files)",
                           where, n, options->n);
  if (given > 0 && far_apart(given, a))
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: A is %g here and %g was asked for (--a and "
                           "--threshold are for svmlight files)",
                           where, a, given);
  return BPERC_OK;
}

bperc_status bperc_i_read_new(const char *where, size_t n, size_t m, double a,
                              const bperc_read_options *options,
                              bperc_instance **out, bperc_error *error) {
  bperc_error inner;
  bperc_status status;
  double bytes = (double)m * (double)bperc_i_words(n) * sizeof(uint64_t);
  if (options->most_bytes && bytes > (double)options->most_bytes)
    return bperc_error_set(error, BPERC_E_LIMIT,
                           "%s: %zu patterns of %zu bits need more than the "
                           "%zu bytes allowed",
                           where, m, n, options->most_bytes);
  if (a <= 0)
    a = given_a(n, options);
  status = bperc_instance_new(n, m, a, options->ties, out, &inner);
  if (status == BPERC_OK)
    return status;
  if (status == BPERC_E_ARGUMENT)
    status = BPERC_E_FORMAT; /* the file's values are out of range */
  return bperc_error_set(error, status, "%s: %s", where, inner.text);
}

/* The signature at byte 0, or behind a user block of 512, 1024, ... bytes. */
static int is_hdf5(const bperc_i_lines *lines) {
  static const char signature[] = "\211HDF\r\n\032\n";
  for (size_t at = 0; at + 8 <= lines->end; at = at ? 2 * at : 512)
    if (memcmp(lines->buffer + at, signature, 8) == 0)
      return 1;
  return 0;
}

static bperc_status read_hdf5(const bperc_i_lines *lines, const char *path,
                              const bperc_read_options *options,
                              bperc_instance **out, bperc_error *error) {
  if (lines->origin < 0)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: HDF5 cannot be read from a pipe: save it to a "
                           "file first",
                           lines->path);
  if (strcmp(path, "-") == 0)
    path = "/proc/self/fd/0";
  return bperc_i_hdf5_read(path, lines->path, options, out, error);
}

static bperc_status read_text(bperc_i_lines *lines,
                              const bperc_read_options *options,
                              bperc_instance **out, bperc_error *error) {
  int more;
  bperc_status status = bperc_i_lines_next(lines, &more, error);
  if (status != BPERC_OK)
    return status;
  if (!more)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: there is no instance in it: the file is empty",
                           lines->path);
  if (bperc_i_text_is_header(lines->text))
    return bperc_i_text_read(lines, options, out, error);
  if (bperc_i_svmlight_is_row(lines->text))
    return bperc_i_svmlight_read(lines, options, out, error);
  return bperc_i_lines_bad(lines, error,
                           "this is neither a header 'N M A' of our text "
                           "format nor a line 'label index:1 ...' of svmlight");
}

bperc_status bperc_instance_read(const char *path,
                                 const bperc_read_options *options,
                                 bperc_instance **out, bperc_error *error) {
  static const bperc_read_options none;
  bperc_i_lines lines;
  bperc_status status;
  *out = NULL;
  if (!options)
    options = &none;
  if (options->a > 0 && options->threshold > 0)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "give A or the threshold, not both");
  status = bperc_i_lines_open(&lines, path, error);
  if (status != BPERC_OK)
    return status;
  if (is_hdf5(&lines))
    status = read_hdf5(&lines, path, options, out, error);
  else
    status = read_text(&lines, options, out, error);
  bperc_i_lines_close(&lines);
  if (status != BPERC_OK) {
    bperc_instance_free(*out);
    *out = NULL;
  } else {
    bperc_instance_settle(*out);
  }
  return status;
}
