/* Small formulas over the columns of a table: + - * / ^, parentheses, numbers,
 * sqrt abs log exp. Parsed once, evaluated per row. */
#ifndef BPERC_JUDGE_EXPRESSION_H
#define BPERC_JUDGE_EXPRESSION_H

#include "bperc/status.h"

#include <stddef.h>

enum { BPERC_I_EXPRESSION_OPS = 64, BPERC_I_EXPRESSION_NAMES = 16 };

typedef struct {
  struct {
    char op; /* 'n' number, 'v' variable, + - * / ^ ~ (minus) s a l e */
    double number;
    int variable;
  } ops[BPERC_I_EXPRESSION_OPS]; /* reverse Polish */
  size_t count;
  char names[BPERC_I_EXPRESSION_NAMES][64];
  size_t name_count;
} bperc_i_expression;

/* Returns NULL, or what is wrong. */
const char *bperc_i_expression_parse(const char *text, bperc_i_expression *out);
double bperc_i_expression_value(const bperc_i_expression *e,
                                const double *variables);

#endif
