/* Writing instances: our text, svmlight, and the constraints as OPB and LP.
 *
 * Constraints: label 1 is sum of x over the pattern >= bound, label 0 is
 * sum <= bound; the tie rule is inside the bounds. A pattern without ones is
 * written with a coefficient of 0, so that every pattern has its constraint
 * and a contradiction stays one.
 */
#include "model/formats.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Calls put(out, i) for every one of a pattern; returns how many. */
static size_t each_one(const bperc_instance *in, size_t mu, FILE *out,
                       void put(FILE *out, size_t i, size_t k)) {
  const uint64_t *bits = bperc_instance_pattern(in, mu);
  size_t count = 0;
  for (size_t w = 0; w < in->words; w++)
    for (uint64_t left = bits[w]; left; left &= left - 1)
      put(out, 64 * w + (size_t)__builtin_ctzll(left), count++);
  return count;
}

static int going_on(const bperc_instance *in, size_t mu, FILE *out) {
  return mu < in->m && !bperc_cancelled() && !ferror(out);
}

/* ---- text */

static void write_bits(const uint64_t *bits, size_t n, FILE *out) {
  char block[4096];
  size_t used = 0;
  for (size_t i = 0; i < n; i++) {
    block[used++] = (char)('0' + (bits[i / 64] >> (i % 64) & 1));
    if (used == sizeof block || i + 1 == n) {
      fwrite(block, 1, used, out);
      used = 0;
    }
  }
}

void bperc_i_text_write(const bperc_instance *in, FILE *out) {
  fprintf(out, "%zu %zu %.17g\n", in->n, in->m, in->a);
  for (size_t mu = 0; going_on(in, mu, out); mu++) {
    fprintf(out, "%d ", in->labels[mu]);
    write_bits(bperc_instance_pattern(in, mu), in->n, out);
    putc('\n', out);
  }
}

/* ---- svmlight */

static void put_pair(FILE *out, size_t i, size_t k) {
  (void)k;
  fprintf(out, " %zu:1", i + 1);
}

void bperc_i_svmlight_write(const bperc_instance *in, FILE *out) {
  fprintf(out, "# read with --n %zu --a %.17g\n", in->n, in->a);
  for (size_t mu = 0; going_on(in, mu, out); mu++) {
    fputs(in->labels[mu] ? "+1" : "-1", out);
    each_one(in, mu, out, put_pair);
    putc('\n', out);
  }
}

/* ---- constraints */

static void put_plus(FILE *out, size_t i, size_t k) {
  (void)k;
  fprintf(out, "+1 x%zu ", i + 1);
}

static void put_minus(FILE *out, size_t i, size_t k) {
  (void)k;
  fprintf(out, "-1 x%zu ", i + 1);
}

void bperc_i_opb_write(const bperc_instance *in, FILE *out) {
  fprintf(out, "* #variable= %zu #constraint= %zu\n", in->n, in->m);
  fprintf(out, "* perceptron: weight i is x(i+1), A = %.17g, ties %s\n", in->a,
          bperc_ties_name(in->ties));
  for (size_t mu = 0; going_on(in, mu, out); mu++) {
    int label = in->labels[mu];
    if (!each_one(in, mu, out, label ? put_plus : put_minus))
      fputs("+0 x1 ", out);
    fprintf(out, ">= %" PRId64 " ;\n", label ? in->bound[mu] : -in->bound[mu]);
  }
}

/* Readers of LP files have lines of limited length. */
static void put_term(FILE *out, size_t i, size_t k) {
  fprintf(out, k ? "%s+ x%zu" : "%sx%zu", k % 8 ? " " : "\n ", i + 1);
}

void bperc_i_lp_write(const bperc_instance *in, FILE *out) {
  fprintf(out, "\\ perceptron: weight i is x(i+1), A = %.17g, ties %s\n", in->a,
          bperc_ties_name(in->ties));
  fprintf(out, "Minimize\n obj: 0 x1\nSubject To\n");
  for (size_t mu = 0; going_on(in, mu, out); mu++) {
    fprintf(out, " p%zu:", mu);
    if (!each_one(in, mu, out, put_term))
      fputs(" 0 x1", out);
    fprintf(out, " %s %" PRId64 "\n",
            in->labels[mu] ? ">=" : "<=", in->bound[mu]);
  }
  fprintf(out, "Binary");
  for (size_t i = 0; i < in->n && !ferror(out); i++)
    fprintf(out, "%sx%zu", i % 8 ? " " : "\n ", i + 1);
  fprintf(out, "\nEnd\n");
}

/* ---- into streams and files */

bperc_status bperc_instance_print(const bperc_instance *in, bperc_format format,
                                  FILE *stream, bperc_error *error) {
  static void (*const writers[])(const bperc_instance *, FILE *) = {
      [BPERC_FORMAT_TEXT] = bperc_i_text_write,
      [BPERC_FORMAT_SVMLIGHT] = bperc_i_svmlight_write,
      [BPERC_FORMAT_OPB] = bperc_i_opb_write,
      [BPERC_FORMAT_LP] = bperc_i_lp_write,
  };
  if ((size_t)format >= sizeof writers / sizeof *writers || !writers[format])
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "an HDF5 file cannot be written into a stream");
  writers[format](in, stream);
  if (bperc_cancelled())
    return bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  if (ferror(stream) || fflush(stream) != 0)
    return bperc_error_set(error, BPERC_E_IO, "cannot be written: %s",
                           strerror(errno));
  return BPERC_OK;
}

static bperc_status write_hdf5(const bperc_instance *in, const char *path,
                               const bperc_output *out, bperc_error *error) {
  if (!out->temporary)
    return bperc_error_set(error, BPERC_E_IO,
                           "%s: an HDF5 file needs a plain file", path);
  return bperc_i_hdf5_write(in, out->temporary, path, error);
}

bperc_status bperc_instance_write(const bperc_instance *in, bperc_format format,
                                  const char *path, bperc_error *error) {
  bperc_output out;
  bperc_error inner;
  bperc_status status = bperc_output_open(&out, path, error);
  if (status != BPERC_OK)
    return status;
  if (format == BPERC_FORMAT_HDF5) {
    status = write_hdf5(in, path, &out, error);
  } else {
    status = bperc_instance_print(in, format, out.stream, &inner);
    if (status != BPERC_OK)
      bperc_error_set(error, status, "%s: %s", path, inner.text);
  }
  if (status == BPERC_OK)
    return bperc_output_commit(&out, error);
  bperc_output_abandon(&out);
  return status;
}
