/* Random streams on threefry4x64 of Random123. */
#include "bperc/stream.h"

#include "base/bits.h"

#include <Random123/threefry.h>
#include <assert.h>

bperc_stream bperc_stream_make(uint64_t seed, bperc_purpose purpose,
                               uint64_t index) {
  bperc_stream s = {{seed, (uint64_t)purpose, index, 0}, 0, {0}, 4};
  return s;
}

static void refill_stream(bperc_stream *s) {
  threefry4x64_ctr_t counter = {{s->block++, 0, 0, 0}};
  threefry4x64_key_t key = {{s->key[0], s->key[1], s->key[2], s->key[3]}};
  threefry4x64_ctr_t out = threefry4x64(counter, key);
  for (int k = 0; k < 4; k++)
    s->buffer[k] = out.v[k];
  s->used = 0;
}

uint64_t bperc_stream_u64(bperc_stream *s) {
  if (s->used == 4)
    refill_stream(s);
  return s->buffer[s->used++];
}

double bperc_stream_double(bperc_stream *s) {
  return (double)(bperc_stream_u64(s) >> 11) * 0x1p-53;
}

/* Lemire's multiply-and-reject: https://arxiv.org/abs/1805.10941 */
uint64_t bperc_stream_below(bperc_stream *s, uint64_t n) {
  __extension__ typedef unsigned __int128 u128;
  u128 product = (u128)bperc_stream_u64(s) * n;
  if ((uint64_t)product < n) {
    uint64_t reject = -n % n;
    while ((uint64_t)product < reject)
      product = (u128)bperc_stream_u64(s) * n;
  }
  return (uint64_t)(product >> 64);
}

void bperc_stream_shuffle(bperc_stream *s, uint32_t *items, size_t n) {
  for (size_t i = n; i > 1; i--) {
    size_t j = (size_t)bperc_stream_below(s, i);
    uint32_t keep = items[i - 1];
    items[i - 1] = items[j];
    items[j] = keep;
  }
}

/* 64 Bernoulli bits at once: compare 64 uniform binary fractions with p, most
 * significant digit last. Starting from the lowest set digit of p, a digit 1
 * turns `u < p` into OR, a digit 0 into AND. */
static uint64_t bernoulli_word(bperc_stream *s, uint64_t digits) {
  uint64_t word = 0;
  assert(digits > 0 && digits >> 32 == 0);
  for (int k = __builtin_ctzll(digits); k < 32; k++) {
    uint64_t u = bperc_stream_u64(s);
    word = digits >> k & 1 ? word | ~u : word & ~u;
  }
  return word;
}

void bperc_stream_bernoulli(bperc_stream *s, double p, uint64_t *words,
                            size_t bits) {
  size_t count = bperc_i_words(bits);
  uint64_t digits = p <= 0   ? 0
                    : p >= 1 ? (uint64_t)1 << 32
                             : (uint64_t)(p * 0x1p32 + 0.5);
  for (size_t k = 0; k < count; k++)
    words[k] = digits == 0                   ? 0
               : digits >= (uint64_t)1 << 32 ? ~(uint64_t)0
                                             : bernoulli_word(s, digits);
  if (count)
    words[count - 1] &= bperc_i_tail_mask(bits);
}

uint64_t bperc_stream_seed(uint64_t seed, bperc_purpose purpose,
                           uint64_t index) {
  bperc_stream s = bperc_stream_make(seed, purpose, index);
  s.key[3] = 1;
  return bperc_stream_u64(&s);
}
