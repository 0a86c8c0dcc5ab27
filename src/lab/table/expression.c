/* Formulas by recursive descent into reverse Polish. */
#include "lab/table/expression.h"
#include "base/number.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *at;
  bperc_i_expression *out;
  const char *wrong;
  int depth;
} parser;

static void sum(parser *p);

static char peek(parser *p) {
  p->at += strspn(p->at, " \t");
  return *p->at;
}

static void emit(parser *p, char op, double number, int variable) {
  if (p->out->count == BPERC_I_EXPRESSION_OPS) {
    p->wrong = "the formula is too long";
    return;
  }
  p->out->ops[p->out->count].op = op;
  p->out->ops[p->out->count].number = number;
  p->out->ops[p->out->count++].variable = variable;
}

static void variable(parser *p, const char *name, size_t length) {
  bperc_i_expression *e = p->out;
  for (size_t k = 0; k < e->name_count; k++)
    if (strlen(e->names[k]) == length &&
        strncmp(e->names[k], name, length) == 0) {
      emit(p, 'v', 0, (int)k);
      return;
    }
  if (e->name_count == BPERC_I_EXPRESSION_NAMES ||
      length >= sizeof e->names[0]) {
    p->wrong = "too many or too long names in the formula";
    return;
  }
  memcpy(e->names[e->name_count], name, length);
  e->names[e->name_count][length] = 0;
  emit(p, 'v', 0, (int)e->name_count++);
}

static void group(parser *p) {
  p->at++;
  sum(p);
  if (peek(p) == ')')
    p->at++;
  else if (!p->wrong)
    p->wrong = "a parenthesis is not closed";
}

static void word(parser *p) {
  static const char *const functions[] = {"sqrt", "abs", "log", "exp"};
  const char *start = p->at;
  size_t length = 0;
  while (isalnum((unsigned char)start[length]) || start[length] == '_')
    length++;
  p->at += length;
  for (size_t k = 0; k < 4; k++)
    if (strlen(functions[k]) == length && peek(p) == '(' &&
        strncmp(functions[k], start, length) == 0) {
      group(p);
      emit(p, functions[k][0], 0, 0);
      return;
    }
  variable(p, start, length);
}

static void atom(parser *p) {
  char c = peek(p);
  char *end;
  if (c == '(')
    group(p);
  else if (isdigit((unsigned char)c) || c == '.') {
    emit(p, 'n', bperc_i_strtod(p->at, &end), 0);
    if (end == p->at)
      p->wrong = "a number is malformed";
    p->at = end;
  } else if (isalpha((unsigned char)c))
    word(p);
  else
    p->wrong = "a name, a number or '(' is missing in the formula";
}

/* As on paper: -a^2 is -(a^2), 2^3^2 is 2^(3^2), and 2^-1 is 1/2. */
static void signed_power(parser *p) {
  if (p->wrong)
    return;
  if (++p->depth > 40)
    p->wrong = "the formula is nested too deeply";
  else if (peek(p) == '-') {
    p->at++;
    signed_power(p);
    emit(p, '~', 0, 0);
  } else {
    atom(p);
    if (!p->wrong && peek(p) == '^') {
      p->at++;
      signed_power(p);
      emit(p, '^', 0, 0);
    }
  }
  p->depth--;
}

static void product(parser *p) {
  signed_power(p);
  while (!p->wrong && (peek(p) == '*' || peek(p) == '/')) {
    char op = *p->at++;
    signed_power(p);
    emit(p, op, 0, 0);
  }
}

static void sum(parser *p) {
  product(p);
  while (!p->wrong && (peek(p) == '+' || peek(p) == '-')) {
    char op = *p->at++;
    product(p);
    emit(p, op, 0, 0);
  }
}

const char *bperc_i_expression_parse(const char *text,
                                     bperc_i_expression *out) {
  parser p = {text, out, NULL, 0};
  memset(out, 0, sizeof *out);
  sum(&p);
  if (!p.wrong && peek(&p))
    p.wrong = "something follows the end of the formula";
  return p.wrong;
}

static double binary(char op, double a, double b) {
  switch (op) {
  case '+':
    return a + b;
  case '-':
    return a - b;
  case '*':
    return a * b;
  case '/':
    return a / b;
  default:
    return pow(a, b);
  }
}

static double unary(char op, double a) {
  switch (op) {
  case '~':
    return -a;
  case 's':
    return sqrt(a);
  case 'a':
    return fabs(a);
  case 'l':
    return log(a);
  default:
    return exp(a);
  }
}

double bperc_i_expression_value(const bperc_i_expression *e,
                                const double *variables) {
  double stack[BPERC_I_EXPRESSION_OPS + 1] = {NAN};
  size_t top = 0;
  for (size_t k = 0; k < e->count; k++) {
    char op = e->ops[k].op;
    if (op == 'n')
      stack[top++] = e->ops[k].number;
    else if (op == 'v') {
      assert((size_t)e->ops[k].variable < e->name_count);
      stack[top++] = variables[e->ops[k].variable];
    } else if (strchr("~sale", op)) {
      assert(top >= 1);
      stack[top - 1] = unary(op, stack[top - 1]);
    } else {
      assert(top >= 2);
      stack[top - 2] = binary(op, stack[top - 2], stack[top - 1]);
      top--;
    }
  }
  assert(top == 1 || e->count == 0);
  return stack[0];
}
