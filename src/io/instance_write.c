/* Writing instances: our text, svmlight, and the constraints as OPB and LP.
 *
 * Constraints are on the bits of the weights: with n_minus inputs -1, label 1
 * is sum x_i b_i >= bound - n_minus, label 0 the same with <=; threshold, ties
 * and kind of weights are inside the bounds. A pattern without inputs is
 * written with a coefficient of 0, so that every pattern has its constraint
 * and a contradiction stays one.
 */
#include "io/formats.h"

#include "base/bits.h"
#include "base/number.h"
#include "model/bit_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

/* Calls put for every non-zero input of a pattern; returns how many. */
static size_t each_input(const bperc_instance *in, size_t mu, FILE *out,
                         void put(FILE *out, size_t i, size_t k, int x)) {
  size_t count = 0;
  for (size_t w = 0; w < in->words; w++) {
    uint64_t plus = in->patterns[mu * in->words + w], left = plus;
    if (in->support)
      left = in->support[mu * in->words + w];
    else if (in->inputs == BPERC_INPUTS_PM)
      left = w + 1 < in->words ? ~(uint64_t)0 : bperc_i_tail_mask(in->n);
    for (; left; left &= left - 1) {
      int bit = __builtin_ctzll(left);
      put(out, 64 * w + (size_t)bit, count++, plus >> bit & 1 ? 1 : -1);
    }
  }
  return count;
}

/* How many inputs are -1. */
static int64_t minus(const bperc_instance *in, size_t mu) {
  int64_t plus = 0;
  if (in->inputs == BPERC_INPUTS_01)
    return 0;
  for (size_t w = 0; w < in->words; w++)
    plus += __builtin_popcountll(in->patterns[mu * in->words + w]);
  return (int64_t)bperc_instance_degree(in, mu) - plus;
}

void bperc_i_put_real(FILE *out, const char *name, double value) {
  char text[32];
  fprintf(out, "%s%s", name, bperc_i_show_real(value, text, sizeof text));
}

static int going_on(const bperc_instance *in, size_t mu, FILE *out) {
  return mu < in->m && !bperc_cancelled() && !ferror(out);
}

/* ---- text */

static void write_inputs(const bperc_instance *in, size_t mu, FILE *out) {
  static const char marks[3][2] = {{'0', '1'}, {'-', '+'}, {'-', '+'}};
  const uint64_t *bits = bperc_instance_pattern(in, mu);
  const uint64_t *support = in->support ? in->support + mu * in->words : NULL;
  const char *mark = marks[in->inputs];
  char block[4096];
  size_t used = 0;
  for (size_t i = 0; i < in->n; i++) {
    block[used++] = support && !bperc_i_bit(support, i)
                        ? '0'
                        : mark[bits[i / 64] >> (i % 64) & 1];
    if (used == sizeof block || i + 1 == in->n) {
      fwrite(block, 1, used, out);
      used = 0;
    }
  }
}

void bperc_i_text_write(const bperc_instance *in, FILE *out) {
  fprintf(out, "%zu %zu", in->n, in->m);
  bperc_i_put_real(out, " ", in->a);
  if (in->weights == BPERC_WEIGHTS_PM)
    fputs(" weights=pm", out);
  if (in->a == 0)
    bperc_i_put_real(out, " threshold=", in->theta);
  if (in->kappa > 0)
    bperc_i_put_real(out, " kappa=", in->kappa);
  if (in->band > 0)
    bperc_i_put_real(out, " band=", in->band);
  putc('\n', out);
  for (size_t mu = 0; going_on(in, mu, out); mu++) {
    fprintf(out, "%d ", in->labels[mu]);
    write_inputs(in, mu, out);
    putc('\n', out);
  }
}

/* ---- svmlight */

/* " i:1" or " i:-1", digits from the last to the first. */
static void put_pair(FILE *out, size_t i, size_t k, int x) {
  char text[32], *end = text + sizeof text, *at = end;
  (void)k;
  *--at = '1';
  if (x < 0)
    *--at = '-';
  *--at = ':';
  for (size_t left = i + 1; left; left /= 10)
    *--at = (char)('0' + left % 10);
  *--at = ' ';
  fwrite(at, 1, (size_t)(end - at), out);
}

void bperc_i_svmlight_write(const bperc_instance *in, FILE *out) {
  fprintf(out, "# read with --n %zu", in->n);
  if (in->a > 0)
    bperc_i_put_real(out, " --a ", in->a);
  else
    bperc_i_put_real(out, " --threshold ", in->theta);
  if (in->kappa > 0)
    bperc_i_put_real(out, " --kappa ", in->kappa);
  if (in->band > 0)
    bperc_i_put_real(out, " --band ", in->band);
  if (in->weights == BPERC_WEIGHTS_PM)
    fputs(" --weights pm", out);
  putc('\n', out);
  for (size_t mu = 0; going_on(in, mu, out); mu++) {
    fputs(in->labels[mu] ? "+1" : "-1", out);
    each_input(in, mu, out, put_pair);
    putc('\n', out);
  }
}

/* ---- constraints */

/* "weight i is x(i+1), A = 40, ties zero" as the first comment says it. */
static void describe(const bperc_instance *in, FILE *out) {
  fputs("perceptron: weight i is ", out);
  if (in->weights == BPERC_WEIGHTS_PM)
    fputs("2 x(i+1) - 1, ", out);
  else
    fputs("x(i+1), ", out);
  if (in->a > 0)
    bperc_i_put_real(out, "A = ", in->a);
  else
    bperc_i_put_real(out, "threshold ", in->theta);
  if (in->kappa > 0)
    bperc_i_put_real(out, ", kappa ", in->kappa);
  if (in->kappa < 0) { /* of a split problem: two constraints per pattern */
    bperc_i_put_real(out, ", band ", -in->kappa);
    putc('\n', out);
    return;
  }
  fprintf(out, ", ties %s\n", bperc_ties_name(in->ties));
}

static void put_as_is(FILE *out, size_t i, size_t k, int x) {
  (void)k;
  fprintf(out, "%+d x%zu ", x, i + 1);
}

static void put_turned(FILE *out, size_t i, size_t k, int x) {
  put_as_is(out, i, k, -x);
}

static void put_opb_head(const bperc_instance *in, bool soft, FILE *out) {
  fprintf(out, "* #variable= %zu #constraint= %zu\n* ",
          in->n + (soft ? in->m : 0), in->m);
  describe(in, out);
  if (!soft)
    return;
  fprintf(out, "* x(%zu+k) = 1 leaves pattern k out, k = 0, 1, ...\nmin:",
          in->n + 1);
  for (size_t mu = 0; going_on(in, mu, out); mu++)
    fprintf(out, " +1 x%zu", in->n + 1 + mu);
  fputs(" ;\n", out);
}

/* How many true literals pattern mu needs beyond those that it has anyway. */
static int64_t opb_degree(const bperc_instance *in, size_t mu) {
  int64_t bound = bperc_instance_bound(in, mu);
  return in->labels[mu] ? bound
                        : (int64_t)bperc_instance_degree(in, mu) - bound;
}

static void put_opb(const bperc_instance *in, bool soft, FILE *out) {
  put_opb_head(in, soft, out);
  for (size_t mu = 0; going_on(in, mu, out); mu++) {
    int label = in->labels[mu];
    int64_t bound = bperc_instance_bound(in, mu) - minus(in, mu);
    int64_t degree = soft ? opb_degree(in, mu) : 0;
    if (!each_input(in, mu, out, label ? put_as_is : put_turned))
      fputs("+0 x1 ", out);
    if (degree > 0)
      fprintf(out, "%+" PRId64 " x%zu ", degree, in->n + 1 + mu);
    fprintf(out, ">= %" PRId64 " ;\n", label ? bound : -bound);
  }
}

void bperc_i_opb_write(const bperc_instance *in, FILE *out) {
  put_opb(in, false, out);
}

void bperc_i_opb_soft_write(const bperc_instance *in, FILE *out) {
  put_opb(in, true, out);
}

/* Readers of LP files have lines of limited length. */
static void put_term(FILE *out, size_t i, size_t k, int x) {
  fprintf(out, "%s%sx%zu", k % 8 ? " " : "\n ",
          x < 0 ? "- "
          : k   ? "+ "
                : "",
          i + 1);
}

void bperc_i_lp_write(const bperc_instance *in, FILE *out) {
  fputs("\\ ", out);
  describe(in, out);
  fprintf(out, "Minimize\n obj: 0 x1\nSubject To\n");
  if (in->m == 0) /* no reader takes an empty section */
    fputs(" none: x1 >= 0\n", out);
  for (size_t mu = 0; going_on(in, mu, out); mu++) {
    fprintf(out, " p%zu:", mu);
    if (!each_input(in, mu, out, put_term))
      fputs(" 0 x1", out);
    fprintf(out, " %s %" PRId64 "\n", in->labels[mu] ? ">=" : "<=",
            bperc_instance_bound(in, mu) - minus(in, mu));
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
      [BPERC_FORMAT_OPB_SOFT] = bperc_i_opb_soft_write,
  };
  if ((size_t)format >= sizeof writers / sizeof *writers || !writers[format])
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "an HDF5 file cannot be written into a stream");
  if (format == BPERC_FORMAT_OPB || format == BPERC_FORMAT_LP) {
    bperc_status status = bperc_i_one_sided(&in, "this format", error);
    if (status != BPERC_OK)
      return status;
  }
  writers[format](in, stream);
  if (bperc_cancelled())
    return bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  if (ferror(stream) || fflush(stream) != 0)
    return bperc_error_set(error, BPERC_E_IO, "cannot be written: %s",
                           strerror(errno));
  return BPERC_OK;
}

static bperc_status write_hdf5(const bperc_instance *in, int packed,
                               const char *path, const bperc_output *out,
                               bperc_error *error) {
  if (!out->temporary)
    return bperc_error_set(error, BPERC_E_IO,
                           "%s: an HDF5 file needs a plain file", path);
  return bperc_i_hdf5_write(in, packed, out->temporary, path, error);
}

bperc_status bperc_instance_write(const bperc_instance *in, bperc_format format,
                                  const char *path, bperc_error *error) {
  bperc_output out;
  bperc_error inner;
  bperc_status status = bperc_output_open(&out, path, error);
  if (status != BPERC_OK)
    return status;
  if (format == BPERC_FORMAT_HDF5 || format == BPERC_FORMAT_HDF5_BITS) {
    status =
        write_hdf5(in, format == BPERC_FORMAT_HDF5_BITS, path, &out, error);
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
