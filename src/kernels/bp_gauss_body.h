/* Second part of bp_body.h, which includes it: the Gaussian factor at many
 * points in double precision, and its polynomial from single precision. */

/* ---- double precision: log H(a)/H(b) */

INLINE d4 alld(double x) { return (d4){x, x, x, x}; }

INLINE d4 loadd(const double *p) {
  d4 x;
  memcpy(&x, p, sizeof x);
  return x;
}

INLINE d4 pickd(l4 where, d4 yes, d4 no) {
  return (d4)((where & (l4)yes) | (~where & (l4)no));
}

INLINE d4 mostd(d4 x, d4 y) { return pickd(x > y, x, y); }

/* exp(y) for -700 < y <= 0. */
INLINE d4 exponential(d4 y) {
  const d4 magic = alld(6755399441055744.); /* 1.5 * 2^52 */
  d4 shifted = y * 1.4426950408889634 + magic, k = shifted - magic;
  d4 r = (y - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
  d4 e = alld(1. / 39916800);
  l4 scale = ((l4)shifted - (l4)magic + 1023) << 52;
  e = e * r + 1. / 3628800;
  e = e * r + 1. / 362880;
  e = e * r + 1. / 40320;
  e = e * r + 1. / 5040;
  e = e * r + 1. / 720;
  e = e * r + 1. / 120;
  e = e * r + 1. / 24;
  e = e * r + 1. / 6;
  e = e * r + 0.5;
  e = e * r + 1.;
  e = e * r + 1.;
  return e * (d4)scale;
}

/* 2 atanh s = log (1 + s)/(1 - s), |s| < 0.18. */
INLINE d4 twice_atanh(d4 s) {
  d4 z = s * s;
  d4 y = alld(1. / 17);
  y = y * z + 1. / 15;
  y = y * z + 1. / 13;
  y = y * z + 1. / 11;
  y = y * z + 1. / 9;
  y = y * z + 1. / 7;
  y = y * z + 1. / 5;
  y = y * z + 1. / 3;
  y = y * z + 1.;
  return 2. * s * y;
}

/* log x for normal x > 0: exponent, and the series of atanh. */
INLINE d4 logarithm(d4 x) {
  const l4 half = (l4)alld(0.70710678118654752);
  const l4 exponent = ~(l4)alld(0) << 52;
  l4 shift = ((l4)x - half) & exponent;
  d4 m = (d4)((l4)x - shift), s = (m - 1.) / (m + 1.);
  /* the exponent as a number: bits of 1.5 * 2^52 plus k, minus that */
  d4 k = (d4)((shift >> 52) + (l4)alld(6755399441055744.)) - 6755399441055744.;
  return k * 0.69314718055994531 + twice_atanh(s);
}

/* 1/sqrt(x): a first guess from the exponent, four Newton steps. */
INLINE d4 inverse_root(d4 x) {
  l4 guess = 0x5fe6eb50c7b537a9 - (l4)((ul4)x >> 1);
  d4 y = (d4)guess, half = 0.5 * x;
  for (int k = 0; k < 4; k++)
    y = y * (1.5 - half * y * y);
  return y;
}

/* Mills ratio H(x)/G(x), x >= 0: t P(2t - 1) with t = 4/(4 + x). P is the
 * Chebyshev interpolant of degree 13 on 0 <= t <= 1, relative error 1.2e-10
 * (tests/unit/kernels/test_bp_kernels.c measures it). */
INLINE d4 mills(d4 x) {
  static const double poly[] = {
      0.47330476581834674,     0.38094272765995546,     0.24260238958349975,
      0.11688524517143614,     0.037847926161089999,    0.0047250413174157527,
      -0.0021804805093538246,  -0.0010215276921980146,  8.3258017675470701e-05,
      0.0001435305885249716,   -6.4324453459254795e-07, -2.0025255808015299e-05,
      -1.4716484971913753e-07, 2.0769066246093774e-06,
  };
  d4 t = 4. / (4. + x), y = 2. * t - 1., m = alld(poly[13]);
  for (int i = 12; i >= 0; i--)
    m = m * y + poly[i];
  return t * m;
}

/* H(x) = exp(-power) * mantissa, the mantissa a normal number; *small is
 * H(|x|). */
INLINE d4 tail(d4 x, d4 *power, d4 *small) {
  const double norm = 0.39894228040143267794; /* 1/sqrt(2 pi) */
  l4 right = x > 0.;
  d4 size = pickd(right, x, -x), square = 0.5 * x * x;
  d4 m = norm * mills(size);
  *small = exponential(-pickd(square < 690., square, alld(690))) * m;
  *power = pickd(right, square, alld(0));
  return pickd(right, m, 1. - *small);
}

/* log m1/m0 where both are close to 1: m = 1 - small. A factor that is almost
 * sure to be satisfied has messages far below the rounding of m, and their
 * signs decide. */
INLINE d4 log_near_one(d4 m0, d4 small0, d4 small1, l4 *valid) {
  d4 r = (small0 - small1) / m0, s = r / (2. + r);
  *valid &= (r < 0.3) & (r > -0.3);
  return twice_atanh(s);
}

INLINE void gaussian4(double s, double edge, bperc_i_row_sums row,
                      const double *p, double *h_hat, double *log_z) {
  d4 x, v, inverse, m0, m1, k0, k1, h, small0, small1, near;
  l4 sure;
  memcpy(&x, p, sizeof x);
  v = mostd(row.v - x * (1. - x), alld(1e-12));
  inverse = inverse_root(v);
  d4 x0 = s * (edge - row.a + x) * inverse;
  d4 x1 = x0 - s * inverse;
  m0 = tail(x0, &k0, &small0);
  m1 = tail(x1, &k1, &small1);
  sure = (x0 <= 0.) & (x1 <= 0.);
  near = log_near_one(m0, small0, small1, &sure);
  h = pickd(sure, near, (k0 - k1) + logarithm(m1 / m0));
  h = pickd(h > 50., alld(50), pickd(h < -50., alld(-50), h));
  memcpy(h_hat, &h, sizeof h);
  if (log_z) {
    d4 y = 1. - x, e = exponential(-pickd(h < 0., -h, alld(0)));
    d4 back = exponential(-pickd(h > 0., h, alld(0)));
    /* log(1-p + p e^h), with e^h kept at or below one */
    y = pickd(h > 0., h + logarithm(y * back + x), logarithm(y + x * e));
    memcpy(log_z, &y, sizeof y);
  }
}

static void gaussian(double s, double edge, bperc_i_row_sums row,
                     const double *p, size_t count, double *h_hat,
                     double *log_z) {
  for (size_t k = 0; k < count; k += 4)
    gaussian4(s, edge, row, p + k, h_hat + k, log_z ? log_z + k : NULL);
}

/* ---- the polynomial of a factor, single precision */

/* As twice_atanh, shorter series. */
INLINE f8 short_twice_atanh(f8 s) {
  static const float series[] = {1, 1.f / 3, 1.f / 5, 1.f / 7, 1.f / 9};
  return 2.f * s * polynomial(series, 4, s * s);
}

/* log x: as logarithm. */
INLINE f8 short_logarithm(f8 x) {
  const i8 half = (i8)all(0.70710678f), exponent = ~(i8)all(0) << 23;
  i8 shift = ((i8)x - half) & exponent;
  f8 m = (f8)((i8)x - shift), s = (m - 1.f) / (m + 1.f);
  f8 k = (f8)((shift >> 23) + (i8)all(12582912.f)) - 12582912.f;
  return k * 0.69314718f + short_twice_atanh(s);
}

/* Three Newton steps reach single precision. */
INLINE f8 short_inverse_root(f8 x) {
  f8 y = (f8)(0x5f375a86 - (i8)((ui8)x >> 1)), half = 0.5f * x;
  for (int k = 0; k < 3; k++)
    y = y * (1.5f - half * y * y);
  return y;
}

/* As mills, of degree 9: relative error 9e-8. */
INLINE f8 short_mills(f8 x) {
  static const float poly[] = {
      0.473304764f,    0.380942699f,    0.242602488f,    0.116886699f,
      0.0378471501f,   0.00471324794f,  -0.00217838309f, -0.000987456178f,
      8.10519031e-05f, 0.000101904663f,
  };
  f8 t = 4.f / (4.f + x);
  return t * polynomial(poly, 9, 2.f * t - 1.f);
}

/* H(x) exp(x^2/2) for x > 0, H(x) otherwise; *small is H(|x|). */
INLINE f8 short_tail(f8 x, f8 *small) {
  f8 square = least(all(160), x * x),
     m = 0.39894228f * short_mills(most(x, -x));
  *small = power_of_two(square * (0.5f * -1.44269504f), 1) * m;
  return pick(x > 0.f, m, 1.f - *small);
}

/* As log_near_one. */
INLINE f8 short_log_near_one(f8 m0, f8 small0, f8 small1, i8 *valid) {
  f8 r = (small0 - small1) / m0, s = r / (2.f + r);
  *valid &= (r < 0.3f) & (r > -0.3f);
  return short_twice_atanh(s);
}

/* h_hat at the nodes. */
INLINE f8 short_gaussian(float s, float behind, float v, f8 p) {
  f8 inverse = short_inverse_root(most(v - p * (1.f - p), all(1e-12f)));
  f8 x0 = (behind + s * p) * inverse, x1 = (behind + s * (p - 1.f)) * inverse;
  f8 gap = 0.5f * s * inverse * (x0 + x1); /* (x0^2 - x1^2) / 2 */
  f8 only0 = keep(x0 > 0.f, 0.5f * x0 * x0);
  f8 only1 = keep(x1 > 0.f, 0.5f * x1 * x1);
  f8 small0, small1, m0 = short_tail(x0, &small0), m1 = short_tail(x1, &small1);
  i8 sure = (x0 <= 0.f) & (x1 <= 0.f);
  f8 near = short_log_near_one(m0, small0, small1, &sure);
  f8 h = pick((x0 > 0.f) & (x1 > 0.f), gap, only0 - only1) +
         short_logarithm(m1 / m0);
  h = pick(sure, near, h);
  return most(all(-50), least(all(50), h));
}

/* The polynomial of a Chebyshev series, its negligible terms left out. */
INLINE double set_powers(d4 low, d4 high, bperc_i_poly *poly) {
  const double c[BPERC_I_NODES] = {low[0],  low[1],  low[2],  low[3],
                                   high[0], high[1], high[2], high[3]};
  d4 power[2] = {alld(0), alld(0)};
  int degree = BPERC_I_NODES - 1;
  double negligible = BPERC_I_NEGLIGIBLE * fmin(1, 1e3 * fabs(c[0]));
  while (degree > 3 && fabs(c[degree]) + fabs(c[degree - 1]) < negligible)
    degree -= 2;
  for (int k = 0; k <= degree; k++) {
    power[0] += c[k] * loadd(&bperc_i_bp_chebyshev.power[k][0]);
    power[1] += c[k] * loadd(&bperc_i_bp_chebyshev.power[k][4]);
  }
  for (int i = 0; i < BPERC_I_NODES; i++)
    poly->c[i] = (float)power[i / 4][i % 4];
  poly->degree = degree;
  return fabs(c[BPERC_I_NODES - 1]);
}

static double fit_values(const double *values, bperc_i_poly *poly) {
  d4 low = alld(0), high = alld(0);
  for (int j = 0; j < BPERC_I_NODES; j++) {
    low += values[j] * loadd(&bperc_i_bp_chebyshev.cosine[j][0]);
    high += values[j] * loadd(&bperc_i_bp_chebyshev.cosine[j][4]);
  }
  return set_powers(low, high, poly);
}

static double fit_gaussian(double s, double edge, bperc_i_row_sums row,
                           bperc_i_poly *poly) {
  const double *node = bperc_i_bp_chebyshev.node;
  double values[BPERC_I_NODES];
  f8 p, h;
  for (int j = 0; j < BPERC_I_NODES; j++)
    p[j] = (float)node[j];
  h = short_gaussian((float)s, (float)(s * (edge - row.a)), (float)row.v, p);
  for (int j = 0; j < BPERC_I_NODES; j++)
    values[j] = (double)h[j];
  return fit_values(values, poly);
}
