/* Part of bp_body.c, which includes it: from columns to packed edges and back.
 * Edge k of a row belongs to the k-th bit of its mask that is set. */

#ifdef __AVX2__
#include <immintrin.h>

#define PACK_DENSITY 0.25

static void pack_masked_row(const float *g, const uint64_t *mask, size_t width,
                            float *out) {
  for (size_t k = 0; k < width; k += 64) {
    uint64_t bits = mask[k / 64];
    for (size_t j = 0; j < 64; j += 8, bits >>= 8) {
      __m256i from = _mm256_cvtepu8_epi32(
          _mm_loadl_epi64((const void *)bperc_i_bp_places.pack[bits & 255]));
      _mm256_storeu_ps(
          out, _mm256_permutevar8x32_ps(_mm256_loadu_ps(g + k + j), from));
      out += __builtin_popcount(bits & 255);
    }
  }
}

static void expand_row(const float *in, const uint64_t *mask, size_t width,
                       float *sums) {
  for (size_t k = 0; k < width; k += 64) {
    uint64_t bits = mask[k / 64];
    for (size_t j = 0; j < 64; j += 8, bits >>= 8) {
      __m256i from = _mm256_cvtepi8_epi32(
          _mm_loadl_epi64((const void *)bperc_i_bp_places.expand[bits & 255]));
      __m256 x = _mm256_permutevar8x32_ps(_mm256_loadu_ps(in), from);
      x = _mm256_blendv_ps(x, _mm256_setzero_ps(), _mm256_castsi256_ps(from));
      _mm256_storeu_ps(sums + k + j,
                       _mm256_add_ps(_mm256_loadu_ps(sums + k + j), x));
      in += __builtin_popcount(bits & 255);
    }
  }
}

#else
#define PACK_DENSITY 2.

static void pack_masked_row(const float *g, const uint64_t *mask, size_t width,
                            float *out) {
  for (size_t k = 0; k < width; k += 64)
    for (uint64_t bits = mask[k / 64]; bits; bits &= bits - 1)
      *out++ = g[k + (size_t)__builtin_ctzll(bits)];
}

static void expand_row(const float *in, const uint64_t *mask, size_t width,
                       float *sums) {
  for (size_t k = 0; k < width; k += 64)
    for (uint64_t bits = mask[k / 64]; bits; bits &= bits - 1)
      sums[k + (size_t)__builtin_ctzll(bits)] += *in++;
}
#endif
