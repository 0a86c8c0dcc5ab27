/* Notes: a little of Markdown, namely paragraphs, lists, headings, `code` and
 * **bold**. */
#include "lab/page/html.h"

#include <string.h>

/* The length of text up to the next `mark`, or -1 when there is none. */
static long until(const char *text, size_t length, const char *mark) {
  size_t size = strlen(mark);
  for (size_t k = 0; k + size <= length; k++)
    if (memcmp(text + k, mark, size) == 0)
      return (long)k;
  return -1;
}

/* Code is shown as it is, all else in the words of the paper. */
static void inline_marks(bperc_i_text *t, const char *text, size_t length) {
  size_t from = 0, k = 0;
  while (k < length) {
    int is_code = text[k] == '`';
    const char *mark = is_code ? "`" : "**";
    size_t size = strlen(mark);
    long end = -1;
    if (is_code || until(text + k, length - k, "**") == 0)
      end = until(text + k + size, length - k - size, mark);
    if (end < 0) {
      k++;
      continue;
    }
    bperc_i_html_words(t, text + from, k - from);
    bperc_i_text_add(t, is_code ? "<code>" : "<b>");
    (is_code ? bperc_i_html_escape : bperc_i_html_words)(t, text + k + size,
                                                         (size_t)end);
    bperc_i_text_add(t, is_code ? "</code>" : "</b>");
    k += size + (size_t)end + size;
    from = k;
  }
  bperc_i_html_words(t, text + from, length - from);
}

/* Joins the lines of one paragraph or item, so that marks may span lines. */
static void block(bperc_i_text *t, const char *open, bperc_i_text *lines,
                  const char *close) {
  if (lines->length) {
    bperc_i_text_add(t, open);
    inline_marks(t, lines->text, lines->length);
    bperc_i_text_add(t, close);
  }
  lines->length = 0;
}

typedef struct {
  bperc_i_text *out, lines;
  int is_list; /* the lines are an item of a list */
} writer;

static void end_block(writer *w, int list_goes_on) {
  if (w->is_list)
    block(w->out, "<li>", &w->lines, "</li>\n");
  else
    block(w->out, "<p>", &w->lines, "</p>\n");
  if (w->is_list && !list_goes_on)
    bperc_i_text_add(w->out, "</ul>\n");
  w->is_list = w->is_list && list_goes_on;
}

static void add_note_line(writer *w, const char *line, size_t length) {
  size_t marks = strspn(line, "#");
  int is_item =
      length > 2 && (line[0] == '-' || line[0] == '*') && line[1] == ' ';
  if (length == 0 || (marks && marks < length) || is_item)
    end_block(w, is_item);
  if (marks && marks < length) {
    bperc_i_text_add(w->out, "<h4>");
    inline_marks(w->out, line + marks + 1, length - marks - 1);
    bperc_i_text_add(w->out, "</h4>\n");
    return;
  }
  if (is_item && !w->is_list) {
    bperc_i_text_add(w->out, "<ul>\n");
    w->is_list = 1;
  }
  if (w->lines.length)
    bperc_i_text_add(&w->lines, "\n");
  bperc_i_text_add_bytes(&w->lines, line + (is_item ? 2 : 0),
                         length - (is_item ? 2 : 0));
}

void bperc_i_note(bperc_i_text *t, const char *text) {
  writer w = {.out = t};
  while (*text) {
    size_t length = strcspn(text, "\n");
    add_note_line(&w, text, length);
    text += length + (text[length] == '\n');
  }
  end_block(&w, 0);
  t->failed |= w.lines.failed;
  bperc_i_text_clear(&w.lines);
}
