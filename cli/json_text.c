/* JSON as text: as jansson writes it, but reals with the fewest digits that
 * read back as the same number (0.3, not 0.29999999999999999). */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* Growing text. Not open_memstream, which loses a byte and calls that no error
 * when its memory cannot grow. */
typedef struct {
  char *bytes;
  size_t length, room;
  bool lost; /* something, for want of memory */
} text;

static bool grow_json(text *t, size_t more) {
  size_t room = t->room ? t->room : 4096;
  char *bytes;
  while (room < t->length + more + 1)
    room *= 2;
  if (room == t->room)
    return true;
  bytes = bperc_resize(t->bytes, room, 1);
  if (!bytes)
    return false;
  t->bytes = bytes;
  t->room = room;
  return true;
}

static void add_bytes(text *t, const char *bytes, size_t count) {
  t->lost = t->lost || !grow_json(t, count);
  if (t->lost)
    return;
  memcpy(t->bytes + t->length, bytes, count);
  t->length += count;
  t->bytes[t->length] = 0;
}

static void add_json_word(text *t, const char *word) {
  add_bytes(t, word, strlen(word));
}

/* "1e-07" as "1e-7", "1e+22" as "1e22", "5" as "5.0". */
static void put_real(double value, text *out) {
  char word[40], power[16], *exponent;
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(word, sizeof word, "%.*g", digits, value);
    if (strtod(word, NULL) == value)
      break;
  }
  exponent = strchr(word, 'e');
  if (!exponent) {
    add_json_word(out, word);
    add_json_word(out, strchr(word, '.') ? "" : ".0");
    return;
  }
  snprintf(power, sizeof power, "e%d", atoi(exponent + 1));
  *exponent = 0;
  add_json_word(out, word);
  add_json_word(out, power);
}

static void put_integer(long long value, text *out) {
  char word[24];
  snprintf(word, sizeof word, "%lld", value);
  add_json_word(out, word);
}

/* Of a character that may not stand for itself; NULL for others. */
static const char *escape(unsigned char c, char word[8]) {
  static const char marks[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";
  const char *mark = c ? strchr(marks, c) : NULL;
  if (mark)
    snprintf(word, 8, "\\%c", letters[mark - marks]);
  else if (c < 0x20)
    snprintf(word, 8, "\\u%04X", c);
  else
    return NULL;
  return word;
}

static void put_string(const char *bytes, size_t length, text *out) {
  size_t from = 0;
  char room[8];
  add_bytes(out, "\"", 1);
  for (size_t k = 0; k < length; k++) {
    const char *word = escape((unsigned char)bytes[k], room);
    if (!word)
      continue;
    add_bytes(out, bytes + from, k - from);
    add_json_word(out, word);
    from = k + 1;
  }
  add_bytes(out, bytes + from, length - from);
  add_bytes(out, "\"", 1);
}

static void put_json(const json_t *value, text *out);

static void put_object(const json_t *value, text *out) {
  const char *key, *between = "";
  json_t *item;
  add_bytes(out, "{", 1);
  json_object_foreach((json_t *)value, key, item) {
    add_json_word(out, between);
    put_string(key, strlen(key), out);
    add_json_word(out, ": ");
    put_json(item, out);
    between = ", ";
  }
  add_bytes(out, "}", 1);
}

static void put_array(const json_t *value, text *out) {
  add_bytes(out, "[", 1);
  for (size_t k = 0; k < json_array_size(value); k++) {
    if (k)
      add_json_word(out, ", ");
    put_json(json_array_get(value, k), out);
  }
  add_bytes(out, "]", 1);
}

static void put_json(const json_t *value, text *out) {
  switch (json_typeof(value)) {
  case JSON_OBJECT:
    put_object(value, out);
    break;
  case JSON_ARRAY:
    put_array(value, out);
    break;
  case JSON_STRING:
    put_string(json_string_value(value), json_string_length(value), out);
    break;
  case JSON_INTEGER:
    put_integer((long long)json_integer_value(value), out);
    break;
  case JSON_REAL:
    put_real(json_real_value(value), out);
    break;
  default:
    add_json_word(out, json_is_true(value)    ? "true"
                       : json_is_false(value) ? "false"
                                              : "null");
  }
}

char *cli_json_text(const json_t *value) {
  text out = {0};
  if (!value)
    return NULL;
  put_json(value, &out);
  if (!out.lost)
    return out.bytes;
  bperc_free(out.bytes);
  return NULL;
}
