/* The page: one file that needs nothing from elsewhere. What holds and what
 * does not comes first; then every figure in the order of the paper with its
 * picture and its claims, and folded below them the note, the parameters and
 * the tables.
 *
 * With the scripts of web/page built in, pictures can be zoomed and read off;
 * without them, without JavaScript and on paper there are the plain pictures.
 */
#include "report/html.h"

#include "report/page_assets.h"
#include "sweep/plan.h"

#include <string.h>

enum { MOST_ROWS = 60 }; /* shown of one table; the file has all */

static void put(bperc_i_text *t, const char *text) {
  bperc_i_words(t, text, strlen(text));
}

static void escape(bperc_i_text *t, const char *text) {
  bperc_i_html_escape(t, text, strlen(text));
}

/* ---- parameters and tables, folded */

static void one_block(bperc_i_text *t, const bperc_i_figure *f,
                      const bperc_i_block *block, bperc_scale scale) {
  bperc_i_text_add(t, "<li><b>");
  put(t, bperc_i_table_label(f, block->name));
  bperc_i_text_add(t, "</b>: measurement <code>");
  escape(t, block->measurement->name);
  bperc_i_text_add(t, "</code>");
  for (size_t k = 0; k < block->parameter_count; k++) {
    const bperc_i_parameter *q = &block->parameters[k];
    bperc_i_text_add(t, ", ");
    bperc_i_words_key(t, q->name);
    bperc_i_text_add(t, " =");
    for (size_t v = 0; v < q->count[scale]; v++) {
      bperc_i_text_add(t, " ");
      escape(t, q->values[scale][v]);
    }
  }
  bperc_i_text_format(t, "; %u instance%s", block->instances[scale],
                      block->instances[scale] > 1 ? "s" : "");
  if (strcmp(block->preset, "default")) {
    bperc_i_text_add(t, "; preset ");
    escape(t, block->preset);
  }
  bperc_i_text_add(t, "</li>\n");
}

static void parameters(bperc_i_text *t, const bperc_i_figure *f) {
  bperc_scale scale =
      strncmp(f->origin, "paper", 5) ? BPERC_SCALE_QUICK : BPERC_SCALE_PAPER;
  bperc_i_text_add(t, "<p class=\"dim\">");
  put(t, f->origin);
  bperc_i_text_add(t, "</p>\n<ul class=\"dim\">\n");
  for (size_t b = 0; b < f->x->block_count; b++)
    one_block(t, f, &f->x->blocks[b], scale);
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
    bperc_i_html_escape(t, line + at, cell - at);
    bperc_i_text_format(t, "</%s>", tag);
    at = cell + 1;
  }
  bperc_i_text_add(t, "</tr>\n");
}

static void sheet(bperc_i_text *t, const bperc_i_figure *f,
                  const bperc_i_sheet *s) {
  size_t rows = 0, shown = 0;
  const char *text = s->text;
  for (const char *p = text; *p; p++)
    rows += *p == '\n';
  rows -= rows > 0;
  bperc_i_text_add(t, "<details><summary>Table <code>");
  escape(t, s->name);
  bperc_i_text_format(t,
                      "</code>, %zu rows</summary><div class=\"scroll\">"
                      "<table class=\"numbers\">\n",
                      rows);
  for (; *text && shown <= MOST_ROWS; shown++) {
    size_t length = strcspn(text, "\n");
    table_row(t, text, length, shown ? "td" : "th");
    text += length + (text[length] == '\n');
  }
  bperc_i_text_format(t, "</table></div><p class=\"dim\">%s <a href=\"",
                      rows > MOST_ROWS ? "The first rows of" : "The same in");
  bperc_i_html_address(t, bperc_experiment_name(f->x));
  bperc_i_text_add(t, "/");
  bperc_i_html_address(t, s->name);
  bperc_i_text_add(t, ".tsv\">");
  escape(t, s->name);
  bperc_i_text_add(t, ".tsv</a></p></details>\n");
}

/* ---- one figure */

static void picture_link(bperc_i_text *t, const char *name, const char *end,
                         const char *text) {
  bperc_i_text_add(t, "<a href=\"");
  bperc_i_html_address(t, name);
  bperc_i_text_add(t, "/");
  bperc_i_html_address(t, name);
  bperc_i_text_format(t, ".%s\">%s</a>", end, text);
}

static void picture(bperc_i_text *t, const bperc_i_figure *f) {
  const char *name = bperc_experiment_name(f->x);
  if (!f->picture)
    return;
  bperc_i_text_add(t, "<figure>");
  if (f->points && BPERC_I_PAGE_SCRIPT[0]) {
    bperc_i_text_add(t, "<pre class=\"points\" hidden>");
    bperc_i_html_escape(t, f->points, strlen(f->points));
    bperc_i_text_add(t, "</pre>");
  }
  bperc_i_text_add(t, "<div class=\"picture scroll\"><img alt=\"");
  escape(t, bperc_experiment_title(f->x));
  bperc_i_text_add(t, "\" src=\"data:image/svg+xml;base64,");
  bperc_i_html_base64(t, f->picture, f->picture_size);
  bperc_i_text_add(t, "\"></div>\n<figcaption>");
  put(t, f->is_made ? "Made from the tables, a panel for each of the first "
                      "results: the script of this experiment was not run."
                    : f->x->caption);
  bperc_i_text_add(t, " <span class=\"files\">For print: ");
  picture_link(t, name, "svg", "SVG");
  bperc_i_text_add(t, ", ");
  picture_link(t, name, "pdf", "PDF");
  bperc_i_text_add(t, ".</span></figcaption></figure>\n");
}

static void figure(bperc_i_text *t, const bperc_i_figure *f) {
  bperc_i_text_add(t, "<section id=\"figure-");
  bperc_i_html_id(t, bperc_experiment_name(f->x));
  bperc_i_text_add(t, "\"><h2>");
  put(t, bperc_experiment_title(f->x));
  bperc_i_text_add(t, "</h2>\n");
  picture(t, f);
  for (size_t c = 0; c < f->claims.count; c++)
    bperc_i_claim_card(t, f, &f->claims.claims[c]);
  if (*f->note) {
    bperc_i_text_add(t, "<details class=\"more\"><summary>How it was measured, "
                        "and what was seen</summary>\n");
    bperc_i_note(t, f->note);
    bperc_i_text_add(t, "</details>\n");
  }
  bperc_i_text_add(t, "<details class=\"more\"><summary>Parameters and tables"
                      "</summary>\n");
  parameters(t, f);
  for (size_t k = 0; k < f->sheet_count; k++)
    sheet(t, f, &f->sheets[k]);
  bperc_i_text_add(t, "</details></section>\n");
}

/* ---- the whole */

static void head(bperc_i_text *t, const char *title) {
  bperc_i_text_add(t, "<!DOCTYPE html>\n<html lang=\"en\"><head>"
                      "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-"
                      "Security-Policy\" content=\"default-src 'none'; img-src "
                      "data:; style-src 'unsafe-inline'; script-src ");
  bperc_i_text_add(t, BPERC_I_PAGE_SCRIPT[0] ? BPERC_I_PAGE_SCRIPT_HASH
                                             : "'none'");
  bperc_i_text_add(t, "\">\n<meta name=\"viewport\" content=\"width=device-"
                      "width,initial-scale=1\">\n<link rel=\"icon\" "
                      "href=\"data:,\">\n<title>");
  escape(t, title);
  bperc_i_text_add(t, "</title>\n<style>");
  bperc_i_text_add(t, BPERC_I_PAGE_STYLE);
  bperc_i_text_add(t, "</style></head>\n<body>\n");
}

static void introduction(bperc_i_text *t, const bperc_i_about *about,
                         const char *title, const char *origin) {
  bperc_i_text_add(t, "<header><h1>");
  put(t, title);
  bperc_i_text_add(t, "</h1>\n");
  if (*about->authors) {
    bperc_i_text_add(t, "<p class=\"authors\">");
    put(t, about->authors);
    bperc_i_text_add(t, "</p>\n");
  }
  if (*about->model) {
    bperc_i_text_add(t, "<p>");
    put(t, about->model);
    bperc_i_text_add(t, "</p>\n");
  }
  bperc_i_text_add(t, "<p class=\"dim\">");
  put(t, origin);
  bperc_i_text_add(t, "</p></header>\n");
}

static void contents(bperc_i_text *t, const bperc_i_figure *f, size_t count) {
  bperc_i_text_add(t, "<nav>");
  for (size_t k = 0; k < count; k++) {
    const char *name = bperc_experiment_name(f[k].x);
    size_t failing = 0;
    for (size_t c = 0; c < f[k].claims.count; c++)
      failing += f[k].claims.claims[c].verdict == BPERC_FAILS;
    bperc_i_text_format(t, "<a%s href=\"#figure-",
                        failing ? " class=\"fails\"" : "");
    bperc_i_html_id(t, name);
    bperc_i_text_add(t, "\">");
    escape(t, strncmp(name, "fig", 3) == 0 && name[3] ? name + 3 : name);
    bperc_i_text_add(t, "</a>\n");
  }
  bperc_i_text_add(t, "</nav>\n");
}

void bperc_i_page(bperc_i_text *t, const bperc_i_figure *f, size_t count,
                  const bperc_i_about *about, const char *origin) {
  const char *title = *about->title ? about->title
                      : count == 1  ? bperc_experiment_title(f[0].x)
                                    : "Claims and figures";
  head(t, title);
  introduction(t, about, title, origin);
  bperc_i_claim_summary(t, f, count);
  if (count > 1)
    contents(t, f, count);
  for (size_t k = 0; k < count; k++)
    figure(t, &f[k]);
  bperc_i_text_format(t, "<footer class=\"dim\">Made by bperc %s.</footer>\n",
                      bperc_version());
  if (BPERC_I_PAGE_SCRIPT[0]) {
    bperc_i_text_add(t, "<script>");
    bperc_i_text_add(t, BPERC_I_PAGE_SCRIPT);
    bperc_i_text_add(t, "</script>\n");
  }
  bperc_i_text_add(t, "</body></html>\n");
}
