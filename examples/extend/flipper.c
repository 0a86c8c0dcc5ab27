/* The methods of the solver; state, helpers, and then what a class asks for. */
#include "flipper.h"

#include "base/alloc.h"
#include "solver/methods.h"

#include <string.h>

enum { CANDIDATES = 8 };

typedef struct {
  const bperc_instance *in; /* borrowed until destroy */
  bperc_flipper_options options;
  bperc_stream stream;
  uint64_t *weights;
  size_t *violated; /* patterns */
  size_t errors;
  uint64_t flips;
} flipper_state;

static BPERC_OPTIONS_DEFINE(flipper_option_table, bperc_flipper_options,
                            BPERC_FLIPPER_OPTIONS);

/* ---- helpers */

/* Also lists them. */
static size_t count_violations(flipper_state *s) {
  return bperc_verify(s->in, s->weights, s->violated).errors;
}

static void flip_weight(flipper_state *s, size_t i) {
  s->weights[i / 64] ^= (uint64_t)1 << i % 64;
}

/* A weight whose flip moves the sum of the pattern the right way, drawn at
 * random; any weight where 64 draws find none. */
static size_t draw_helpful(flipper_state *s, size_t mu) {
  int wanted = s->in->labels[mu] ? 1 : -1;
  size_t i = 0;
  for (int k = 0; k < 64; k++) {
    int up;
    i = bperc_stream_below(&s->stream, s->in->n);
    up = bperc_bit_get(s->weights, i) ? -1 : 1;
    if (up * bperc_instance_input(s->in, mu, i) == wanted)
      break;
  }
  return i;
}

/* The candidate after whose flip the fewest patterns are violated. */
static size_t choose_flip(flipper_state *s, size_t mu) {
  size_t best = draw_helpful(s, mu), fewest = SIZE_MAX;
  if (bperc_stream_double(&s->stream) < s->options.noise)
    return best;
  for (int k = 0; k < CANDIDATES; k++) {
    size_t i = draw_helpful(s, mu), errors;
    flip_weight(s, i);
    errors = count_violations(s);
    flip_weight(s, i);
    if (errors < fewest) {
      fewest = errors;
      best = i;
    }
  }
  return best;
}

/* ---- what a class asks for */

static void flipper_destroy(void *object) {
  flipper_state *s = object;
  if (!s)
    return;
  bperc_i_free(s->weights);
  bperc_i_free(s->violated);
  bperc_i_free(s);
}

static bperc_status flipper_create(const bperc_instance *in,
                                   const void *options, uint64_t seed,
                                   unsigned threads, void **out,
                                   bperc_error *error) {
  flipper_state *s = bperc_i_calloc(1, sizeof *s);
  (void)threads; /* one step is too little work to share */
  *out = NULL;
  if (s) {
    s->in = in;
    s->options = *(const bperc_flipper_options *)options;
    s->stream = bperc_stream_make(seed, BPERC_FOR_TEST, 0);
    s->weights = bperc_i_calloc(in->words, sizeof *s->weights);
    s->violated = bperc_i_calloc(in->m, sizeof *s->violated);
  }
  if (!s || !s->weights || !s->violated) {
    flipper_destroy(s);
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for flipper");
  }
  bperc_stream_bernoulli(&s->stream, 0.5, s->weights, in->n);
  s->errors = count_violations(s);
  *out = s;
  return BPERC_OK;
}

static bperc_progress flipper_step(void *object) {
  flipper_state *s = object;
  size_t mu;
  s->errors = count_violations(s);
  if (s->errors == 0)
    return BPERC_SOLVED;
  if (s->flips == (uint64_t)s->options.max_flips)
    return BPERC_EXHAUSTED;
  mu = s->violated[bperc_stream_below(&s->stream, s->errors)];
  flip_weight(s, choose_flip(s, mu));
  s->flips++;
  s->errors = count_violations(s);
  return s->errors ? BPERC_RUNNING : BPERC_SOLVED;
}

static void flipper_view(const void *object, bperc_view *out) {
  const flipper_state *s = object;
  memset(out, 0, sizeof *out);
  out->step = s->flips;
  out->errors = s->errors;
  out->weights = s->weights;
}

static const bperc_solver_methods flipper_methods = {
    .create = flipper_create,
    .step = flipper_step,
    .view = flipper_view,
    .destroy = flipper_destroy,
};

const bperc_solver_class bperc_flipper_class = {
    .name = "flipper",
    .summary = "flips weights of violated patterns, the best of a few",
    .step_name = "flips",
    .options = flipper_option_table,
    .options_size = sizeof(bperc_flipper_options),
    .methods = &flipper_methods,
};
