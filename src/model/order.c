/* Orders of decimation: order.h. */
#include "bperc/order.h"

#include "base/alloc.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bperc_status bperc_order_init(size_t n, bperc_order *out) {
  *out = (bperc_order){.n = n};
  out->weight = bperc_i_calloc(n + 1, sizeof *out->weight);
  out->value = bperc_i_calloc(n + 1, sizeof *out->value);
  out->log_count = bperc_i_alloc(n + 1, sizeof *out->log_count);
  for (size_t k = 0; out->log_count && k <= n; k++)
    out->log_count[k] = NAN;
  if (out->weight && out->value && out->log_count)
    return BPERC_OK;
  bperc_order_clear(out);
  return BPERC_E_MEMORY;
}

bperc_status bperc_order_copy(const bperc_order *from, bperc_order *out) {
  bperc_status status = bperc_order_init(from->n, out);
  if (status != BPERC_OK)
    return status;
  assert(from->fixed <= from->n);
  memcpy(out->weight, from->weight, from->fixed * sizeof *out->weight);
  memcpy(out->value, from->value, from->fixed * sizeof *out->value);
  memcpy(out->log_count, from->log_count,
         (from->fixed + 1) * sizeof *out->log_count);
  out->fixed = from->fixed;
  out->outcome = from->outcome;
  out->unconverged = from->unconverged;
  return BPERC_OK;
}

void bperc_order_clear(bperc_order *order) {
  bperc_i_free(order->weight);
  bperc_i_free(order->value);
  bperc_i_free(order->log_count);
  *order = (bperc_order){0};
}

void bperc_order_hold(const bperc_order *order, size_t count, int8_t *fixed) {
  assert(count <= order->fixed);
  memset(fixed, -1, order->n);
  for (size_t k = 0; k < count; k++) {
    assert(order->weight[k] < order->n && order->value[k] >= 0 &&
           order->value[k] <= 1);
    fixed[order->weight[k]] = (int8_t)order->value[k];
  }
}
