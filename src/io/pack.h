/* Bytes that each stand for one bit, into a bit vector, eight at a time. */
#ifndef BPERC_MODEL_PACK_H
#define BPERC_MODEL_PACK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BPERC_I_EACH_BYTE 0x0101010101010101u

/* Eight bytes 0/1 as a byte of bits, the first byte lowest: the product puts
 * bit 8k at 56 + k, and no two terms meet above bit 55. */
static inline uint64_t bperc_i_pack8(uint64_t x) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  x = __builtin_bswap64(x);
#endif
  return (x * 0x0102040810204080u) >> 56;
}

/* Sets bits at .. at+count-1 of a vector that is zero there; a byte equal to
 * `zero` is 0, to `zero + 1` is 1 (zero is even). Returns how many bytes were
 * good: count, or the position of the first one that is neither. */
static inline size_t bperc_i_pack(const void *bytes, size_t count,
                                  unsigned char zero, uint64_t *bits,
                                  size_t at) {
  const unsigned char *from = bytes;
  size_t k = 0;
  while (k < count) {
    size_t to = at + k;
    uint64_t x;
    if (to % 8 == 0 && count - k >= 8) {
      memcpy(&x, from + k, 8);
      x ^= zero * BPERC_I_EACH_BYTE;
      if ((x & ~BPERC_I_EACH_BYTE) == 0) {
        bits[to / 64] |= bperc_i_pack8(x) << (to % 64);
        k += 8;
        continue;
      }
    }
    if ((from[k] ^ zero) > 1)
      break;
    bits[to / 64] |= (uint64_t)(from[k] ^ zero) << (to % 64);
    k++;
  }
  return k;
}

#endif
