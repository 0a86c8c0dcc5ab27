/* Part of bp_body.c, which includes it: the exact factor by the
 * distribution of the capped count.
 *
 * Edge k belongs to lane k % 8. A lane takes its edges in pairs and keeps the
 * distribution of its first 2j edges (the heads); those of whole lanes are put
 * together so that each lane knows the distribution of the seven others; from
 * there a lane walks back, and at each pair the head meets the rest. All terms
 * are positive: nothing is lost by subtraction. A pattern that hardly ever
 * holds is out of range, and the kernel says so. */

/* Zero vectors in front of a distribution: sums may reach below it. */
enum { FRONT = 3 };

/* P(ok) from which terms below the range of the numbers, 1e-38, are not
 * missed. */
#define SMALLEST 1e-28f

/* A distribution has eight lanes for each count. What is written for a vector
 * is done for each of the EIGHT vectors of the lanes, from
 * distribution + LANES * h on. */
INLINE fv at(const float *d, size_t k) { return f32_load(d + 8 * k); }

INLINE void f32_put(float *d, size_t k, fv x) { f32_store(d + 8 * k, x); }

/* Lane i gets lane i ^ by, within a vector. */
INLINE fv swap_lanes(fv x, int by) {
#ifdef __AVX2__
  return by == 1   ? __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6)
         : by == 2 ? __builtin_shufflevector(x, x, 2, 3, 0, 1, 6, 7, 4, 5)
         : by == 4 ? __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3)
                   : x;
#else
  return by == 1   ? __builtin_shufflevector(x, x, 1, 0, 3, 2)
         : by == 2 ? __builtin_shufflevector(x, x, 2, 3, 0, 1)
                   : x;
#endif
}

INLINE void swap(const float *from, size_t bound, int by, float *to) {
  for (size_t k = 0; k <= bound; k++)
    EACH(h, EIGHT) {
      fv x = at(from + LANES * (h ^ by / LANES), k);
      f32_put(to + LANES * h, k, swap_lanes(x, by % LANES));
    }
}

/* P(counted) of edges: p, or 1 - p; 0 where there is no edge. */
INLINE fv counted(fv p, int zeros) {
  return zeros ? f32_keep(p > 0.f, 1.f - p) : p;
}

/* Two edges of every lane: P(counted) of each, and of both. */
typedef struct {
  fv x[2], both[3];
} edge_pair;

INLINE edge_pair take_pair(const float *p, size_t left, int zeros) {
  edge_pair e = {{counted(f32_load(p), zeros), f32_splat(0)}, {f32_splat(0)}};
  if (left > 1)
    e.x[1] = counted(f32_load(p + 8), zeros);
  e.both[0] = (1.f - e.x[0]) * (1.f - e.x[1]);
  e.both[1] = e.x[0] * (1.f - e.x[1]) + (1.f - e.x[0]) * e.x[1];
  e.both[2] = e.x[0] * e.x[1];
  return e;
}

/* next = last with one more pair, for counts up to top; the count `bound`
 * stands for all larger ones when at_least. Two zeros precede a head. */
INLINE void add_pair(const float *last, const edge_pair *e, size_t top,
                     size_t bound, int at_least, float *next) {
  fv low = f32_splat(0), middle = f32_splat(0), high = f32_splat(0);
  for (size_t k = 0; k <= top; k++) {
    low = middle;
    middle = high;
    high = at(last, k);
    f32_put(next, k,
            e->both[0] * high + e->both[1] * middle + e->both[2] * low);
  }
  if (at_least && top == bound)
    f32_put(next, bound,
            high + (e->both[1] + e->both[2]) * middle + e->both[2] * low);
}

/* Counts up to `bound` of two independent sums; a has no more than `most`. */
INLINE void convolve_lanes(const float *a, size_t most, const float *b,
                           size_t bound, int at_least, float *out) {
  for (size_t k = 0; k <= bound; k += 4) {
    size_t last = k + 3 < most ? k + 3 : most;
    fv s0 = f32_splat(0), s1 = f32_splat(0), s2 = f32_splat(0),
       s3 = f32_splat(0);
    for (size_t i = 0; i <= last; i++) {
      const float *from = b + 8 * k - 8 * i;
      fv x = at(a, i);
      s0 += x * at(from, 0);
      s1 += x * at(from, 1);
      s2 += x * at(from, 2);
      s3 += x * at(from, 3);
    }
    f32_put(out, k, s0);
    f32_put(out, k + 1, s1);
    f32_put(out, k + 2, s2);
    f32_put(out, k + 3, s3);
  }
  if (at_least) {
    fv sum = f32_splat(0), tail = f32_splat(0);
    for (size_t i = 0; i <= bound; i++) {
      tail += at(b, bound - i);
      sum += at(a, i) * tail;
    }
    f32_put(out, bound, sum);
  }
}

static void convolve(const float *a, size_t most, const float *b, size_t bound,
                     int at_least, float *out) {
  EACH(h, EIGHT) {
    convolve_lanes(a + LANES * h, most, b + LANES * h, bound, at_least,
                   out + LANES * h);
  }
}

/* Distributions besides the heads. */
enum { LANE, OTHERS, SHUFFLED, PAIR, MORE, SLOTS };

/* Numbers of a distribution with its surroundings. */
INLINE size_t room(size_t bound) { return 8 * (FRONT + bound + 1 + FRONT); }

INLINE float *slot(float *table, int which, size_t bound) {
  return table + (size_t)which * room(bound) + 8 * FRONT;
}

/* The heads of all lanes: head j at heads + 8 j (bound + 1); the last is the
 * distribution of the whole lane. */
INLINE void walk_ahead(const bperc_i_capped *way, const float *p, size_t rows,
                       float *heads, float *lane) {
  size_t bound = way->bound, stride = 8 * (bound + 1);
  for (size_t k = 0; k <= bound && k < 3; k++)
    f32_put(heads, k, f32_splat(k == 0));
  for (size_t j = 0; 2 * j < rows; j++) {
    size_t top = 2 * j + 2 < bound ? 2 * j + 2 : bound;
    float *next = 2 * j + 2 < rows ? heads + (j + 1) * stride : lane;
    edge_pair e = take_pair(p + 16 * j, rows - 2 * j, way->zeros);
    add_pair(heads + j * stride, &e, top, bound, way->at_least, next);
    for (size_t k = top + 1; k <= bound && k <= top + 2; k++)
      f32_put(next, k, f32_splat(0));
  }
}

/* The distribution of all other lanes, in three rounds: the neighbour, the
 * other pair, the other four. */
INLINE float *lanes_apart(const bperc_i_capped *way, size_t rows,
                          float *table) {
  size_t bound = way->bound, one = rows < bound ? rows : bound;
  size_t two = 2 * one < bound ? 2 * one : bound;
  size_t three = 3 * one < bound ? 3 * one : bound;
  float *lane = slot(table, LANE, bound), *others = slot(table, OTHERS, bound);
  float *shuffled = slot(table, SHUFFLED, bound);
  float *pair = slot(table, PAIR, bound), *more = slot(table, MORE, bound);
  swap(lane, bound, 1, others);
  convolve(lane, one, others, bound, way->at_least, pair);
  swap(pair, bound, 2, shuffled);
  convolve(others, one, shuffled, bound, way->at_least, more);
  convolve(pair, two, shuffled, bound, way->at_least, lane);
  swap(lane, bound, 4, shuffled);
  convolve(more, three, shuffled, bound, way->at_least, others);
  return others;
}

/* P(count <= k), or P(count >= k), also below 0. */
INLINE void cumulate(float *d, size_t bound, int at_least) {
  if (at_least) {
    for (size_t k = bound; k-- > 0;)
      f32_put(d, k, at(d, k) + at(d, k + 1));
    f32_put(d - 8, 0, at(d, 0));
    f32_put(d - 16, 0, at(d, 0));
  } else {
    for (size_t k = 1; k <= bound; k++)
      f32_put(d, k, at(d, k) + at(d, k - 1));
  }
}

/* Pair j: what heads and the rest give with 0, 1 and 2 more counted, then the
 * pair joins the rest. Only those numbers of the rest are kept up that shorter
 * heads can meet. */
INLINE void meet_pairs(const float *head, float *rest, size_t top, size_t bound,
                       const edge_pair *e, fv *ok) {
  fv high = at(rest, bound), middle = at(rest + 8 * bound - 8, 0);
  fv a = f32_splat(0), b = f32_splat(0), c = f32_splat(0);
  for (size_t k = 0; k <= top; k++) {
    fv low = f32_load(rest + 8 * bound - 8 * k - 16), h = at(head, k);
    a += h * high;
    b += h * middle;
    c += h * low;
    f32_put(rest, bound - k,
            e->both[0] * high + e->both[1] * middle + e->both[2] * low);
    high = middle;
    middle = low;
  }
  ok[0] = a;
  ok[1] = b;
  ok[2] = c;
}

typedef struct {
  fv least_seen[EIGHT];
  fv z[EIGHT];  /* of the lanes, the last edges seen */
  double terms; /* sum of log(1 - p + p exp h_hat) */
} walk_sums;

/* A pair of every lane, and P(ok) with 0, 1 and 2 more counted. */
typedef struct {
  edge_pair pair[EIGHT];
  fv ok[EIGHT][3];
} meeting;

/* h_hat of edges whose partners are counted with probability `other`; returns
 * their terms. */
INLINE fv finish_lanes(const fv *ok, fv x, fv other, fv edge, int zeros,
                       float *h_hat, int want_terms, fv *least_seen, fv *z) {
  fv without = (1.f - other) * ok[0] + other * ok[1];
  fv with = (1.f - other) * ok[1] + other * ok[2];
  fv value = short_logarithm(zeros ? without / with : with / without);
  value = f32_max(f32_splat(-50), f32_min(f32_splat(50), value));
  f32_store(h_hat, f32_keep(edge > 0.f, value));
  *least_seen = f32_min(*least_seen, f32_min(with, without));
  *z = x * with + (1.f - x) * without;
  return want_terms ? f32_keep(edge > 0.f,
                               short_logarithm(*z / (zeros ? with : without)))
                    : f32_splat(0);
}

/* The first or the second edges of the pairs. */
INLINE void finish_edges(const meeting *m, int which, const float *p, int zeros,
                         float *h_hat, int want_terms, walk_sums *sums) {
  fv terms[EIGHT];
  EACH(h, EIGHT) {
    const edge_pair *e = &m->pair[h];
    terms[h] = finish_lanes(m->ok[h], e->x[which], e->x[!which],
                            f32_load(p + LANES * h), zeros, h_hat + LANES * h,
                            want_terms, &sums->least_seen[h], &sums->z[h]);
  }
  if (want_terms)
    sums->terms += f32_total(terms);
}

/* Whether all numbers are in range. */
INLINE int in_range(const walk_sums *sums) {
  int good = 1;
  EACH(k, 8) good &= sums->least_seen[k / LANES][k % LANES] > SMALLEST;
  return good;
}

/* Down the pairs. */
INLINE int walk_back(const bperc_i_capped *way, const float *p, size_t rows,
                     const float *heads, float *rest, float *h_hat,
                     double *log_z) {
  size_t bound = way->bound, stride = 8 * (bound + 1);
  walk_sums sums = {.terms = 0};
  EACH(h, EIGHT) sums.least_seen[h] = f32_splat(1);
  for (size_t j = (rows + 1) / 2; j-- > 0;) {
    size_t top = 2 * j < bound ? 2 * j : bound, k = 16 * j;
    meeting m;
    EACH(h, EIGHT) {
      m.pair[h] = take_pair(p + k + LANES * h, rows - 2 * j, way->zeros);
      meet_pairs(heads + j * stride + LANES * h, rest + LANES * h, top, bound,
                 &m.pair[h], m.ok[h]);
    }
    if (2 * j + 1 < rows)
      finish_edges(&m, 1, p + k + 8, way->zeros, h_hat + k + 8, log_z != NULL,
                   &sums);
    finish_edges(&m, 0, p + k, way->zeros, h_hat + k, log_z != NULL, &sums);
  }
  if (log_z)
    *log_z = log((double)sums.z[0][0]) - sums.terms;
  return in_range(&sums);
}

/* What is read and may not have been written: the first lane, whose heads may
 * be short, and what stands around the two distributions that sums reach
 * beyond. The slots follow each other. */
INLINE void clear_around(float *table, size_t bound) {
  const size_t vector = 8 * sizeof *table, beyond = 8 * (bound + 1);
  float *lane = slot(table, LANE, bound), *others = slot(table, OTHERS, bound);
  memset(lane, 0, (bound + 1 + 2 * FRONT) * vector);
  memset(others + beyond, 0, 2 * FRONT * vector);
  memset(slot(table, SHUFFLED, bound) + beyond, 0, FRONT * vector);
}

INLINE int exact_way(const bperc_i_capped *way, const float *p, size_t count,
                     float *table, float *h_hat, double *bethe) {
  size_t rows = count / 8, bound = way->bound;
  float *heads = table + SLOTS * room(bound), *rest;
  clear_around(table, bound);
  EACH(h, EIGHT) {
    walk_ahead(way, p + LANES * h, rows, heads + LANES * h,
               slot(table, LANE, bound) + LANES * h);
  }
  rest = lanes_apart(way, rows, table);
  EACH(h, EIGHT) cumulate(rest + LANES * h, bound, way->at_least);
  return walk_back(way, p, rows, heads, rest, h_hat, bethe);
}

/* The kinds of question apart: no branches within. */
static int exact(const bperc_i_capped *way, const float *p, size_t count,
                 float *table, float *h_hat, double *bethe) {
  bperc_i_capped at_most = {0, 0, way->bound}, at_least = {0, 1, way->bound};
  if (way->zeros)
    return exact_way(way, p, count, table, h_hat, bethe);
  return way->at_least ? exact_way(&at_least, p, count, table, h_hat, bethe)
                       : exact_way(&at_most, p, count, table, h_hat, bethe);
}
