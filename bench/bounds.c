/* Bounds of this machine: bounds.h. */
#include "bounds.h"

#include "bench.h"

#include <stdint.h>
#if defined(__x86_64__)
#include <immintrin.h>
#define WIDE __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define WIDE
#endif

enum { STREAMS = 8, LINE = 8, PAIR_WORDS = 1024 };
typedef uint64_t line __attribute__((vector_size(64)));

static volatile uint64_t sink;

WIDE static void read_block(const line *data, size_t lines, size_t repeats) {
  line sum[STREAMS] = {{0}};
  for (size_t r = 0; r < repeats; r++)
    for (size_t k = 0; k + STREAMS <= lines; k += STREAMS)
      for (size_t j = 0; j < STREAMS; j++)
        sum[j] ^= data[k + j];
  for (size_t j = 1; j < STREAMS; j++)
    sum[0] ^= sum[j];
  sink = sum[0][0] ^ sum[0][LINE - 1];
}

void bounds_read_words(const uint64_t *data, size_t words, size_t repeats) {
  read_block((const line *)data, words / LINE, repeats);
}

/* 64 bytes a line, a whole number of STREAMS lines. */
static line *new_lines(size_t *bytes) {
  *bytes = (*bytes + STREAMS * sizeof(line) - 1) / (STREAMS * sizeof(line)) *
           (STREAMS * sizeof(line));
  line *data = aligned_alloc(sizeof(line), *bytes);
  if (!data)
    exit(1);
  memset(data, 0x5a, *bytes);
  return data;
}

typedef struct {
  const line *data;
  size_t lines, repeats;
} block;

static void read_once(void *context) {
  const block *b = context;
  read_block(b->data, b->lines, b->repeats);
}

double bounds_read(size_t bytes) {
  const size_t amount = (size_t)1 << 28; /* bytes of a round */
  line *data = new_lines(&bytes);
  block b = {data, bytes / sizeof(line), amount / bytes + 1};
  bench_variant v = {read_once, &b, (double)(bytes * b.repeats), 0};
  bench_race(&v, 1, 5);
  free(data);
  return v.best;
}

/* ---- counting ones */

typedef struct {
  const uint64_t *x, *y;
  size_t repeats;
} pair;

static void count_words(void *context) {
  const pair *p = context;
  uint64_t sum = 0;
  for (size_t r = 0; r < p->repeats; r++)
    for (size_t k = 0; k < PAIR_WORDS; k++)
      sum += (uint64_t)__builtin_popcountll(p->x[k] & p->y[k]);
  sink = sum;
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) static void count_popcnt(void *context) {
  const pair *p = context;
  uint64_t sum[4] = {0};
  for (size_t r = 0; r < p->repeats; r++)
    for (size_t k = 0; k < PAIR_WORDS; k += 4)
      for (size_t j = 0; j < 4; j++)
        sum[j] += (uint64_t)_mm_popcnt_u64(p->x[k + j] & p->y[k + j]);
  sink = sum[0] + sum[1] + sum[2] + sum[3];
}

__attribute__((target("avx512f,avx512vpopcntdq"))) static void
count_avx512(void *context) {
  const pair *p = context;
  __m512i sum[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(),
                    _mm512_setzero_si512(), _mm512_setzero_si512()};
  for (size_t r = 0; r < p->repeats; r++)
    for (size_t k = 0; k < PAIR_WORDS; k += 4 * LINE)
      for (size_t j = 0; j < 4; j++) {
        size_t at = k + j * LINE;
        __m512i both = _mm512_and_si512(_mm512_load_si512(p->x + at),
                                        _mm512_load_si512(p->y + at));
        sum[j] = _mm512_add_epi64(sum[j], _mm512_popcnt_epi64(both));
      }
  sink = (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(
      _mm512_add_epi64(sum[0], sum[1]), _mm512_add_epi64(sum[2], sum[3])));
}
#endif

double bounds_popcount(void) {
  size_t bytes = 2 * PAIR_WORDS * sizeof(uint64_t), count = 1;
  uint64_t *data = (uint64_t *)new_lines(&bytes);
  pair p = {data, data + PAIR_WORDS, 4000};
  double words = (double)PAIR_WORDS * (double)p.repeats, best;
  bench_variant v[3] = {{count_words, &p, words, 0}};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("popcnt"))
    v[count++] = (bench_variant){count_popcnt, &p, words, 0};
  if (__builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512vpopcntdq"))
    v[count++] = (bench_variant){count_avx512, &p, words, 0};
#endif
  bench_race(v, count, 5);
  best = v[0].best;
  for (size_t k = 1; k < count; k++)
    if (v[k].best < best)
      best = v[k].best;
  free(data);
  return best;
}
