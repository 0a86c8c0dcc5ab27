/* The page speaks in the words and symbols of the paper, and nothing of a plan
 * or of a saved table reaches it raw. */
#include "check.h"

#include "base/alloc.h"
#include "lab/page/html.h"

#include <string.h>

static const char plan[] = "[block full]\n"
                           "label = full <space>\n"
                           "measurement = toy\n"
                           "[block bare_one]\n"
                           "measurement = toy\n";

typedef struct {
  bperc_experiment *x;
  bperc_i_figure f;
  bperc_i_sheet sheets[3];
} fixture;

static void fixture_open(fixture *s) {
  static char names[3][16] = {"full", "bare_one", "full.local"};
  static char local[] = "fin\tk\tdistance\tdistance_sem\n"
                        "0.1\t9\t0.01\t0\n0.3\t9\t0.02\t0\n";
  *s = (fixture){0};
  assert_int_equal(bperc_experiment_parse("p", plan, strlen(plan), &s->x, NULL),
                   BPERC_OK);
  for (int k = 0; k < 3; k++)
    s->sheets[k] = (bperc_i_sheet){names[k], k == 2 ? local : names[k]};
  s->f = (bperc_i_figure){.x = s->x, .sheets = s->sheets, .sheet_count = 3};
}

static void says(const char *text, const char *html) {
  bperc_i_text t = {0};
  bperc_i_html_words(&t, text, strlen(text));
  assert_string_equal(t.text, html);
  bperc_i_text_clear(&t);
}

static void column_says(const fixture *s, const char *table, const char *column,
                        const char *html) {
  bperc_i_text t = {0};
  bperc_i_words_column(&t, &s->f, table, column);
  assert_string_equal(t.text, html);
  bperc_i_text_clear(&t);
}

static void where_says(const fixture *s, const char *table, const char *where,
                       const char *html) {
  char name[40], column[] = "y", text[40];
  bperc_claim_side side = {name, column, text};
  bperc_i_text t = {0};
  snprintf(name, sizeof name, "%s", table);
  snprintf(text, sizeof text, "%s", where);
  bperc_i_words_where(&t, &s->f, &side);
  assert_string_equal(t.text, html);
  bperc_i_text_clear(&t);
}

static void estimate_says(double value, double error, const char *html) {
  bperc_i_text t = {0};
  bperc_i_words_estimate(&t, value, error);
  assert_string_equal(t.text, html);
  bperc_i_text_clear(&t);
}

static void keys_say(const bperc_number_key *keys, size_t count,
                     const char *html) {
  bperc_i_text t = {0};
  bperc_i_words_keys(&t, keys, count);
  assert_string_equal(t.text, html);
  bperc_i_text_clear(&t);
}

static void prose(void **state) {
  (void)state;
  says("x* of q_same - q_diff at alpha >= 0.2",
       "<i>x</i><sub>*</sub> of <i>q</i><sub>same</sub> &minus; "
       "<i>q</i><sub>diff</sub> at &alpha; &ge; 0.2");
  says("high-A branch, f_in = 0.1", "high-A branch, <i>f</i><sub>in</sub> = "
                                    "0.1");
  says("w.xi up to sqrt(N)", "<i>w</i>&middot;&xi; up to &radic;(N)");
  says("within 1e-05 of -25", "within 1&middot;10<sup>&minus;5</sup> of "
                              "&minus;25");
  says("<img onerror=\"x\"> & 'y'",
       "&lt;img onerror=&quot;x&quot;&gt; &amp; &#39;y&#39;");
}

static void columns(void **state) {
  fixture s;
  bperc_i_text t = {0};
  (void)state;
  fixture_open(&s);
  column_says(&s, "full", "parisi_x",
              "<i>x</i><sub>*</sub> (full &lt;space&gt;)");
  column_says(&s, "full.local", "y", "y (full &lt;space&gt;)");
  column_says(&s, "bare_one", "my_own", "my own (bare_one)");
  bperc_i_words_axis(&t, "n");
  assert_string_equal(t.text, "<i>N</i>");
  bperc_i_text_clear(&t);
  where_says(&s, "full", "<script>", "&lt;script&gt;");
  where_says(&s, "full", "n=30,fin>=0.2",
             "<i>N</i> = 30, <i>f</i><sub>in</sub> &ge; 0.2");
  where_says(&s, "full.local", "k=9", "<i>D</i> = 0.01");
  where_says(&s, "full.local", "k=8", "k = 8");
  bperc_experiment_free(s.x);
}

static char fin[] = "fin", n[] = "n", pos[] = "k", kind[] = "rbp.kind",
            distance[] = "distance", other[] = "other", t03[] = "0.3",
            t04[] = "0.4", t60[] = "60", t9[] = "9", paper[] = "paper",
            small[] = "2e-5";

/* The position in a vector is told by what stands there; values that are words
 * stay words, whatever letters they have. */
static void keys(void **state) {
  const bperc_number_key two[] = {{fin, t03, NULL, 0}, {n, t60, NULL, 0}};
  const bperc_number_key place[] = {{fin, t03, NULL, 0},
                                    {pos, t9, distance, 0.02}};
  const bperc_number_key bare[] = {{pos, t9, other, 7}};
  const bperc_number_key word[] = {{kind, paper, NULL, 0}};
  const bperc_number_key power[] = {{kind, small, NULL, 0}};
  (void)state;
  keys_say(two, 2, "<i>f</i><sub>in</sub> = 0.3, <i>N</i> = 60");
  keys_say(place, 2, "<i>f</i><sub>in</sub> = 0.3, <i>D</i> = 0.02");
  keys_say(bare, 1, "position = 9");
  keys_say(word, 1, "rbp.kind = paper");
  keys_say(power, 1, "rbp.kind = 2&middot;10<sup>&minus;5</sup>");
}

/* An error of rounding alone is none. */
static void numbers(void **state) {
  (void)state;
  estimate_says(0.52671, 0.0243, "0.527&nbsp;&plusmn;&nbsp;0.024");
  estimate_says(-5.206e-05, 6e-05,
                "(&minus;5.2&nbsp;&plusmn;&nbsp;6.0)&middot;10<sup>&minus;5"
                "</sup>");
  estimate_says(-25, 1.2e-14, "&minus;25.00");
  estimate_says(-0.25, NAN, "&minus;0.25");
}

static char full[] = "full", y[] = "y", nothing[] = "", axis[] = "n";

static bperc_claim_number series(bperc_number_key *key, double estimate) {
  return (bperc_claim_number){BPERC_ROLE_SERIES,    BPERC_KIND_MEAN,
                              .keys = key,          .key_count = 1,
                              .estimate = estimate, .error = 0.01};
}

static char *card(const fixture *s, bperc_claim_verdict verdict,
                  bperc_claim_test *tests, size_t count) {
  char id[] = "X<1>", text[] = "<b>", expected[] = "e", quote[] = "a <q>",
       place[] = "section II & figure 2b", why[] = "too <few>";
  bperc_claim c = {.id = id,
                   .text = text,
                   .expected = expected,
                   .quote = quote,
                   .place = place,
                   .why = why,
                   .tests = tests,
                   .test_count = count,
                   .verdict = verdict};
  bperc_i_text t = {0};
  bperc_i_claim_card(&t, &s->f, &c);
  return bperc_i_text_take(&t);
}

static void contains(char *html, const char *part, int wanted) {
  if ((strstr(html, part) != NULL) != wanted)
    fail_msg("'%s' %s: %s", part, wanted ? "is missing" : "is there", html);
}

/* What would decide a test stands behind its numbers, not in its condition. */
static void advice(void **state) {
  fixture s;
  bperc_number_key at = {fin, t03, NULL, 0};
  bperc_claim_number one = series(&at, 0.5);
  bperc_claim_test t = {BPERC_RULE_TREND, BPERC_UNDECIDED,
                        .direction = 1,   .sides = {{full, y, nothing}},
                        .x = axis,        .times = 4,
                        .numbers = &one,  .number_count = 1};
  char *html, *words;
  (void)state;
  fixture_open(&s);
  html = card(&s, BPERC_UNDECIDED, &t, 1);
  words = strstr(html, "class=\"values\"");
  assert_non_null(words);
  assert_non_null(strstr(words, " 4 ")); /* times */
  assert_null(strstr(words, "wrong"));
  bperc_i_free(html);
  bperc_experiment_free(s.x);
}

/* The test that fails is in sight and its bad series marked, the rest folded.
 */
static void cards(void **state) {
  fixture s;
  bperc_number_key at[] = {{fin, t03, NULL, 0}, {fin, t04, NULL, 0}};
  bperc_claim_number two[] = {series(&at[0], 0.5), series(&at[1], 0.9)};
  bperc_claim_test tests[] = {{BPERC_RULE_TREND, BPERC_HOLDS, .direction = 1,
                               .sides = {{full, y, nothing}}, .x = axis,
                               .numbers = two, .number_count = 1},
                              {BPERC_RULE_ABOVE, BPERC_FAILS,
                               .sides = {{full, y, nothing}}, .value = 0.75,
                               .numbers = two, .number_count = 2}};
  char *html, *folded, *failing, *holding;
  (void)state;
  fixture_open(&s);
  html = card(&s, BPERC_FAILS, tests, 2);
  contains(html, "<span class=\"wrong\"><i>f</i><sub>in</sub> = 0.3", 1);
  contains(html, "<span class=\"wrong\"><i>f</i><sub>in</sub> = 0.4", 0);
  folded = strstr(html, "<details");
  failing = strstr(html, "<li class=\"fails\">");
  holding = strstr(html, "<li class=\"holds\">");
  assert_true(failing && failing < folded && folded < holding);
  contains(html, "id=\"X-1-\"", 1);
  contains(html, "X<1>", 0);
  contains(html, "&ldquo;a &lt;q&gt;&rdquo; (section II &amp; figure 2b)", 1);
  contains(html, "too &lt;few&gt;", 1);
  bperc_i_free(html);
  bperc_experiment_free(s.x);
}

static void notes(void **state) {
  static const char text[] = "A **bold\none** with `a*b <x>`.\n\n- item f_in\n"
                             "  more\n- two\n\n# Head\nlast";
  bperc_i_text t = {0};
  (void)state;
  bperc_i_note(&t, text);
  assert_string_equal(
      t.text, "<p>A <b>bold\none</b> with <code>a*b &lt;x&gt;</code>.</p>\n"
              "<ul>\n<li>item <i>f</i><sub>in</sub>\n  more</li>\n"
              "<li>two</li>\n</ul>\n<h4>Head</h4>\n<p>last</p>\n");
  bperc_i_text_clear(&t);
}

/* Memory that fails on the way to a script is no reason to draw nothing. */
static void plot_without_memory(void **state) {
  fixture s;
  bperc_i_text warning = {0};
  (void)state;
  fixture_open(&s);
  for (long k = 0; k < 3; k++) {
    bperc_i_alloc_fail_after(k);
    assert_int_equal(bperc_i_figure_plot(&s.f, "nowhere", 0, &warning, NULL),
                     BPERC_E_MEMORY);
  }
  bperc_i_alloc_fail_after(-1);
  bperc_i_text_clear(&warning);
  bperc_experiment_free(s.x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(prose),  cmocka_unit_test(columns),
      cmocka_unit_test(keys),   cmocka_unit_test(numbers),
      cmocka_unit_test(advice), cmocka_unit_test(cards),
      cmocka_unit_test(notes),  cmocka_unit_test(plot_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
