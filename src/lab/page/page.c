/* The page: one file that needs nothing from elsewhere. What holds and what
 * does not comes first; then every figure in the order of the paper with its
 * picture and its claims, and folded below them the note, the parameters and
 * the tables.
 *
 * With the scripts of web/page built in, pictures can be zoomed and read off;
 * without them, without JavaScript and on paper there are the plain pictures.
 */
#include "lab/page/html.h"

#include "lab/page/page_assets.h"
#include "lab/plan/plan.h"

#include <string.h>

enum { MOST_ROWS = 60 }; /* shown of one table; the file has all */

/* ---- parameters and tables, folded */

static void one_block(bperc_i_text *t, const bperc_i_figure *f,
                      const bperc_i_block *block, bperc_scale scale) {
  bperc_i_html(t, "<li><b>%w</b>: measurement <code>%e</code>",
               bperc_i_table_label(f, block->name), block->measurement->name);
  for (size_t k = 0; k < block->parameter_count; k++) {
    const bperc_i_parameter *q = &block->parameters[k];
    bperc_i_text_add(t, ", ");
    bperc_i_words_key(t, q->name);
    bperc_i_text_add(t, " =");
    for (size_t v = 0; v < q->count[scale]; v++)
      bperc_i_html(t, " %e", q->values[scale][v]);
  }
  bperc_i_text_format(t, "; %u instance%s", block->instances[scale],
                      block->instances[scale] > 1 ? "s" : "");
  if (strcmp(block->preset, "default"))
    bperc_i_html(t, "; preset %e", block->preset);
  bperc_i_text_add(t, "</li>\n");
}

static void parameters(bperc_i_text *t, const bperc_i_figure *f) {
  bperc_scale scale =
      strncmp(f->origin, "paper", 5) ? BPERC_SCALE_QUICK : BPERC_SCALE_PAPER;
  bperc_i_html(t, "<p class=\"dim\">%w</p>\n<ul class=\"dim\">\n", f->origin);
  for (size_t b = 0; b < f->x->block_count; b++)
    one_block(t, f, &f->x->blocks[b], scale);
  bperc_i_text_add(t, "</ul>\n");
}

static void table_row(bperc_i_text *t, const char *line, const char *tag) {
  size_t length;
  bperc_i_text_add(t, "<tr>");
  for (;; line += length + 1) {
    length = strcspn(line, "\t\n");
    bperc_i_html(t, "<%s>", tag);
    bperc_i_html_escape(t, line, length);
    bperc_i_html(t, "</%s>", tag);
    if (line[length] != '\t')
      break;
  }
  bperc_i_text_add(t, "</tr>\n");
}

static void sheet(bperc_i_text *t, const bperc_i_figure *f,
                  const bperc_i_sheet *s) {
  size_t rows = 0, shown = 0;
  for (const char *p = s->text; *p; p++)
    rows += *p == '\n';
  rows -= rows > 0;
  bperc_i_html(t,
               "<details><summary>Table <code>%e</code>, %z rows</summary>"
               "<div class=\"scroll\"><table class=\"numbers\">\n",
               s->name, rows);
  for (const char *line = s->text; *line && shown <= MOST_ROWS; shown++) {
    table_row(t, line, shown ? "td" : "th");
    line = bperc_i_next_line(line);
  }
  bperc_i_html(t,
               "</table></div><p class=\"dim\">%s <a href=\"%a/%a.tsv\">%e.tsv"
               "</a></p></details>\n",
               rows > MOST_ROWS ? "The first rows of" : "The same in",
               bperc_experiment_name(f->x), s->name, s->name);
}

/* ---- one figure */

static void picture(bperc_i_text *t, const bperc_i_figure *f) {
  const char *name = bperc_experiment_name(f->x);
  if (!f->picture)
    return;
  bperc_i_text_add(t, "<figure>");
  if (f->points && BPERC_I_PAGE_SCRIPT[0])
    bperc_i_html(t, "<pre class=\"points\" hidden>%e</pre>", f->points);
  bperc_i_html(t,
               "<div class=\"picture scroll\"><img alt=\"%e\" "
               "src=\"data:image/svg+xml;base64,",
               bperc_experiment_title(f->x));
  bperc_i_html_base64(t, f->picture, f->picture_size);
  bperc_i_html(t,
               "\"></div>\n<figcaption>%w <span class=\"files\">For print: "
               "<a href=\"%a/%a.svg\">SVG</a>, <a href=\"%a/%a.pdf\">PDF</a>."
               "</span></figcaption></figure>\n",
               f->is_made
                   ? "Made from the tables, a panel for each of the first "
                     "results: the script of this experiment was not run."
                   : f->x->caption,
               name, name, name, name);
}

static void figure(bperc_i_text *t, const bperc_i_figure *f) {
  bperc_i_html(t, "<section id=\"figure-%i\"><h2>%w</h2>\n",
               bperc_experiment_name(f->x), bperc_experiment_title(f->x));
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
  bperc_i_html(t,
               "<!DOCTYPE html>\n<html lang=\"en\"><head>"
               "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-"
               "Security-Policy\" content=\"default-src 'none'; img-src "
               "data:; style-src 'unsafe-inline'; script-src %s\">\n"
               "<meta name=\"viewport\" content=\"width=device-"
               "width,initial-scale=1\">\n<link rel=\"icon\" "
               "href=\"data:,\">\n<title>%e</title>\n<style>%s</style></head>\n"
               "<body>\n",
               BPERC_I_PAGE_SCRIPT[0] ? BPERC_I_PAGE_SCRIPT_HASH : "'none'",
               title, BPERC_I_PAGE_STYLE);
}

static void introduction(bperc_i_text *t, const bperc_i_about *about,
                         const char *title, const char *origin) {
  bperc_i_html(t, "<header><h1>%w</h1>\n", title);
  if (*about->authors)
    bperc_i_html(t, "<p class=\"authors\">%w</p>\n", about->authors);
  if (*about->model)
    bperc_i_html(t, "<p>%w</p>\n", about->model);
  bperc_i_html(t,
               "<p class=\"dim\">Measured, judged and written by bperc %s. "
               "%w</p></header>\n",
               bperc_version(), origin);
}

static void contents(bperc_i_text *t, const bperc_i_figure *f, size_t count) {
  bperc_i_text_add(t, "<nav>");
  for (size_t k = 0; k < count; k++) {
    const char *name = bperc_experiment_name(f[k].x);
    size_t failing = 0;
    for (size_t c = 0; c < f[k].claims.count; c++)
      failing += f[k].claims.claims[c].verdict == BPERC_FAILS;
    bperc_i_html(t, "<a%s href=\"#figure-%i\">%e</a>\n",
                 failing ? " class=\"fails\"" : "", name,
                 strncmp(name, "fig", 3) == 0 && name[3] ? name + 3 : name);
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
  bperc_i_html(t, "<footer class=\"dim\">Made by bperc %s.</footer>\n",
               bperc_version());
  if (BPERC_I_PAGE_SCRIPT[0])
    bperc_i_html(t, "<script>%s</script>\n", BPERC_I_PAGE_SCRIPT);
  bperc_i_text_add(t, "</body></html>\n");
}
