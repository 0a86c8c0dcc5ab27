/* Claims on the page: a card each beside its figure, with the tests that do
 * not hold in sight and the others folded; and the list over all of them.
 *
 * A claim's `measured` holds one finding per test, joined by "; ":
 *
 *   full:parisi_x: fin=0.3 n=60: 0.53 +- 0.02, ... (to be above 0.75) [fails]
 *   subject        series                          condition          mark
 */
#include "base/number.h"
#include "lab/base/memory.h"
#include "lab/page/html.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *text; /* subject and series */
  size_t length;
  const char *condition; /* "above 0.75" */
  size_t condition_length;
  const char *advice; /* what would decide it */
  size_t advice_length;
  bperc_claim_verdict verdict; /* of this test */
} finding;

static const char *find(const char *text, size_t length, const char *what) {
  assert(text);
  return memmem(text, length, what, strlen(what));
}

static int ends_with(const finding *f, const char *end) {
  size_t size = strlen(end);
  return f->length >= size &&
         memcmp(f->text + f->length - size, end, size) == 0;
}

/* Cuts the last bracket off, which says what would decide an undecided test. */
static void cut_advice(finding *f) {
  const char *open = memrchr(f->text, '(', f->length);
  if (!open || open - f->text < 2 ||
      !(ends_with(f, " decide it)") || ends_with(f, " for an estimate)")))
    return;
  f->advice = open + 1;
  f->advice_length = f->length - (size_t)(f->advice - f->text) - 1;
  f->length = (size_t)(open - f->text) - 1;
}

/* Cuts the next finding off *text. */
static finding next_finding(const char **text) {
  const char *end = strstr(*text, "; "), *at;
  finding f = {.text = *text, .verdict = BPERC_HOLDS};
  f.length = end ? (size_t)(end - *text) : strlen(*text);
  *text = end ? end + 2 : *text + f.length;
  if (ends_with(&f, " [fails]")) {
    f.verdict = BPERC_FAILS;
    f.length -= 8;
  } else if (ends_with(&f, " [undecided]")) {
    f.verdict = BPERC_UNDECIDED;
    f.length -= 12;
    cut_advice(&f);
  }
  at = find(f.text, f.length, " (to be ");
  if (at && ends_with(&f, ")")) {
    f.condition = at + 8;
    f.condition_length = f.length - (size_t)(f.condition - f.text) - 1;
    f.length = (size_t)(at - f.text);
  }
  return f;
}

/* ---- series of a finding */

/* The first number of "fin=0.3 n=60: 0.53 +- 0.02"; NAN without one. */
static double first_value(const char *text, size_t length) {
  const char *at = find(text, length, ": ");
  char *end;
  double value;
  at = at ? at + 2 : text;
  if (strncmp(at, "median ", 7) == 0)
    at += 7;
  value = bperc_i_strtod(at, &end);
  return end > at ? value : NAN;
}

/* Whether a value is on the wrong side of "above 0.75" or "0.5 within 0.15". */
static int violates(const finding *f, double value) {
  const char *c = f->condition, *within;
  if (!c || isnan(value))
    return 0;
  if (strncmp(c, "up", 2) == 0 || strncmp(c, "down", 4) == 0)
    return *c == 'u' ? value <= 0 : value >= 0;
  if (strncmp(c, "above ", 6) == 0)
    return value <= bperc_i_strtod(c + 6, NULL);
  if (strncmp(c, "below ", 6) == 0)
    return value >= bperc_i_strtod(c + 6, NULL);
  within = find(c, f->condition_length, " within ");
  return within && fabs(value - bperc_i_strtod(c, NULL)) >
                       bperc_i_strtod(within + 8, NULL);
}

/* The end of a series: a comma outside of brackets. */
static size_t series_length(const char *text, size_t length) {
  int depth = 0;
  for (size_t k = 0; k + 1 < length; k++) {
    depth += (text[k] == '(') - (text[k] == ')');
    if (depth == 0 && text[k] == ',' && text[k + 1] == ' ')
      return k;
  }
  return length;
}

static void put_series(bperc_i_text *t, const bperc_i_figure *f,
                       const finding *g, char *table, const char *text,
                       size_t length) {
  bperc_i_text_add(t, "<span class=\"values\">");
  while (length) {
    size_t one = series_length(text, length);
    int wrong = violates(g, first_value(text, one));
    bperc_i_text_format(t, "<span%s>", wrong ? " class=\"wrong\"" : "");
    bperc_i_words_measured(t, f, table, text, one);
    bperc_i_text_add(t, "</span> ");
    text += one;
    length -= one;
    if (length >= 2) {
      text += 2;
      length -= 2;
    }
  }
  bperc_i_text_add(t, "</span>");
}

static void put_finding(bperc_i_text *t, const bperc_i_figure *f,
                        const finding *g) {
  static const char *const marks[] = {"&#10003;", "&#10007;", "?"};
  const char *name = bperc_claim_verdict_name(g->verdict);
  const char *colon = find(g->text, g->length, ": ");
  size_t subject = colon ? (size_t)(colon - g->text) : g->length;
  char table[BPERC_I_TABLE] = "";
  bperc_i_html(t,
               "<li class=\"%s\"><span class=\"mark\" title=\"%s\">%s</span>",
               name, name, marks[g->verdict]);
  bperc_i_words_measured(t, f, table, g->text, subject);
  if (g->condition && strncmp(g->condition, "up", 2) == 0)
    bperc_i_text_add(t, ", to be positive");
  else if (g->condition && strncmp(g->condition, "down", 4) == 0)
    bperc_i_text_add(t, ", to be negative");
  else if (g->condition) {
    bperc_i_text_add(t, ", to be ");
    bperc_i_words(t, g->condition, g->condition_length);
  }
  if (colon) {
    bperc_i_text_add(t, ": ");
    put_series(t, f, g, table, colon + 2, g->length - subject - 2);
  }
  if (g->advice) {
    bperc_i_text_add(t, "; ");
    bperc_i_words(t, g->advice, g->advice_length);
  }
  bperc_i_text_add(t, "</li>\n");
}

/* ---- a card */

/* Lists the findings that hold, or those that do not; how many there were. */
static size_t put_findings(bperc_i_text *t, const bperc_i_figure *f,
                           const char *text, int that_hold) {
  size_t count = 0;
  while (*text) {
    finding g = next_finding(&text);
    if ((g.verdict == BPERC_HOLDS) != that_hold)
      continue;
    if (t) {
      bperc_i_text_add(t, count ? "" : "<ul class=\"tests\">\n");
      put_finding(t, f, &g);
    }
    count++;
  }
  if (t && count)
    bperc_i_text_add(t, "</ul>\n");
  return count;
}

/* The words of the paper, and where they stand in it. */
static void put_quote(bperc_i_text *t, const bperc_claim *c) {
  if (!*c->quote)
    return;
  bperc_i_html(t, "<blockquote>&ldquo;%w&rdquo;", c->quote);
  if (c->line)
    bperc_i_html(t, " (paper, line %z)", c->line);
  bperc_i_text_add(t, "</blockquote>\n");
}

void bperc_i_claim_card(bperc_i_text *t, const bperc_i_figure *f,
                        const bperc_claim *c) {
  const char *verdict = bperc_claim_verdict_name(c->verdict);
  char *measured = bperc_claim_measured(c);
  const char *text = measured ? measured : "";
  size_t holding = put_findings(NULL, f, text, 1);
  size_t others = put_findings(NULL, f, text, 0);
  int open = c->verdict != BPERC_HOLDS && others == 0;
  bperc_i_html(t,
               "<article class=\"claim %s\" id=\"%i\"><h3><span "
               "class=\"verdict %s\">%s</span> <b>%e</b> %w</h3>\n",
               verdict, c->id, verdict, verdict, c->id, c->text);
  put_quote(t, c);
  put_findings(t, f, text, 0);
  bperc_i_html(t, "<details%s><summary>", open ? " open" : "");
  if (holding)
    bperc_i_html(t, "%z %stest%s; ", holding, others ? "other " : "",
                 holding == 1 ? "" : "s");
  bperc_i_html(t,
               "what was expected</summary>\n<p class=\"dim\">"
               "Expected: %w.</p>\n",
               c->expected);
  put_findings(t, f, text, 1);
  bperc_i_text_add(t, "</details></article>\n");
  t->failed |= !measured;
  bperc_free(measured);
}

/* ---- all claims */

static void list_claims(bperc_i_text *t, const bperc_i_figure *f, size_t count,
                        bperc_claim_verdict verdict) {
  bperc_i_text_add(t, "<ul class=\"list\">\n");
  for (size_t k = 0; k < count; k++)
    for (size_t c = 0; c < f[k].claims.count; c++) {
      const bperc_claim *q = &f[k].claims.claims[c];
      if (q->verdict == verdict)
        bperc_i_html(t, "<li><a href=\"#%i\">%e</a><span>%w</span></li>\n",
                     q->id, q->id, q->text);
    }
  bperc_i_text_add(t, "</ul>\n");
}

static void tally(bperc_i_text *t, const size_t number[3]) {
  static const char *const words[] = {"hold", "fail", "undecided"};
  bperc_i_text_add(t, "<p class=\"tally\">");
  for (int v = 0; v < 3; v++)
    bperc_i_html(t, "<span class=\"%s\"><b>%z</b> %s</span>",
                 bperc_claim_verdict_name((bperc_claim_verdict)v), number[v],
                 words[v]);
  bperc_i_text_add(t, "</p>\n<div class=\"bar\" aria-hidden=\"true\">");
  for (int v = 0; v < 3; v++)
    if (number[v])
      bperc_i_html(t, "<span class=\"%s\" style=\"flex:%z\"></span>",
                   bperc_claim_verdict_name((bperc_claim_verdict)v), number[v]);
  bperc_i_text_add(t, "</div>\n");
}

void bperc_i_claim_summary(bperc_i_text *t, const bperc_i_figure *f,
                           size_t count) {
  static const struct {
    bperc_claim_verdict verdict;
    const char *before, *after;
  } lists[] = {
      {BPERC_FAILS, "<h2>What does not hold</h2>\n", ""},
      {BPERC_UNDECIDED,
       "<details><summary>Undecided: the error bars are too wide, or no "
       "verdict is kept</summary>\n",
       "</details>\n"},
      {BPERC_HOLDS, "<details><summary>What holds</summary>\n",
       "</details>\n"}};
  size_t number[3] = {0};
  for (size_t k = 0; k < count; k++)
    for (size_t c = 0; c < f[k].claims.count; c++)
      number[f[k].claims.claims[c].verdict]++;
  if (!number[0] && !number[1] && !number[2])
    return;
  tally(t, number);
  for (size_t k = 0; k < 3; k++)
    if (number[lists[k].verdict]) {
      bperc_i_text_add(t, lists[k].before);
      list_claims(t, f, count, lists[k].verdict);
      bperc_i_text_add(t, lists[k].after);
    }
}
