/* The products of AMP, shared out: amp_parts.h. */
#include "solver/amp_parts.h"
#include "solver/solver_recount.h"

#include <string.h>

enum {
  STRIP = BPERC_I_MATVEC_STRIP,
  TILE = 32, /* patterns of a product with columns */
};

bperc_i_amp_loop bperc_i_amp_loop_begin(bperc_i_amp *s,
                                        bperc_i_region *region) {
  return (bperc_i_amp_loop){
      .s = s,
      .region = region,
      .parts = bperc_i_region_parts(region),
      .fixed_point_g =
          s->fixed_point_g + bperc_i_region_worker(region) * s->g_room,
      .rows = s->rows + bperc_i_region_worker(region) * s->row_room,
      .means = s->mean_sums[0]};
}

/* Words of patterns in which these weights are. */
static bperc_i_span words_of(const bperc_i_amp *s, bperc_i_span sites) {
  return (bperc_i_span){sites.from / 64,
                        bperc_i_smaller((sites.to + 63) / 64, s->x.words)};
}

/* ---- products with columns */

/* Parts are cut one after another from strips of columns, of each strip from
 * tiles of patterns. A part that begins inside a strip has a place of its own
 * for the sums of that strip. */
typedef struct {
  size_t strip, tile;
} place;

static size_t tiles_of(const bperc_i_amp *s) {
  return s->in->m > TILE ? (s->in->m + TILE - 1) / TILE : 1;
}

static size_t strips_of(const bperc_i_amp *s) {
  return (s->x.words + STRIP - 1) / STRIP;
}

static place column_cut(const bperc_i_amp_loop *l, size_t part) {
  const size_t tiles = tiles_of(l->s);
  const size_t at = part * strips_of(l->s) * tiles / l->parts;
  return (place){at / tiles, at % tiles};
}

/* Strips of a part that it does alone and that are of its own weights: nobody
 * waits for them. */
static bperc_i_span inner_strips(const bperc_i_amp_loop *l, size_t part) {
  const bperc_i_amp *s = l->s;
  place from = column_cut(l, part), to = column_cut(l, part + 1);
  bperc_i_span w = words_of(s, bperc_i_amp_sites_of(l, part));
  size_t first = from.strip + (from.tile > 0), end = to.strip;
  first = bperc_i_larger(first, (w.from + STRIP - 1) / STRIP);
  end = w.to == s->x.words ? end : bperc_i_smaller(end, w.to / STRIP);
  return (bperc_i_span){first, bperc_i_larger(first, end)};
}

/* Where the sums of the strip in which a part begins are. */
static size_t strip_at(const bperc_i_amp_loop *l, size_t part) {
  place at = column_cut(l, part);
  return 64 *
         (at.tile == 0 ? at.strip * STRIP : l->s->x.words + (part - 1) * STRIP);
}

/* Some patterns and strips of a product with columns. */
static void columns_of(const bperc_i_amp_loop *l, const bperc_i_bit_matrix *x,
                       bperc_i_span strips, bperc_i_span tiles, int64_t *out) {
  size_t first = strips.from * STRIP,
         end = bperc_i_smaller(strips.to * STRIP, x->words);
  size_t mu = bperc_i_smaller(tiles.from * TILE, x->count);
  bperc_i_bit_matrix some =
      bperc_i_matvec_some(x, mu, bperc_i_smaller(tiles.to * TILE, x->count));
  if (first >= end)
    return;
  memset(out, 0, (end - first) * 64 * sizeof *out);
  /* The kernel has columns where they are in a row. */
  bperc_i_matvec_kernels_get()->columns(&some, l->fixed_point_g + mu, first,
                                        end, out - first * 64);
}

/* The strips of a part that are not inner ones. */
static void outer_columns(const bperc_i_amp_loop *l,
                          const bperc_i_bit_matrix *x, size_t part,
                          int64_t *sums) {
  place from = column_cut(l, part), to = column_cut(l, part + 1);
  bperc_i_span inner = inner_strips(l, part);
  for (size_t k = from.strip; k < to.strip + (to.tile > 0); k++) {
    bperc_i_span tiles = {k == from.strip ? from.tile : 0,
                          k == to.strip ? to.tile : tiles_of(l->s)};
    int64_t *out =
        sums + (k == from.strip ? strip_at(l, part) : k * STRIP * 64);
    int64_t now[STRIP * 64]; /* others read `out`: nothing is added up there */
    if (k >= inner.from && k < inner.to)
      continue;
    columns_of(l, x, (bperc_i_span){k, k + 1}, tiles, now);
    memcpy(out, now,
           bperc_i_smaller(STRIP, x->words - k * STRIP) * 64 * sizeof *out);
  }
}

static void outer_part(void *context, size_t part, unsigned worker) {
  const bperc_i_amp_loop *l = context;
  const bperc_i_amp *s = l->s;
  (void)worker;
  outer_columns(l, &s->x, part, s->sums);
  if (s->other)
    outer_columns(l, &s->support, part, s->other);
}

static void inner_part(void *context, size_t part, unsigned worker) {
  const bperc_i_amp_loop *l = context;
  const bperc_i_amp *s = l->s;
  bperc_i_span strips = inner_strips(l, part), all = {0, tiles_of(s)};
  const size_t first = strips.from * STRIP * 64;
  (void)worker;
  columns_of(l, &s->x, strips, all, s->sums + first);
  if (s->other)
    columns_of(l, &s->support, strips, all, s->other + first);
}

void bperc_i_amp_column_products(bperc_i_amp_loop *l) {
  const bperc_i_amp *s = l->s;
  bperc_i_region_run_and(l->region, outer_part, inner_part, l);
  bperc_i_amp_sum_ranks(s, s->sums, s->x.words * 64);
  bperc_i_amp_sum_ranks(s, s->other, s->x.words * 64);
}

/* With what parts have apart. Sums stay as they are: a line that two threads
 * write in turn costs more. */
void bperc_i_amp_strip_totals(const bperc_i_amp_loop *l, const int64_t *sums,
                              size_t from, size_t end, int64_t *out) {
  const size_t strip = from / (STRIP * 64), first = strip * STRIP * 64;
  memcpy(out, sums + from, (end - from) * sizeof *out);
  for (size_t part = 1; part < l->parts; part++) {
    place at = column_cut(l, part), next = column_cut(l, part + 1);
    const int64_t *more = sums + strip_at(l, part);
    if (at.strip != strip || at.tile == 0 ||
        (at.strip == next.strip && at.tile == next.tile))
      continue;
    for (size_t i = from; i < end; i++)
      out[i - from] += more[i - first];
  }
}

/* ---- products with rows */

/* What some weights add to the sums of all patterns; on several threads added
 * up at a place that only this one knows. */
static void add_rows(const bperc_i_amp_loop *l, const bperc_i_bit_matrix *x,
                     bperc_i_span sites, int64_t *out) {
  const bperc_i_amp *s = l->s;
  bperc_i_span words = words_of(s, sites);
  int64_t *sums = l->parts > 1 ? l->rows : out;
  memset(sums, 0, s->in->m * sizeof *sums);
  bperc_i_matvec_kernels_get()->rows(x, s->fixed_point_p, words.from, words.to,
                                     sums);
  if (sums != out)
    memcpy(out, sums, s->in->m * sizeof *out);
}

void bperc_i_amp_row_part(void *context, size_t part, unsigned worker) {
  const bperc_i_amp_loop *l = context;
  const bperc_i_amp *s = l->s;
  bperc_i_span sites = bperc_i_amp_sites_of(l, part);
  int64_t *out = s->row_sums + part * s->row_room;
  (void)worker;
  add_rows(l, &s->x, sites, out);
  out[s->in->m] =
      bperc_i_amp_total(s->fixed_point_p + sites.from, sites.to - sites.from);
  if (s->other)
    add_rows(l, &s->support, sites, s->row_other + part * s->row_room);
}

bool bperc_i_amp_row_right(const bperc_i_amp_loop *l, size_t mu) {
  const bperc_i_amp *s = l->s;
  bperc_i_bit_matrix x = bperc_i_matvec_some(&s->x, mu, mu + 1);
  int64_t sum = bperc_i_amp_add_parts(l, s->row_sums, mu);
  return bperc_i_recount_rows(&x, s->fixed_point_p, s->n, &sum);
}

/* ---- forces */

/* All at once: other cores have these lines, and requests for them overlap
 * where nothing else is written in between. */
void bperc_i_amp_share_forces(const bperc_i_amp_loop *l, size_t part) {
  const bperc_i_amp *s = l->s;
  bperc_i_span r =
      bperc_i_amp_part_of(s->in->m, BPERC_I_AMP_PATTERNS, part, l->parts);
  if (s->shared_g != s->g)
    memcpy(s->shared_g + r.from, s->g + r.from, (r.to - r.from) * sizeof *s->g);
}
