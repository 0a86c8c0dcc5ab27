/* Pieces of HTML: escaping, addresses, base64. Whatever comes from a plan, a
 * folder name or a saved table passes through here. */
#include "lab/page/html.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

void bperc_i_html_escape(bperc_i_text *t, const char *text, size_t length) {
  for (size_t k = 0; k < length; k++) {
    static const char special[] = "&<>\"'";
    static const char *const safe[] = {"&amp;", "&lt;", "&gt;", "&quot;",
                                       "&#39;"};
    const char *at = text[k] ? strchr(special, text[k]) : NULL;
    if (at)
      bperc_i_text_add(t, safe[at - special]);
    else if ((unsigned char)text[k] >= ' ' || isspace((unsigned char)text[k]))
      bperc_i_text_add_bytes(t, &text[k], 1);
  }
}

void bperc_i_html_id(bperc_i_text *t, const char *text) {
  for (; *text; text++) {
    char c =
        isalnum((unsigned char)*text) || strchr("._-", *text) ? *text : '-';
    bperc_i_text_add_bytes(t, &c, 1);
  }
}

void bperc_i_html_address(bperc_i_text *t, const char *text) {
  for (; *text; text++)
    if (isalnum((unsigned char)*text) || strchr("._-/", *text))
      bperc_i_text_add_bytes(t, text, 1);
    else
      bperc_i_text_format(t, "%%%02X", (unsigned char)*text);
}

void bperc_i_html_base64(bperc_i_text *t, const void *bytes, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
                               "uvwxyz0123456789+/";
  const unsigned char *b = bytes;
  for (size_t k = 0; k < size; k += 3) {
    size_t left = size - k < 3 ? size - k : 3;
    unsigned word = (unsigned)b[k] << 16 |
                    (left > 1 ? (unsigned)b[k + 1] << 8 : 0) |
                    (left > 2 ? b[k + 2] : 0);
    char four[4] = {digits[word >> 18], digits[word >> 12 & 63],
                    left > 1 ? digits[word >> 6 & 63] : '=',
                    left > 2 ? digits[word & 63] : '='};
    bperc_i_text_add_bytes(t, four, 4);
  }
}

static void put_argument(bperc_i_text *t, char kind, const char *text) {
  switch (kind) {
  case 'w':
    bperc_i_html_words(t, text, strlen(text));
    break;
  case 'e':
    bperc_i_html_escape(t, text, strlen(text));
    break;
  case 'i':
    bperc_i_html_id(t, text);
    break;
  case 'a':
    bperc_i_html_address(t, text);
    break;
  default:
    assert(kind == 's');
    bperc_i_text_add(t, text);
  }
}

void bperc_i_html(bperc_i_text *t, const char *pattern, ...) {
  va_list args;
  va_start(args, pattern);
  for (;;) {
    size_t plain = strcspn(pattern, "%");
    bperc_i_text_add_bytes(t, pattern, plain);
    pattern += plain;
    if (!*pattern)
      break;
    if (pattern[1] == 'z')
      bperc_i_text_format(t, "%zu", va_arg(args, size_t));
    else
      put_argument(t, pattern[1], va_arg(args, const char *));
    pattern += 2;
  }
  va_end(args);
}
