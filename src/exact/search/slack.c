/* Tables of the search for signed patterns: slack.h. */
#include "exact/search/slack.h"

#include "base/alloc.h"
#include "exact/search/rows.h"

#include <string.h>

static void fill_tables(bperc_i_slack_plan *p, const bperc_i_search_row *rows,
                        size_t count) {
  size_t width = p->vectors * BPERC_I_LANES;
  int8_t *start = (int8_t *)p->start, *loss = (int8_t *)p->loss;
  memset(start, BPERC_I_MOST_SLACK, width);
  memset(loss, 0, 2 * p->head * width);
  for (size_t k = 0; k < count; k++)
    start[k] = (int8_t)rows[k].slack;
  for (size_t l = 0; l < 2 * p->head; l++)
    bperc_i_rows_losses(rows, count, p->bit[l / 2], l % 2, loss + l * width);
  for (size_t mu = 0; mu < p->patterns; mu++)
    bperc_i_row_leaf(&rows[mu], p->bit + p->head, p->positions - p->head,
                     p->leaf + mu * (BPERC_I_TAIL + 1));
}

static bperc_status allocate(bperc_i_slack_plan *p, size_t rows) {
  p->vectors = (rows + BPERC_I_LANES - 1) / BPERC_I_LANES;
  p->start = bperc_i_alloc(p->vectors + 1, sizeof *p->start);
  p->loss = bperc_i_alloc(2 * p->head * p->vectors + 1, sizeof *p->loss);
  p->leaf =
      bperc_i_alloc(p->patterns * (BPERC_I_TAIL + 1) + 1, sizeof *p->leaf);
  return p->start && p->loss && p->leaf ? BPERC_OK : BPERC_E_MEMORY;
}

bperc_status bperc_i_slack_plan_init(bperc_i_slack_plan *p,
                                     const bperc_i_search_residual *r,
                                     bperc_i_word which) {
  bperc_i_search_row *rows = NULL;
  size_t count;
  memset(p, 0, sizeof *p);
  p->patterns = r->m;
  p->positions = (size_t)bperc_i_word_popcount(which);
  p->head = p->positions > BPERC_I_TAIL ? p->positions - BPERC_I_TAIL : 0;
  p->bit = bperc_i_alloc(p->positions + 1, sizeof *p->bit);
  bperc_status status =
      p->bit ? bperc_i_rows_make(r, &rows, &count) : BPERC_E_MEMORY;
  if (status == BPERC_OK)
    status = allocate(p, count);
  if (status == BPERC_OK) {
    bperc_i_rows_order(r, which, p->bit);
    bperc_i_tail_init(&p->tail, p->bit + p->head, p->positions - p->head);
    fill_tables(p, rows, count);
  }
  bperc_i_free(rows);
  if (status != BPERC_OK)
    bperc_i_slack_plan_clear(p);
  return status;
}

void bperc_i_slack_plan_clear(bperc_i_slack_plan *p) {
  bperc_i_free(p->bit);
  bperc_i_free(p->start);
  bperc_i_free(p->loss);
  bperc_i_free(p->leaf);
  memset(p, 0, sizeof *p);
}
