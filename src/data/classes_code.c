/* Which outputs the classes want: one against the rest, pairs, codes of bits.
 */
#include "data/classes.h"

#include "base/alloc.h"
#include "bperc/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Streams of their own, beside those of bperc/stream.h. */
enum { FOR_CODES = 60 };
enum { DRAWS = 200, BITS_PER_DOUBLING = 5, SMALL_CODE = 4 };

static int8_t *code_of_rest(size_t classes, size_t *units) {
  int8_t *code = bperc_i_alloc(classes * classes, 1);
  *units = classes;
  for (size_t k = 0; code && k < classes; k++)
    for (size_t v = 0; v < classes; v++)
      code[k * classes + v] = v == k ? 1 : -1;
  return code;
}

static int8_t *code_of_pairs(size_t classes, size_t *units) {
  size_t count = classes * (classes - 1) / 2;
  int8_t *code = bperc_i_calloc(count * classes, 1), *at = code;
  *units = count;
  for (size_t v = 0; code && v < classes; v++)
    for (size_t u = v + 1; u < classes; u++, at += classes) {
      at[u] = 1;
      at[v] = -1;
    }
  return code;
}

/* All ways to cut the classes in two, of few classes; the last class wants
 * -1. */
static int8_t *code_of_all_cuts(size_t classes, size_t *units) {
  size_t count = ((size_t)1 << (classes - 1)) - 1;
  int8_t *code = bperc_i_alloc(count * classes, 1);
  *units = count;
  for (size_t k = 0; code && k < count; k++)
    for (size_t v = 0; v < classes; v++)
      code[k * classes + v] = (k + 1) >> v & 1 ? 1 : -1;
  return code;
}

static void draw_code(bperc_stream *stream, size_t classes, size_t units,
                      int8_t *code) {
  for (size_t k = 0; k < units; k++) {
    int8_t *at = code + k * classes;
    size_t plus = 0;
    for (size_t v = 0; v < classes; v++) {
      at[v] = bperc_stream_below(stream, 2) ? 1 : -1;
      plus += at[v] > 0;
    }
    k -= plus == 0 || plus == classes; /* it tells nothing: once more */
  }
}

/* The fewest units in which two classes differ. */
static size_t code_distance(const int8_t *code, size_t classes, size_t units) {
  size_t least = units;
  for (size_t v = 0; v < classes; v++)
    for (size_t u = v + 1; u < classes; u++) {
      size_t d = 0;
      for (size_t k = 0; k < units; k++)
        d += code[k * classes + v] != code[k * classes + u];
      least = d < least ? d : least;
    }
  return least;
}

/* The best of many random codes: classes differ in as many units as can be. */
static int8_t *code_of_bits(size_t classes, uint64_t seed, size_t *units) {
  bperc_stream stream = bperc_stream_make(seed, (bperc_purpose)FOR_CODES, 0);
  size_t count = (size_t)ceil(BITS_PER_DOUBLING * log2((double)classes)),
         best = 0;
  int8_t *code = bperc_i_alloc(count * classes, 1);
  int8_t *draw = bperc_i_alloc(count * classes, 1);
  *units = count;
  for (int k = 0; code && draw && k < DRAWS; k++) {
    size_t distance;
    draw_code(&stream, classes, count, draw);
    distance = code_distance(draw, classes, count);
    if (k == 0 || distance > best) {
      best = distance;
      memcpy(code, draw, count * classes);
    }
  }
  if (!draw) {
    bperc_i_free(code);
    code = NULL;
  }
  bperc_i_free(draw);
  return code;
}

int8_t *bperc_i_classes_code(bperc_scheme scheme, size_t classes, uint64_t seed,
                             size_t *units) {
  *units = 0;
  switch (scheme) {
  case BPERC_SCHEME_REST:
    return code_of_rest(classes, units);
  case BPERC_SCHEME_PAIRS:
    return code_of_pairs(classes, units);
  case BPERC_SCHEME_BITS:
    if (classes < SMALL_CODE)
      return NULL; /* the same as one against the rest */
    return classes == SMALL_CODE ? code_of_all_cuts(classes, units)
                                 : code_of_bits(classes, seed, units);
  default:
    return NULL;
  }
}
