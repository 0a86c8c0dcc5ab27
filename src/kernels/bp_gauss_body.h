/* Part of bp_body.c, which includes it: the Gaussian factor at many
 * points in double precision, and its polynomial from single precision. */

/* ---- double precision: log H(a)/H(b) */

INLINE dv loadd(const double *p) {
  dv x;
  memcpy(&x, p, sizeof x);
  return x;
}

INLINE dv pickd(lv where, dv yes, dv no) {
  return (dv)((where & (lv)yes) | (~where & (lv)no));
}

INLINE dv mostd(dv x, dv y) { return pickd(x > y, x, y); }

/* exp(y) for -700 < y <= 0. */
INLINE dv exponential(dv y) {
  const dv magic = wide_splat(6755399441055744.); /* 1.5 * 2^52 */
  dv shifted = y * 1.4426950408889634 + magic, k = shifted - magic;
  dv r = (y - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
  dv e = wide_splat(1. / 39916800);
  lv scale = ((lv)shifted - (lv)magic + 1023) << 52;
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
  return e * (dv)scale;
}

/* 2 atanh s = log (1 + s)/(1 - s), |s| < 0.18. */
INLINE dv twice_atanh(dv s) {
  dv z = s * s;
  dv y = wide_splat(1. / 17);
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
INLINE dv logarithm(dv x) {
  const lv half = (lv)wide_splat(0.70710678118654752);
  const lv exponent = ~(lv)wide_splat(0) << 52;
  lv shift = ((lv)x - half) & exponent;
  dv m = (dv)((lv)x - shift), s = (m - 1.) / (m + 1.);
  /* the exponent as a number: bits of 1.5 * 2^52 plus k, minus that */
  dv k = (dv)((shift >> 52) + (lv)wide_splat(6755399441055744.)) -
         6755399441055744.;
  return k * 0.69314718055994531 + twice_atanh(s);
}

/* 1/sqrt(x): a first guess from the exponent, four Newton steps. */
INLINE dv inverse_root(dv x) {
  lv guess = 0x5fe6eb50c7b537a9 - (lv)((ulv)x >> 1);
  dv y = (dv)guess, half = 0.5 * x;
  for (int k = 0; k < 4; k++)
    y = y * (1.5 - half * y * y);
  return y;
}

/* Mills ratio H(x)/G(x), x >= 0: t P(2t - 1) with t = 4/(4 + x). P is the
 * Chebyshev interpolant of degree 13 on 0 <= t <= 1, relative error 1.2e-10
 * (tests/unit/kernels/test_bp_kernels.c measures it). */
INLINE dv mills(dv x) {
  static const double poly[] = {
      0.47330476581834674,     0.38094272765995546,     0.24260238958349975,
      0.11688524517143614,     0.037847926161089999,    0.0047250413174157527,
      -0.0021804805093538246,  -0.0010215276921980146,  8.3258017675470701e-05,
      0.0001435305885249716,   -6.4324453459254795e-07, -2.0025255808015299e-05,
      -1.4716484971913753e-07, 2.0769066246093774e-06,
  };
  dv t = 4. / (4. + x), y = 2. * t - 1., m = wide_splat(poly[13]);
  for (int i = 12; i >= 0; i--)
    m = m * y + poly[i];
  return t * m;
}

/* H(x) = exp(-power) * mantissa, the mantissa a normal number; *small is
 * H(|x|). */
INLINE dv tail(dv x, dv *power, dv *small) {
  const double norm = 0.39894228040143267794; /* 1/sqrt(2 pi) */
  lv right = x > 0.;
  dv size = pickd(right, x, -x), square = 0.5 * x * x;
  dv m = norm * mills(size);
  *small = exponential(-pickd(square < 690., square, wide_splat(690))) * m;
  *power = pickd(right, square, wide_splat(0));
  return pickd(right, m, 1. - *small);
}

/* log m1/m0 where both are close to 1: m = 1 - small. A factor that is almost
 * sure to be satisfied has messages far below the rounding of m, and their
 * signs decide. */
INLINE dv log_near_one(dv m0, dv small0, dv small1, lv *valid) {
  dv r = (small0 - small1) / m0, s = r / (2. + r);
  *valid &= (r < 0.3) & (r > -0.3);
  return twice_atanh(s);
}

INLINE void some_gaussians(double s, double edge, bperc_i_row_sums row,
                           const double *p, double *h_hat, double *log_z) {
  dv x, v, inverse, m0, m1, k0, k1, h, small0, small1, near;
  lv sure;
  memcpy(&x, p, sizeof x);
  v = mostd(row.v - x * (1. - x), wide_splat(1e-12));
  inverse = inverse_root(v);
  dv x0 = s * (edge - row.a + x) * inverse;
  dv x1 = x0 - s * inverse;
  m0 = tail(x0, &k0, &small0);
  m1 = tail(x1, &k1, &small1);
  sure = (x0 <= 0.) & (x1 <= 0.);
  near = log_near_one(m0, small0, small1, &sure);
  h = pickd(sure, near, (k0 - k1) + logarithm(m1 / m0));
  h = pickd(h > 50., wide_splat(50), pickd(h < -50., wide_splat(-50), h));
  memcpy(h_hat, &h, sizeof h);
  if (log_z) {
    dv y = 1. - x, e = exponential(-pickd(h < 0., -h, wide_splat(0)));
    dv back = exponential(-pickd(h > 0., h, wide_splat(0)));
    /* log(1-p + p e^h), with e^h kept at or below one */
    y = pickd(h > 0., h + logarithm(y * back + x), logarithm(y + x * e));
    memcpy(log_z, &y, sizeof y);
  }
}

static void gaussian(double s, double edge, bperc_i_row_sums row,
                     const double *p, size_t count, double *h_hat,
                     double *log_z) {
  for (size_t k = 0; k < count; k += WIDE)
    some_gaussians(s, edge, row, p + k, h_hat + k, log_z ? log_z + k : NULL);
}

/* ---- the polynomial of a factor, single precision */

/* As twice_atanh, shorter series. */
INLINE fv short_twice_atanh(fv s) {
  static const float series[] = {1, 1.f / 3, 1.f / 5, 1.f / 7, 1.f / 9};
  return 2.f * s * f32_polynomial(series, 4, s * s);
}

/* log x: as logarithm. */
INLINE fv short_logarithm(fv x) {
  const iv half = (iv)f32_splat(0.70710678f), exponent = ~(iv)f32_splat(0)
                                                         << 23;
  iv shift = ((iv)x - half) & exponent;
  fv m = (fv)((iv)x - shift), s = (m - 1.f) / (m + 1.f);
  fv k = (fv)((shift >> 23) + (iv)f32_splat(12582912.f)) - 12582912.f;
  return k * 0.69314718f + short_twice_atanh(s);
}

/* Three Newton steps reach single precision. */
INLINE fv short_inverse_root(fv x) {
  fv y = (fv)(0x5f375a86 - (iv)((uv)x >> 1)), half = 0.5f * x;
  for (int k = 0; k < 3; k++)
    y = y * (1.5f - half * y * y);
  return y;
}

/* As mills, of degree 9: relative error 9e-8. */
INLINE fv short_mills(fv x) {
  static const float poly[] = {
      0.473304764f,    0.380942699f,    0.242602488f,    0.116886699f,
      0.0378471501f,   0.00471324794f,  -0.00217838309f, -0.000987456178f,
      8.10519031e-05f, 0.000101904663f,
  };
  fv t = 4.f / (4.f + x);
  return t * f32_polynomial(poly, 9, 2.f * t - 1.f);
}

/* H(x) exp(x^2/2) for x > 0, H(x) otherwise; *small is H(|x|). */
INLINE fv short_tail(fv x, fv *small) {
  fv square = f32_min(f32_splat(160), x * x),
     m = 0.39894228f * short_mills(f32_max(x, -x));
  *small = power_of_two(square * (0.5f * -1.44269504f), 1) * m;
  return f32_select(x > 0.f, m, 1.f - *small);
}

/* As log_near_one. */
INLINE fv short_log_near_one(fv m0, fv small0, fv small1, iv *valid) {
  fv r = (small0 - small1) / m0, s = r / (2.f + r);
  *valid &= (r < 0.3f) & (r > -0.3f);
  return short_twice_atanh(s);
}

/* h_hat at the nodes. */
INLINE fv short_gaussian(float s, float behind, float v, fv p) {
  fv inverse =
      short_inverse_root(f32_max(v - p * (1.f - p), f32_splat(1e-12f)));
  fv x0 = (behind + s * p) * inverse, x1 = (behind + s * (p - 1.f)) * inverse;
  fv gap = 0.5f * s * inverse * (x0 + x1); /* (x0^2 - x1^2) / 2 */
  fv only0 = f32_keep(x0 > 0.f, 0.5f * x0 * x0);
  fv only1 = f32_keep(x1 > 0.f, 0.5f * x1 * x1);
  fv small0, small1, m0 = short_tail(x0, &small0), m1 = short_tail(x1, &small1);
  iv sure = (x0 <= 0.f) & (x1 <= 0.f);
  fv near = short_log_near_one(m0, small0, small1, &sure);
  fv h = f32_select((x0 > 0.f) & (x1 > 0.f), gap, only0 - only1) +
         short_logarithm(m1 / m0);
  h = f32_select(sure, near, h);
  return f32_max(f32_splat(-50), f32_min(f32_splat(50), h));
}

/* Vectors of as many numbers as there are nodes. */
enum { SERIES = BPERC_I_NODES / WIDE };

/* The polynomial of a Chebyshev series, its negligible terms left out. */
INLINE double set_powers(const double *c, bperc_i_poly *poly) {
  dv power[SERIES];
  int degree = BPERC_I_NODES - 1;
  double negligible = BPERC_I_NEGLIGIBLE * fmin(1, 1e3 * fabs(c[0]));
  while (degree > 3 && fabs(c[degree]) + fabs(c[degree - 1]) < negligible)
    degree -= 2;
  EACH(i, SERIES) power[i] = wide_splat(0);
  for (int k = 0; k <= degree; k++)
    EACH(i, SERIES) {
      const double *row = bperc_i_bp_chebyshev.power[k];
      power[i] += c[k] * loadd(row + WIDE * i);
    }
  for (int i = 0; i < BPERC_I_NODES; i++)
    poly->c[i] = (float)power[i / WIDE][i % WIDE];
  poly->degree = degree;
  return fabs(c[BPERC_I_NODES - 1]);
}

static double fit_values(const double *values, bperc_i_poly *poly) {
  double c[BPERC_I_NODES];
  dv sum[SERIES];
  EACH(i, SERIES) sum[i] = wide_splat(0);
  for (int j = 0; j < BPERC_I_NODES; j++)
    EACH(i, SERIES) {
      const double *row = bperc_i_bp_chebyshev.cosine[j];
      sum[i] += values[j] * loadd(row + WIDE * i);
    }
  EACH(i, SERIES) memcpy(c + WIDE * i, &sum[i], sizeof *sum);
  return set_powers(c, poly);
}

static double fit_gaussian(double s, double edge, bperc_i_row_sums row,
                           bperc_i_poly *poly) {
  const double *node = bperc_i_bp_chebyshev.node;
  double values[BPERC_I_NODES];
  EACH(i, EIGHT) {
    fv p, h;
    EACH(j, LANES) p[j] = (float)node[LANES * i + j];
    h = short_gaussian((float)s, (float)(s * (edge - row.a)), (float)row.v, p);
    EACH(j, LANES) values[LANES * i + j] = (double)h[j];
  }
  return fit_values(values, poly);
}
