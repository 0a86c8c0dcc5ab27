/* Numbers of solutions up to 2^128. */
#include "exact/search/states.h"

#include <math.h>
#include <string.h>

bperc_count bperc_count_from(uint64_t x) { return (bperc_count){{x, 0, 0}}; }

bperc_count bperc_i_count_make(bperc_i_word x, size_t shift) {
  bperc_count c = {{(uint64_t)x, (uint64_t)(x >> 64), 0}};
  for (; shift >= 64; shift -= 64) {
    c.word[2] = c.word[1];
    c.word[1] = c.word[0];
    c.word[0] = 0;
  }
  if (shift > 0) {
    c.word[2] = c.word[2] << shift | c.word[1] >> (64 - shift);
    c.word[1] = c.word[1] << shift | c.word[0] >> (64 - shift);
    c.word[0] <<= shift;
  }
  return c;
}

double bperc_count_real(bperc_count c) {
  return ((double)c.word[2] * 0x1p64 + (double)c.word[1]) * 0x1p64 +
         (double)c.word[0];
}

double bperc_count_log(bperc_count c) { return log(bperc_count_real(c)); }

/* Divides by ten in place, returns the remainder. */
static unsigned divide_by_ten(bperc_count *c) {
  bperc_i_word rest = 0;
  for (size_t k = 3; k-- > 0;) {
    rest = rest << 64 | c->word[k];
    c->word[k] = (uint64_t)(rest / 10);
    rest %= 10;
  }
  return (unsigned)rest;
}

const char *bperc_count_text(bperc_count c, char text[BPERC_COUNT_TEXT]) {
  char digits[BPERC_COUNT_TEXT];
  size_t k = sizeof digits - 1;
  digits[k] = 0;
  do
    digits[--k] = (char)('0' + divide_by_ten(&c));
  while (c.word[0] | c.word[1] | c.word[2]);
  return strcpy(text, digits + k);
}
