/* The report page: one file, no scripts, nothing from elsewhere. Claims first,
 * those that fail or are open before those that hold; then every figure with
 * its picture, parameters, verdicts, note and tables. */
#include "report/figure.h"

#include "sweep/plan.h"

#include <string.h>

enum { MOST_ROWS = 60 }; /* shown of one table; the file has all */

static const char style[] =
    "body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:66rem;"
    "padding:0 1rem 3rem;color:#111;background:#fff}"
    "h1{font-size:1.6rem;margin:1.2rem 0 .3rem}"
    "h2{font-size:1.25rem;margin:2.5rem 0 .4rem;border-top:1px solid #bbb;"
    "padding-top:1rem}h3{font-size:1.05rem;margin:1rem 0 .3rem}"
    "p,ul{margin:.5rem 0}code{font-size:.9em;background:#f1f1f1;"
    "padding:0 .2em}a{color:#003b8e}.dim{color:#444;font-size:.9rem}"
    "table{border-collapse:collapse;font-size:.88rem}"
    "th,td{text-align:left;vertical-align:top;padding:.25rem .6rem;"
    "border-bottom:1px solid #ddd}th{border-bottom:2px solid #555}"
    ".numbers td,.numbers th{text-align:right;white-space:nowrap;"
    "font-variant-numeric:tabular-nums;padding:.1rem .5rem}"
    ".scroll{overflow-x:auto;-webkit-overflow-scrolling:touch}"
    ".picture img{display:block;width:100%;min-width:44rem;height:auto}"
    ".verdict{display:inline-block;min-width:5.6rem;text-align:center;"
    "border:1px solid #333;border-radius:.3rem;padding:0 .4rem;"
    "font-weight:600}.holds{background:#dff0df}.fails{background:#f7c9c4}"
    ".undecided{background:#fff3c4}td.long{overflow-wrap:anywhere;"
    "min-width:9rem}details{margin:.5rem 0}summary{cursor:pointer}"
    "nav a{margin-right:.8rem;white-space:nowrap}"
    "@media print,(max-width:50rem){.claims thead{display:none}.claims tr{"
    "display:block;border-bottom:1px solid #555;padding:.5rem 0}.claims td{"
    "display:inline;border:0;padding:0 .3rem 0 0}.claims td[data-is]{display:"
    "block}.claims td[data-is]::before{content:attr(data-is)\": \";color:#444}}"
    "@media print{body{max-width:none;font-size:9.5pt}h2{break-before:page;"
    "border:0;margin-top:0}h2,h3{break-after:avoid}.dim,table{font-size:8.5pt}"
    ".picture img{min-width:0;width:auto;max-width:100%;max-height:17cm;"
    "margin:0 auto}.scroll{overflow:visible}nav,details .scroll{display:none}"
    "figure,tr,li{break-inside:avoid}}";

/* ---- text */

static void escape(bperc_i_text *t, const char *text, size_t length) {
  for (size_t k = 0; k < length; k++) {
    char c = text[k];
    if (c == '&')
      bperc_i_text_add(t, "&amp;");
    else if (c == '<')
      bperc_i_text_add(t, "&lt;");
    else if (c == '>')
      bperc_i_text_add(t, "&gt;");
    else if (c == '"')
      bperc_i_text_add(t, "&quot;");
    else if (c == '+' && text[k + 1] == '-' && k + 1 < length) {
      bperc_i_text_add(t, "&plusmn;");
      k++;
    } else
      bperc_i_text_add_bytes(t, &c, 1);
  }
}

static void put(bperc_i_text *t, const char *text) {
  escape(t, text, strlen(text));
}

static void base64(bperc_i_text *t, const unsigned char *b, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
                               "uvwxyz0123456789+/";
  for (size_t k = 0; k < size; k += 3) {
    size_t left = size - k < 3 ? size - k : 3;
    unsigned word = (unsigned)b[k] << 16 |
                    (left > 1 ? (unsigned)b[k + 1] << 8 : 0) |
                    (left > 2 ? b[k + 2] : 0);
    char four[4] = {digits[word >> 18], digits[word >> 12 & 63],
                    left > 1 ? digits[word >> 6 & 63] : '=',
                    left > 2 ? digits[word & 63] : '='};
    bperc_i_text_add_bytes(t, four, 4);
  }
}

/* ---- notes: paragraphs, lists, headings, `code` and **bold** */

static void inline_marks(bperc_i_text *t, const char *text, size_t length) {
  int code = 0, bold = 0;
  for (size_t k = 0; k < length; k++) {
    if (text[k] == '`') {
      bperc_i_text_add(t, code ? "</code>" : "<code>");
      code = !code;
    } else if (!code && k + 1 < length && text[k] == '*' &&
               text[k + 1] == '*') {
      bperc_i_text_add(t, bold ? "</b>" : "<b>");
      bold = !bold;
      k++;
    } else
      escape(t, text + k, 1);
  }
  bperc_i_text_add(t, code ? "</code>" : "");
  bperc_i_text_add(t, bold ? "</b>" : "");
}

typedef enum { NOTHING, PARAGRAPH, LIST } block_kind;

static void change(bperc_i_text *t, block_kind *now, block_kind next) {
  static const char *const close[] = {"", "</p>\n", "</li></ul>\n"};
  static const char *const open[] = {"", "<p>", "<ul>"};
  bperc_i_text_add(t, close[*now]);
  bperc_i_text_add(t, open[next]);
  *now = next;
}

static void note_line(bperc_i_text *t, const char *line, size_t length,
                      block_kind *now) {
  size_t marks = strspn(line, "#");
  if (length == 0) {
    change(t, now, NOTHING);
  } else if (marks && marks < length) {
    change(t, now, NOTHING);
    bperc_i_text_add(t, "<h3>");
    inline_marks(t, line + marks + 1, length - marks - 1);
    bperc_i_text_add(t, "</h3>\n");
  } else if (length > 2 && (line[0] == '-' || line[0] == '*') &&
             line[1] == ' ') {
    if (*now == LIST)
      bperc_i_text_add(t, "</li>\n");
    else
      change(t, now, LIST);
    bperc_i_text_add(t, "<li>");
    inline_marks(t, line + 2, length - 2);
  } else {
    if (*now == NOTHING)
      change(t, now, PARAGRAPH);
    else
      bperc_i_text_add(t, "\n");
    inline_marks(t, line, length);
  }
}

static void note(bperc_i_text *t, const char *text) {
  block_kind now = NOTHING;
  while (*text) {
    size_t length = strcspn(text, "\n");
    note_line(t, text, length, &now);
    text += length + (text[length] == '\n');
  }
  change(t, &now, NOTHING);
}

/* ---- claims */

/* The findings of several tests, joined by "; ", below each other. */
static void put_lines(bperc_i_text *t, const char *text) {
  const char *end;
  while ((end = strstr(text, "; "))) {
    escape(t, text, (size_t)(end - text));
    bperc_i_text_add(t, ";<br>");
    text = end + 2;
  }
  put(t, text);
}

static void claim_row(bperc_i_text *t, const bperc_claim *c,
                      const char *figure) {
  const char *verdict = bperc_claim_verdict_name(c->verdict);
  bperc_i_text_format(t, "<tr><td>");
  if (figure)
    bperc_i_text_format(t, "<a href=\"#%s\">", figure);
  put(t, c->id);
  bperc_i_text_format(t,
                      "%s</td><td><span class=\"verdict %s\">%s</span></td>"
                      "<td class=\"long\">",
                      figure ? "</a>" : "", verdict, verdict);
  put(t, c->text);
  bperc_i_text_add(t, "</td><td class=\"long\" data-is=\"expected\">");
  put(t, c->expected);
  bperc_i_text_add(t, "</td><td class=\"long\" "
                      "data-is=\"measured\">");
  put_lines(t, c->measured);
  bperc_i_text_add(t, "</td></tr>\n");
}

static void claims_head(bperc_i_text *t) {
  bperc_i_text_add(t, "<div class=\"scroll\"><table class=\"claims\"><thead>"
                      "<tr><th>claim</th><th>verdict</th><th>what</th>"
                      "<th>expected</th><th>measured</th></tr></thead><tbody>"
                      "\n");
}

static void all_claims(bperc_i_text *t, const bperc_i_figure *f, size_t count) {
  static const bperc_claim_verdict order[] = {BPERC_FAILS, BPERC_UNDECIDED,
                                              BPERC_HOLDS};
  size_t number[3] = {0};
  for (size_t k = 0; k < count; k++)
    for (size_t c = 0; c < f[k].claims.count; c++)
      number[f[k].claims.claims[c].verdict]++;
  bperc_i_text_format(
      t, "<p>%zu claims hold, %zu fail, %zu are undecided.</p>\n",
      number[BPERC_HOLDS], number[BPERC_FAILS], number[BPERC_UNDECIDED]);
  claims_head(t);
  for (size_t v = 0; v < 3; v++)
    for (size_t k = 0; k < count; k++)
      for (size_t c = 0; c < f[k].claims.count; c++)
        if (f[k].claims.claims[c].verdict == order[v])
          claim_row(t, &f[k].claims.claims[c], bperc_experiment_name(f[k].x));
  bperc_i_text_add(t, "</tbody></table></div>\n");
}

/* ---- one figure */

/* What the plan asks for, as text: the values of the scale come with the
 * tables. */
static void parameters(bperc_i_text *t, const bperc_i_figure *f) {
  const bperc_experiment *x = f->x;
  bperc_scale scale =
      strncmp(f->origin, "paper", 5) ? BPERC_SCALE_QUICK : BPERC_SCALE_PAPER;
  bperc_i_text_add(t, "<ul class=\"dim\">\n");
  for (size_t b = 0; b < x->block_count; b++) {
    const bperc_i_block *block = &x->blocks[b];
    bperc_i_text_format(t, "<li><b>%s</b>: <code>%s</code>", block->name,
                        block->measurement->name);
    for (size_t k = 0; k < block->parameter_count; k++) {
      const bperc_i_parameter *q = &block->parameters[k];
      bperc_i_text_format(t, ", %s =", q->name);
      for (size_t v = 0; v < q->count[scale]; v++)
        bperc_i_text_format(t, " %s", q->values[scale][v]);
    }
    bperc_i_text_format(t, "; %u instance%s", block->instances[scale],
                        block->instances[scale] > 1 ? "s" : "");
    if (strcmp(block->preset, "default"))
      bperc_i_text_format(t, "; preset %s", block->preset);
    bperc_i_text_add(t, "</li>\n");
  }
  bperc_i_text_add(t, "</ul>\n");
}

static void table_row(bperc_i_text *t, const char *line, size_t length,
                      const char *tag) {
  bperc_i_text_add(t, "<tr>");
  for (size_t at = 0; at <= length;) {
    size_t cell = at;
    while (cell < length && line[cell] != '\t')
      cell++;
    bperc_i_text_format(t, "<%s>", tag);
    escape(t, line + at, cell - at);
    bperc_i_text_format(t, "</%s>", tag);
    at = cell + 1;
  }
  bperc_i_text_add(t, "</tr>\n");
}

static void sheet(bperc_i_text *t, const bperc_i_sheet *s, const char *figure) {
  size_t rows = 0, shown = 0;
  const char *text = s->text;
  for (const char *p = text; *p; p++)
    rows += *p == '\n';
  rows -= rows > 0;
  bperc_i_text_format(t,
                      "<details><summary>Table %s, %zu rows</summary>"
                      "<div class=\"scroll\"><table class=\"numbers\">\n",
                      s->name, rows);
  for (; *text && shown <= MOST_ROWS; shown++) {
    size_t length = strcspn(text, "\n");
    table_row(t, text, length, shown ? "td" : "th");
    text += length + (text[length] == '\n');
  }
  bperc_i_text_format(t,
                      "</table></div><p class=\"dim\">%s <a href=\"%s/%s.tsv\">"
                      "%s.tsv</a></p></details>\n",
                      rows > MOST_ROWS ? "The first rows of" : "The same in",
                      figure, s->name, s->name);
}

static void picture(bperc_i_text *t, const bperc_i_figure *f) {
  const char *name = bperc_experiment_name(f->x);
  if (!f->picture)
    return;
  bperc_i_text_add(t,
                   "<figure style=\"margin:0\"><div class=\"scroll picture\">"
                   "<img alt=\"");
  put(t, bperc_experiment_title(f->x));
  bperc_i_text_add(t, "\" src=\"data:image/svg+xml;base64,");
  base64(t, (const unsigned char *)f->picture, f->picture_size);
  bperc_i_text_add(t, "\"></div>\n<figcaption class=\"dim\">");
  put(t, f->x->caption);
  bperc_i_text_format(t,
                      " (<a href=\"%s/%s.svg\">SVG</a>, "
                      "<a href=\"%s/%s.pdf\">PDF</a>)</figcaption></figure>\n",
                      name, name, name, name);
}

static void figure(bperc_i_text *t, const bperc_i_figure *f) {
  const char *name = bperc_experiment_name(f->x);
  bperc_i_text_format(t, "<section id=\"%s\"><h2>", name);
  put(t, bperc_experiment_title(f->x));
  bperc_i_text_add(t, "</h2>\n");
  picture(t, f);
  if (f->claims.count) {
    claims_head(t);
    for (size_t c = 0; c < f->claims.count; c++)
      claim_row(t, &f->claims.claims[c], NULL);
    bperc_i_text_add(t, "</tbody></table></div>\n");
  }
  note(t, f->note);
  bperc_i_text_add(t, "<h3>Parameters</h3>\n<p class=\"dim\">");
  put(t, f->origin);
  bperc_i_text_add(t, "</p>\n");
  parameters(t, f);
  for (size_t k = 0; k < f->sheet_count; k++)
    sheet(t, &f->sheets[k], name);
  bperc_i_text_add(t, "</section>\n");
}

void bperc_i_html_page(bperc_i_text *t, const bperc_i_figure *f, size_t count,
                       const char *origin) {
  bperc_i_text_format(
      t,
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,"
      "initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>bperc: claims and figures</title>\n<style>%s</style></head>\n"
      "<body>\n<h1>Claims and figures</h1>\n<p class=\"dim\">",
      style);
  put(t, origin);
  bperc_i_text_format(t, " Made by bperc %s.</p>\n<nav>", bperc_version());
  for (size_t k = 0; k < count; k++)
    bperc_i_text_format(t, "<a href=\"#%s\">%s</a>\n",
                        bperc_experiment_name(f[k].x),
                        bperc_experiment_name(f[k].x));
  bperc_i_text_add(t, "</nav>\n");
  all_claims(t, f, count);
  for (size_t k = 0; k < count; k++)
    figure(t, &f[k]);
  bperc_i_text_add(t, "</body></html>\n");
}
