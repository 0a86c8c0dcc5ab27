/* Part of bp_body.c, which includes it: vectors of numbers.
 *
 * A vector is as long as a register. Longer ones are split by the compiler,
 * comparisons even into single numbers: read_list took 2.5 times as long.
 * Rows and sums go by eight numbers, that is EIGHT vectors: number k is lane
 * k % LANES of vector k / LANES.
 *
 * Blocks have n <= TOGETHER vectors, n a constant wherever this is used: each
 * step is written for all of them before the next one, since operations that
 * follow each other in the program and do not wait for each other keep the
 * processor busy. */
#ifdef __AVX2__
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif
enum { EIGHT = 8 / LANES, WIDE = LANES / 2, TOGETHER = 4 };
#define EACH(j, n) for (int j = 0; j < (n); j++)

typedef float fv __attribute__((vector_size(4 * LANES)));
typedef int32_t iv __attribute__((vector_size(4 * LANES)));
typedef uint32_t uv __attribute__((vector_size(4 * LANES)));
/* of WIDE numbers of double precision */
typedef double dv __attribute__((vector_size(4 * LANES)));
typedef int64_t lv __attribute__((vector_size(4 * LANES)));
typedef uint64_t ulv __attribute__((vector_size(4 * LANES)));
typedef double d4 __attribute__((vector_size(32)));

INLINE fv f32_load(const float *p) {
  fv x;
  memcpy(&x, p, sizeof x);
  return x;
}

INLINE void f32_store(float *p, fv x) { memcpy(p, &x, sizeof x); }

INLINE fv f32_select(iv where, fv yes, fv no) {
  return (fv)((where & (iv)yes) | (~where & (iv)no));
}

INLINE fv f32_keep(iv where, fv x) { return (fv)(where & (iv)x); }

#ifdef __AVX2__
INLINE fv f32_splat(float x) { return (fv){x, x, x, x, x, x, x, x}; }

INLINE iv i32_splat(int32_t x) { return (iv){x, x, x, x, x, x, x, x}; }

INLINE dv wide_splat(double x) { return (dv){x, x, x, x}; }

INLINE fv gathered(const float *g, const uint32_t *list) {
  return (fv){g[list[0]], g[list[1]], g[list[2]], g[list[3]],
              g[list[4]], g[list[5]], g[list[6]], g[list[7]]};
}

static const iv lane_bits = {1, 2, 4, 8, 16, 32, 64, 128};
#else
INLINE fv f32_splat(float x) { return (fv){x, x, x, x}; }

INLINE iv i32_splat(int32_t x) { return (iv){x, x, x, x}; }

INLINE dv wide_splat(double x) { return (dv){x, x}; }

INLINE fv gathered(const float *g, const uint32_t *list) {
  return (fv){g[list[0]], g[list[1]], g[list[2]], g[list[3]]};
}

static const iv lane_bits = {1, 2, 4, 8};
#endif

/* Lane masks of the bits from LANES * j on. */
INLINE iv f32_lanes(uint32_t bits, int j) {
  const iv bit = lane_bits << LANES * j;
  return (i32_splat((int32_t)bits) & bit) == bit;
}

/* One instruction that compilers do not find in the general form. */
#if defined(__AVX2__)
INLINE fv f32_min(fv x, fv y) { return __builtin_ia32_minps256(x, y); }
INLINE fv f32_max(fv x, fv y) { return __builtin_ia32_maxps256(x, y); }
#elif defined(__SSE2__)
INLINE fv f32_min(fv x, fv y) { return __builtin_ia32_minps(x, y); }
INLINE fv f32_max(fv x, fv y) { return __builtin_ia32_maxps(x, y); }
#else
INLINE fv f32_min(fv x, fv y) { return f32_select(x < y, x, y); }
INLINE fv f32_max(fv x, fv y) { return f32_select(x > y, x, y); }
#endif

INLINE double f32_number(const fv *x, int k) {
  return (double)x[k / LANES][k % LANES];
}

/* Of eight numbers, in an order that does not depend on the vectors. */
INLINE double f32_total(const fv *x) {
  d4 sum = (d4){f32_number(x, 0), f32_number(x, 1), f32_number(x, 2),
                f32_number(x, 3)} +
           (d4){f32_number(x, 4), f32_number(x, 5), f32_number(x, 6),
                f32_number(x, 7)};
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
