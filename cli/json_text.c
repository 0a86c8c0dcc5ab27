/* JSON as text: as jansson writes it, but reals with the fewest digits that
 * read back as the same number (0.3, not 0.29999999999999999). */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* "1e-07" as "1e-7", "1e+22" as "1e22", "5" as "5.0". */
static void put_real(double value, FILE *out) {
  char text[40], *exponent;
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value)
      break;
  }
  exponent = strchr(text, 'e');
  if (!exponent) {
    fprintf(out, "%s%s", text, strchr(text, '.') ? "" : ".0");
    return;
  }
  *exponent = 0;
  fprintf(out, "%se%d", text, atoi(exponent + 1));
}

static void put_string(const char *text, size_t length, FILE *out) {
  static const char marks[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";
  putc('"', out);
  for (size_t k = 0; k < length; k++) {
    unsigned char c = (unsigned char)text[k];
    const char *mark = c ? strchr(marks, c) : NULL;
    if (mark)
      fprintf(out, "\\%c", letters[mark - marks]);
    else if (c < 0x20)
      fprintf(out, "\\u%04X", c);
    else
      putc(c, out);
  }
  putc('"', out);
}

static void put(const json_t *value, FILE *out);

static void put_object(const json_t *value, FILE *out) {
  const char *key, *between = "";
  json_t *item;
  putc('{', out);
  json_object_foreach((json_t *)value, key, item) {
    fputs(between, out);
    put_string(key, strlen(key), out);
    fputs(": ", out);
    put(item, out);
    between = ", ";
  }
  putc('}', out);
}

static void put_array(const json_t *value, FILE *out) {
  putc('[', out);
  for (size_t k = 0; k < json_array_size(value); k++) {
    if (k)
      fputs(", ", out);
    put(json_array_get(value, k), out);
  }
  putc(']', out);
}

static void put(const json_t *value, FILE *out) {
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
    fprintf(out, "%lld", (long long)json_integer_value(value));
    break;
  case JSON_REAL:
    put_real(json_real_value(value), out);
    break;
  default:
    fputs(json_is_true(value)    ? "true"
          : json_is_false(value) ? "false"
                                 : "null",
          out);
  }
}

char *cli_json_text(const json_t *value) {
  char *text = NULL;
  size_t size;
  FILE *out = value ? open_memstream(&text, &size) : NULL;
  int bad;
  if (!out)
    return NULL;
  put(value, out);
  bad = ferror(out);
  if (fclose(out) == 0 && !bad)
    return text;
  free(text);
  return NULL;
}
