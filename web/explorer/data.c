/* Weights for one's own table. */
#include "front.h"

#include <stdlib.h>
#include <string.h>

static bperc_encoding *encoding;
static bperc_fit_result fitted;

static void forget(void) {
  bperc_encoding_free(encoding);
  encoding = NULL;
  bperc_fit_clear(&fitted);
}

/* Reads a table (CSV, TSV, ...) from a file of the page's own memory. Empty
 * texts mean the default. Answers the number of inputs. */
WEB int web_table(const char *path, const char *label, const char *binarise,
                  int complement) {
  bperc_data_options options = {.label = *label ? label : NULL,
                                .binarise = *binarise ? binarise : NULL,
                                .complement = complement};
  /* Any threshold will do: fit chooses it. */
  bperc_read_options read = {.given = BPERC_GIVEN_THRESHOLD};
  bperc_instance *in;
  forget();
  if (bperc_data_read(path, &options, &read, &encoding, &in, &web_failure) !=
      BPERC_OK)
    return web_failure.status;
  web_take(in);
  return (int)in->n;
}

WEB int web_patterns(void) { return (int)web_instance->m; }
/* Label 0 or 1 as the table writes it. */
WEB const char *web_label(int label) {
  return encoding ? bperc_encoding_label(encoding, label) : "";
}

static void tick(void *context, size_t done, size_t total) {
  (void)context;
  web_watch.tell(NULL, (double)done / (double)total, (double)done);
}

/* Between all sums that rows can have, while these are few; else the library's
 * own choice, which is a coarser one. Answers how many; 0: not listed. */
enum { SUMS = 40 };
static size_t list_thresholds(const bperc_instance *in, double *thresholds) {
  size_t most = 0;
  for (size_t mu = 0; mu < in->m; mu++) {
    size_t degree = bperc_instance_degree(in, mu);
    most = degree > most ? degree : most;
  }
  if (most > SUMS)
    return 0;
  for (size_t k = 0; k < most; k++)
    thresholds[k] = (double)k + 0.5;
  return most;
}

/* Chooses the threshold (folds 0: by training errors; else by cross-validation
 * with so many parts) and trains. In the room: threshold, margin kappa,
 * training errors, tp, fp, tn, fn, balanced accuracy, the same of the
 * validation (errors and balanced accuracy), unavoidable errors, then n
 * weights, then per pattern its label and its sum. Answers where the weights
 * begin. */
WEB int web_fit(int folds, double seed) {
  enum { HEAD = 11 };
  bperc_instance *in = web_instance;
  double thresholds[SUMS];
  size_t count = list_thresholds(in, thresholds);
  bperc_fit_options options = {.seed = (uint64_t)seed,
                               .threads = 1,
                               .tick = tick,
                               .folds = (size_t)folds,
                               .thresholds = count ? thresholds : NULL,
                               .threshold_count = count};
  bperc_fit_clear(&fitted);
  if (bperc_fit(in, &options, &fitted, &web_failure) != BPERC_OK)
    return web_failure.status;
  double *out = web_reserve(HEAD + in->n + 2 * in->m);
  int64_t *sums = malloc((in->m + 1) * sizeof *sums);
  if (!out || !sums) {
    free(sums);
    return web_out_of_memory();
  }
  const bperc_score *t = &fitted.train, *v = &fitted.validation;
  const double head[HEAD] = {fitted.threshold,
                             fitted.kappa,
                             (double)t->errors,
                             (double)t->tp,
                             (double)t->fp,
                             (double)t->tn,
                             (double)t->fn,
                             t->balanced_accuracy,
                             (double)v->errors,
                             v->balanced_accuracy,
                             (double)fitted.unavoidable};
  memcpy(out, head, sizeof head);
  for (size_t i = 0; i < in->n; i++)
    out[HEAD + i] = bperc_bit_get(fitted.weights, i);
  bperc_instance_sums(in, fitted.weights, sums);
  for (size_t mu = 0; mu < in->m; mu++) {
    out[HEAD + in->n + 2 * mu] = in->labels[mu];
    out[HEAD + in->n + 2 * mu + 1] = (double)sums[mu];
  }
  free(sums);
  return HEAD;
}
