#include "cli_list.h"

#include "cli.h"

#include <math.h>
#include <stdlib.h>

enum { LONGEST = 100000 };

static int append_value(cli_list *list, double value) {
  if (list->n >= LONGEST)
    return CLI_USAGE;
  double *more = bperc_resize(list->values, list->n + 1, sizeof *more);
  if (!more)
    return cli_no_memory();
  list->values = more;
  list->values[list->n++] = value;
  return CLI_DONE;
}

static int parse_number(const char **at, double *value) {
  char *end;
  *value = strtod(*at, &end);
  if (end == *at || !isfinite(*value))
    return CLI_USAGE;
  *at = end;
  return CLI_DONE;
}

static int add_steps(cli_list *list, double low, double high, double step) {
  int code = CLI_DONE;
  if (!(step > 0) || !(low <= high) || (high - low) / step > LONGEST)
    return CLI_USAGE;
  long steps = (long)floor((high - low) / step + 1e-9);
  for (long k = 0; k <= steps && code == CLI_DONE; k++)
    code = append_value(list, low + (double)k * step);
  return code;
}

static int add_ratios(cli_list *list, double low, double high, double count) {
  int code = CLI_DONE;
  if (!(low > 0 && high > 0) || !(count >= 2 && count <= LONGEST))
    return CLI_USAGE;
  for (long k = 0; k < (long)count && code == CLI_DONE; k++)
    code = append_value(list,
                        low * pow(high / low, (double)k / (floor(count) - 1)));
  return code;
}

static int item(const char **at, cli_list *list) {
  double low, high, step;
  if (parse_number(at, &low))
    return CLI_USAGE;
  if (**at != ':')
    return append_value(list, low);
  ++*at;
  if (parse_number(at, &high) || *(*at)++ != ':')
    return CLI_USAGE;
  bool ratios = **at == 'x';
  *at += ratios;
  if (parse_number(at, &step))
    return CLI_USAGE;
  return ratios ? add_ratios(list, low, high, step)
                : add_steps(list, low, high, step);
}

int cli_list_read(const char *option, const char *text, cli_list *out) {
  const char *at = text;
  *out = (cli_list){0};
  int code = item(&at, out);
  while (code == CLI_DONE && *at == ',') {
    at++;
    code = item(&at, out);
  }
  if (code == CLI_DONE && *at)
    code = CLI_USAGE;
  if (code == CLI_DONE)
    return code;
  cli_list_free(out);
  if (code == CLI_SYSTEM)
    return code;
  return cli_usage("--%s: '%s' is not a list such as 1,2,3 or 1:9:2 or "
                   "0.001:0.1:x20",
                   option, text);
}

void cli_list_free(cli_list *list) {
  bperc_free(list->values);
  *list = (cli_list){0};
}
