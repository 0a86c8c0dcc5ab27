/* Claims on the page: a card each beside its figure, with the tests that do
 * not hold in sight and the others folded; and the list over all of them. */
#include "lab/page/html.h"
#include "lab/verdict/verdict.h"

#include <math.h>
#include <string.h>

/* ---- the pieces of a verdict as HTML */

static void html_words(const bperc_i_writer *w, const char *text) {
  bperc_i_html_words(w->t, text, strlen(text));
}

static void html_side(const bperc_i_writer *w, const bperc_claim_side *s) {
  bperc_i_words_column(w->t, w->context, s->table, s->column);
  if (!*s->where)
    return;
  bperc_i_text_add(w->t, " (");
  bperc_i_words_where(w->t, w->context, s);
  bperc_i_text_add(w->t, ")");
}

static void html_axis(const bperc_i_writer *w, const char *x) {
  bperc_i_words_axis(w->t, x);
}

static void html_value(const bperc_i_writer *w, double value, double error) {
  bperc_i_words_estimate(w->t, value, error);
}

static void html_keys(const bperc_i_writer *w, const bperc_claim_number *n) {
  bperc_i_words_keys(w->t, n->keys, n->key_count);
}

/* ---- a test */

/* Whether a number is on the wrong side of what its test asks for. */
static int is_wrong(const bperc_claim_test *t, double estimate) {
  if (isnan(estimate))
    return 0;
  switch (t->rule) {
  case BPERC_RULE_TREND:
    return t->direction * estimate <= 0;
  case BPERC_RULE_ABOVE:
    return estimate <= t->value;
  case BPERC_RULE_BELOW:
    return estimate >= t->value;
  case BPERC_RULE_NEAR:
    return fabs(estimate - t->value) > t->tolerance;
  default:
    return 0;
  }
}

/* The condition before the numbers. */
static void put_condition_of(const bperc_i_writer *w,
                             const bperc_claim_test *t) {
  size_t before = w->t->length;
  if (t->rule == BPERC_RULE_TREND) {
    bperc_i_html(w->t, ", to be %s",
                 t->direction > 0 ? "positive" : "negative");
    return;
  }
  bperc_i_text_add(w->t, ", to be ");
  if (!bperc_i_write_condition(w, t) && !w->t->failed)
    w->t->length = before;
}

static void put_numbers(const bperc_i_writer *w, const bperc_claim_test *t) {
  size_t first = bperc_i_is_comparison(t) ? 1 : 0;
  if (first >= t->number_count)
    return;
  bperc_i_text_add(w->t, first ? ", " : ": ");
  bperc_i_text_add(w->t, "<span class=\"values\">");
  for (size_t k = first, end; k < t->number_count; k = end) {
    end = bperc_i_piece_end(t, k);
    bperc_i_html(w->t, "<span%s>",
                 is_wrong(t, t->numbers[k].estimate) ? " class=\"wrong\"" : "");
    bperc_i_write_piece(w, t, k, end);
    bperc_i_text_add(w->t, "</span> ");
  }
  bperc_i_text_add(w->t, "</span>");
}

static void put_mark(bperc_i_text *t, bperc_claim_verdict verdict) {
  static const char *const marks[] = {"&#10003;", "&#10007;", "?"};
  const char *name = bperc_claim_verdict_name(verdict);
  bperc_i_html(t,
               "<li class=\"%s\"><span class=\"mark\" title=\"%s\">%s</span>",
               name, name, marks[verdict]);
}

static void put_test(bperc_i_text *t, const bperc_i_figure *f,
                     const bperc_claim_test *q) {
  bperc_i_writer w = {t,          html_words, html_side, html_axis,
                      html_value, html_keys,  f};
  bperc_i_text advice = {0};
  put_mark(t, q->verdict);
  if (q->not_measured) {
    bperc_i_html(t, "not measured: %w</li>\n", q->not_measured);
    return;
  }
  bperc_i_write_subject(&w, q);
  put_condition_of(&w, q);
  put_numbers(&w, q);
  if (bperc_i_write_advice(&advice, q))
    bperc_i_html(t, "; %w", advice.failed ? "" : advice.text);
  t->failed |= advice.failed;
  bperc_i_text_clear(&advice);
  bperc_i_text_add(t, "</li>\n");
}

/* ---- a card */

static size_t count_tests(const bperc_claim *c, int that_hold) {
  size_t count = !that_hold && !c->test_count;
  for (size_t k = 0; k < c->test_count; k++)
    count += (c->tests[k].verdict == BPERC_HOLDS) == that_hold;
  return count;
}

/* Lists the tests that hold, or those that do not. */
static void put_tests(bperc_i_text *t, const bperc_i_figure *f,
                      const bperc_claim *c, int that_hold) {
  if (!count_tests(c, that_hold))
    return;
  bperc_i_text_add(t, "<ul class=\"tests\">\n");
  if (!c->test_count) { /* of tables that keep a sentence */
    put_mark(t, c->verdict);
    bperc_i_html(t, "%w</li>\n", c->said ? c->said : "");
  }
  for (size_t k = 0; k < c->test_count; k++)
    if ((c->tests[k].verdict == BPERC_HOLDS) == that_hold)
      put_test(t, f, &c->tests[k]);
  bperc_i_text_add(t, "</ul>\n");
}

/* The words of the paper, and where they stand in it. */
static void put_quote(bperc_i_text *t, const bperc_claim *c) {
  if (!*c->quote)
    return;
  bperc_i_html(t, "<blockquote>&ldquo;%w&rdquo;", c->quote);
  if (*c->place)
    bperc_i_html(t, " (%e)", c->place);
  bperc_i_text_add(t, "</blockquote>\n");
}

static int says_why(const bperc_claim *c) {
  return *c->why && c->verdict != BPERC_HOLDS;
}

void bperc_i_claim_card(bperc_i_text *t, const bperc_i_figure *f,
                        const bperc_claim *c) {
  const char *verdict = bperc_claim_verdict_name(c->verdict);
  size_t holding = count_tests(c, 1), others = count_tests(c, 0);
  int open = c->verdict != BPERC_HOLDS && others == 0;
  bperc_i_html(t,
               "<article class=\"claim %s\" id=\"%i\"><h3><span "
               "class=\"verdict %s\">%s</span> <b>%e</b> %w</h3>\n",
               verdict, c->id, verdict, verdict, c->id, c->text);
  put_quote(t, c);
  if (says_why(c))
    bperc_i_html(t, "<p class=\"why\">%w</p>\n", c->why);
  put_tests(t, f, c, 0);
  bperc_i_html(t, "<details%s><summary>", open ? " open" : "");
  if (holding)
    bperc_i_html(t, "%z %stest%s; ", holding, others ? "other " : "",
                 holding == 1 ? "" : "s");
  bperc_i_html(t,
               "what was expected</summary>\n<p class=\"dim\">"
               "Expected: %w.</p>\n",
               c->expected);
  put_tests(t, f, c, 1);
  bperc_i_text_add(t, "</details></article>\n");
}

/* ---- all claims */

/* The claims of a source that have a verdict; how many. */
static size_t list_claims(bperc_i_text *t, const bperc_i_figure *f,
                          size_t count, bperc_claim_source source,
                          bperc_claim_verdict verdict) {
  size_t listed = 0;
  for (size_t k = 0; k < count; k++)
    for (size_t c = 0; c < f[k].claims.count; c++) {
      const bperc_claim *q = &f[k].claims.claims[c];
      if (q->source != source || q->verdict != verdict)
        continue;
      listed++;
      if (!t)
        continue;
      bperc_i_html(t, "<li><a href=\"#%i\">%e</a><span>%w", q->id, q->id,
                   q->text);
      if (says_why(q))
        bperc_i_html(t, " <span class=\"why\">%w</span>", q->why);
      bperc_i_text_add(t, "</span></li>\n");
    }
  return listed;
}

static void put_tally(bperc_i_text *t, const char *name,
                      const size_t number[3]) {
  static const char *const words[] = {"hold", "fail", "undecided"};
  bperc_i_html(t, "<p class=\"tally\">%s ", name);
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

static void put_lists(bperc_i_text *t, const bperc_i_figure *f, size_t count,
                      bperc_claim_source source, const size_t number[3]) {
  static const struct {
    bperc_claim_verdict verdict;
    const char *before, *after;
  } lists[] = {
      {BPERC_FAILS, "<h3>What does not hold</h3>\n", ""},
      {BPERC_UNDECIDED,
       "<details><summary>Undecided: the error bars are too wide, or no "
       "verdict is kept</summary>\n",
       "</details>\n"},
      {BPERC_HOLDS, "<details><summary>What holds</summary>\n",
       "</details>\n"}};
  for (size_t k = 0; k < 3; k++)
    if (number[lists[k].verdict]) {
      bperc_i_text_add(t, lists[k].before);
      bperc_i_text_add(t, "<ul class=\"list\">\n");
      list_claims(t, f, count, source, lists[k].verdict);
      bperc_i_text_add(t, "</ul>\n");
      bperc_i_text_add(t, lists[k].after);
    }
}

/* How verdicts are made, once for all of them. */
static const char rule_of_verdicts[] =
    "<details><summary>How a verdict is made</summary>\n<p>A test compares "
    "numbers with a stated bound. It holds when each number is beyond the "
    "bound "
    "by more than chance explains, and fails when one is clearly on the other "
    "side: each of these is wrong with probability 1&nbsp;% at most, or as the "
    "claim says. Else it is undecided, and the card says how many times the "
    "instances would decide it. A claim fails when one of its tests fails, and "
    "holds when all hold. Instances, independent random problems, are the "
    "draws. Means and slopes are compared with Student&rsquo;s critical value "
    "for their number of instances, with room for skew distributions; shares "
    "by the binomial distribution; medians by signs; shares of the same "
    "instances by those that differ. Every rule was written before its result "
    "was seen; changes are in the notes.</p></details>\n";

void bperc_i_claim_summary(bperc_i_text *t, const bperc_i_figure *f,
                           size_t count) {
  static const char *const names[] = {"Claims of the paper:",
                                      "Claims of our own:"};
  int any = 0;
  for (int s = 0; s < 2; s++) {
    bperc_claim_source source = s ? BPERC_OURS : BPERC_PAPER;
    size_t number[3] = {0}, all = 0;
    for (int v = 0; v < 3; v++)
      all += number[v] =
          list_claims(NULL, f, count, source, (bperc_claim_verdict)v);
    if (!all)
      continue;
    bperc_i_html(t, "<section class=\"%s\">\n",
                 bperc_claim_source_name(source));
    put_tally(t, names[s], number);
    put_lists(t, f, count, source, number);
    bperc_i_text_add(t, "</section>\n");
    any = 1;
  }
  if (any)
    bperc_i_text_add(t, rule_of_verdicts);
}
