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
  bperc_i_words(&t, text, strlen(text));
  assert_string_equal(t.text, html);
  bperc_i_text_clear(&t);
}

static void measured(const fixture *s, const char *text, const char *html) {
  char table[BPERC_I_TABLE] = "";
  bperc_i_text t = {0};
  bperc_i_words_measured(&t, &s->f, table, text, strlen(text));
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

static void findings(void **state) {
  fixture s;
  (void)state;
  fixture_open(&s);
  measured(&s, "full:parisi_x", "<i>x</i><sub>*</sub> (full &lt;space&gt;)");
  measured(&s, "bare_one:my_own", "my own (bare_one)");
  measured(&s, "other:my_own", "other:my_own");
  measured(&s, "fin=0.3 n=60: 0.52671 +- 0.0243",
           "<i>f</i><sub>in</sub> = 0.3, <i>N</i> = 60: "
           "0.527&nbsp;&plusmn;&nbsp;0.024");
  measured(&s, "-5.206e-05 +- 6e-05",
           "(&minus;5.2&nbsp;&plusmn;&nbsp;6.0)&middot;10<sup>&minus;5</sup>");
  measured(&s, "slope of full:parisi_x against n",
           "slope of <i>x</i><sub>*</sub> (full &lt;space&gt;) against "
           "<i>N</i>");
  bperc_experiment_free(s.x);
}

/* The position in a vector is told by what stands there. */
static void positions(void **state) {
  fixture s;
  (void)state;
  fixture_open(&s);
  measured(&s, "full.local:y at fin=0.3 k=9",
           "y (full &lt;space&gt;) at <i>f</i><sub>in</sub> = 0.3, "
           "<i>D</i> = 0.02");
  measured(&s, "full:y at k=9", "y (full &lt;space&gt;) at position = 9");
  bperc_experiment_free(s.x);
}

/* An error of rounding alone is none. */
static void rounding(void **state) {
  fixture s;
  (void)state;
  fixture_open(&s);
  measured(&s, "-25 +- 1.2e-14", "&minus;25.00");
  bperc_experiment_free(s.x);
}

/* Values that are words stay words, whatever letters they have. */
static void words_as_values(void **state) {
  fixture s;
  (void)state;
  fixture_open(&s);
  measured(&s, "at rbp.kind=paper", "at rbp.kind = paper");
  measured(&s, "at rbp.kind=2e-5",
           "at rbp.kind = 2&middot;10<sup>&minus;5</sup>");
  bperc_experiment_free(s.x);
}

static char *card(const fixture *s, bperc_claim_verdict verdict,
                  const char *found) {
  char id[] = "X<1>", text[] = "<b>", expected[] = "e", copy[512];
  char quote[] = "a <q>";
  bperc_claim c = {.id = id,
                   .text = text,
                   .expected = expected,
                   .quote = quote,
                   .line = 248};
  bperc_i_text t = {0};
  snprintf(copy, sizeof copy, "%s", found);
  c.said = copy;
  c.verdict = verdict;
  bperc_i_claim_card(&t, &s->f, &c);
  return bperc_i_text_take(&t);
}

static void contains(char *html, const char *part, int wanted) {
  if ((strstr(html, part) != NULL) != wanted)
    fail_msg("'%s' %s: %s", part, wanted ? "is missing" : "is there", html);
}

/* What would decide a test stands behind it, not in its condition. */
static void advice(void **state) {
  fixture s;
  char *html;
  (void)state;
  fixture_open(&s);
  html = card(&s, BPERC_UNDECIDED,
              "slope of full:y against n: 0.5 +- 0.4 (to be up) (about 4 times "
              "the instances would decide it) [undecided]");
  contains(html, ", to be positive: ", 1);
  contains(html, "</span>; about 4 times the instances would decide it</li>",
           1);
  bperc_i_free(html);
  bperc_experiment_free(s.x);
}

/* The test that fails is in sight and its bad series marked, the rest folded.
 */
static void cards(void **state) {
  fixture s;
  char *html;
  (void)state;
  fixture_open(&s);
  html = card(&s, BPERC_FAILS,
              "slope of full:y against n: 0.5 +- 0.1; full:y: fin=0.3: 0.5 +- "
              "0.01, fin=0.4: 0.9 +- 0.01 (to be above 0.75) [fails]");
  contains(html, "<li class=\"fails\">", 1);
  contains(html, "<span class=\"wrong\"><i>f</i><sub>in</sub> = 0.3", 1);
  contains(html, "<span class=\"wrong\"><i>f</i><sub>in</sub> = 0.4", 0);
  assert_true(strstr(html, "<details") > strstr(html, "to be above 0.75"));
  assert_true(strstr(html, "slope of") > strstr(html, "<details"));
  contains(html, "id=\"X-1-\"", 1);
  contains(html, "X<1>", 0);
  contains(html, "&ldquo;a &lt;q&gt;&rdquo; (paper, line 248)", 1);
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
      cmocka_unit_test(prose),
      cmocka_unit_test(findings),
      cmocka_unit_test(positions),
      cmocka_unit_test(rounding),
      cmocka_unit_test(words_as_values),
      cmocka_unit_test(advice),
      cmocka_unit_test(cards),
      cmocka_unit_test(notes),
      cmocka_unit_test(plot_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
