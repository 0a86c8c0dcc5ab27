/* Options that fix weights before an exact search: fixing.h. */
#include "fixing.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static BPERC_OPTIONS_DEFINE(fixing_rows, cli_fixing_options, CLI_FIXING_ROWS);

void cli_group_fixing(cli *cx, cli_fixing_options *options) {
  cli_group(cx, "fixed weights", fixing_rows(), options);
}

/* ---- --fix */

static int parse_fix(const char *text, size_t n, int8_t *fixed) {
  while (*text) {
    char *end;
    unsigned long long i = strtoull(text, &end, 10);
    if (end == text || *end != '=' || (end[1] != '0' && end[1] != '1') ||
        (end[2] && end[2] != ','))
      return cli_usage("--fix: expected weight=0 or weight=1 at '%.40s'", text);
    if (i >= n)
      return cli_usage("--fix: there is no weight %llu, the last one is %zu", i,
                       n - 1);
    if (fixed[i] >= 0 && fixed[i] != end[1] - '0')
      return cli_usage("--fix: weight %llu is held at both values", i);
    fixed[i] = (int8_t)(end[1] - '0');
    text = end + 2 + (end[2] == ',');
  }
  return CLI_DONE;
}

/* ---- orders */

static int bad_order(const char *path, const char *what, size_t line) {
  if (line)
    cli_warn("%s:%zu: %s", path, line, what);
  else
    cli_warn("%s: %s", path, what);
  return CLI_INPUT;
}

static const char *add_step(bperc_order *order, size_t n, long long weight,
                            long long value) {
  if (weight < 0 || (size_t)weight >= n)
    return "the order names a weight that the instance does not have";
  if (value != 0 && value != 1)
    return "a value of the order is neither 0 nor 1";
  for (size_t k = 0; k < order->fixed; k++)
    if (order->weight[k] == weight)
      return "the order names a weight twice";
  order->weight[order->fixed] = (uint32_t)weight;
  order->value[order->fixed++] = (uint8_t)value;
  return NULL;
}

static int order_from_json(const char *path, json_t *root, size_t n,
                           bperc_order *out) {
  json_t *order = json_object_get(root, "order");
  json_t *values = json_object_get(root, "values");
  if (!json_is_array(order) || !json_is_array(values) ||
      json_array_size(order) != json_array_size(values))
    return bad_order(path, "expected arrays `order` and `values` of one length",
                     0);
  for (size_t k = 0; k < json_array_size(order); k++) {
    const json_t *weight = json_array_get(order, k);
    const json_t *value = json_array_get(values, k);
    const char *wrong = "`order` and `values` must hold whole numbers";
    if (json_is_integer(weight) && json_is_integer(value))
      wrong = add_step(out, n, json_integer_value(weight),
                       json_integer_value(value));
    if (wrong)
      return bad_order(path, wrong, 0);
  }
  return CLI_DONE;
}

static int order_from_text(const char *path, FILE *in, size_t n,
                           bperc_order *out) {
  char text[256];
  for (size_t line = 1; fgets(text, sizeof text, in); line++) {
    long long weight, value;
    char rest;
    if (text[0] == '#' || text[strspn(text, " \t\r\n")] == 0)
      continue;
    if (sscanf(text, "%lld %lld %c", &weight, &value, &rest) != 2)
      return bad_order(path, "expected `weight value`", line);
    const char *wrong = add_step(out, n, weight, value);
    if (wrong)
      return bad_order(path, wrong, line);
  }
  return CLI_DONE;
}

/* A message of jansson quotes the file, line ends included. */
static void make_one_line(char *text) {
  for (; *text; text++)
    if (iscntrl((unsigned char)*text))
      *text = ' ';
}

/* JSON when the first character says so, else lines. */
static int order_from(const char *path, FILE *in, size_t n, bperc_order *out) {
  int first;
  do
    first = fgetc(in);
  while (isspace(first));
  rewind(in);
  if (first != '{')
    return order_from_text(path, in, n, out);
  json_error_t wrong;
  json_t *root = json_loadf(in, 0, &wrong);
  int code;
  if (root)
    code = order_from_json(path, root, n, out);
  else if (cli_json_lost())
    code = cli_no_memory();
  else {
    make_one_line(wrong.text);
    code = bad_order(path, wrong.text, (size_t)wrong.line);
  }
  json_decref(root);
  return code;
}

int cli_read_order(const char *path, size_t n, bperc_order *out) {
  *out = (bperc_order){0};
  FILE *in = fopen(path, "r");
  if (!in)
    return errno == ENOMEM ? cli_no_memory()
                           : bad_order(path, strerror(errno), 0);
  int code =
      bperc_order_init(n, out) ? cli_no_memory() : order_from(path, in, n, out);
  fclose(in);
  if (code != CLI_DONE)
    bperc_order_clear(out);
  return code;
}

static int hold_order(const cli_fixing_options *options, size_t n,
                      int8_t *fixed) {
  bperc_order order;
  int code = cli_read_order(options->order, n, &order);
  if (code != CLI_DONE)
    return code;
  if ((size_t)options->fixed > order.fixed)
    code = cli_usage("--fixed %lld: the order has %zu weights",
                     (long long)options->fixed, order.fixed);
  else
    bperc_order_hold(&order, (size_t)options->fixed, fixed);
  bperc_order_clear(&order);
  return code;
}

int cli_read_fixing(const cli_fixing_options *options, size_t n, int8_t **out) {
  int code = CLI_DONE;
  *out = bperc_alloc(n + 1, 1);
  if (!*out)
    return cli_no_memory();
  memset(*out, -1, n + 1);
  if (options->fixed > 0 && !options->order)
    code = cli_usage("--fixed needs --order FILE");
  if (code == CLI_DONE && options->order)
    code = hold_order(options, n, *out);
  if (code == CLI_DONE && options->fix)
    code = parse_fix(options->fix, n, *out);
  if (code != CLI_DONE) {
    bperc_free(*out);
    *out = NULL;
  }
  return code;
}
