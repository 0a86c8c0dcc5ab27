/* Pieces of HTML: escaped text, the words and symbols of the paper, notes. */
#ifndef BPERC_REPORT_HTML_H
#define BPERC_REPORT_HTML_H

#include "lab/page/figure.h"

/* html.c. Text of any origin, safe between tags and inside "...". */
void bperc_i_html_escape(bperc_i_text *t, const char *text, size_t length);
/* Letters, digits, '.', '-' and '_' as they are, all else as '-': an id. */
void bperc_i_html_id(bperc_i_text *t, const char *text);
/* A relative address: everything unusual as %XX. */
void bperc_i_html_address(bperc_i_text *t, const char *text);
/* A pattern with texts in it: %w in the words of the paper, %e escaped, %i as
 * an id, %a as an address, %s as it is; %z is a size_t. */
void bperc_i_html(bperc_i_text *t, const char *pattern, ...);
void bperc_i_html_base64(bperc_i_text *t, const void *bytes, size_t size);

/* words.c. Prose in which f_in, alpha, q_same, x* are the paper's symbols. */
void bperc_i_html_words(bperc_i_text *t, const char *text, size_t length);
/* A column with the words for its table in brackets; the axis of a trend; keys
 * with their values; the conditions of a side, "n=30,fin>0.2". */
void bperc_i_words_column(bperc_i_text *t, const bperc_i_figure *f,
                          const char *table, const char *column);
void bperc_i_words_axis(bperc_i_text *t, const char *name);
void bperc_i_words_keys(bperc_i_text *t, const bperc_number_key *keys,
                        size_t count);
void bperc_i_words_where(bperc_i_text *t, const bperc_i_figure *f,
                         const bperc_claim_side *side);
/* A number with as many digits as its error allows; NAN: it has none. */
void bperc_i_words_estimate(bperc_i_text *t, double value, double error);
/* Adds the word of this kind for a name, from words.tsv; 0: there is none. */
int bperc_i_word(bperc_i_text *t, const char *kind, const char *name,
                 size_t length);
/* A key of tables, "fin", by its symbol. */
void bperc_i_words_key(bperc_i_text *t, const char *name);
/* The words for a table: its label, else its name. Plain text. */
const char *bperc_i_table_label(const bperc_i_figure *f, const char *name);

/* note.c. Markdown of a note: paragraphs, lists, headings, code, bold. */
void bperc_i_note(bperc_i_text *t, const char *text);

/* page_claims.c. */
void bperc_i_claim_card(bperc_i_text *t, const bperc_i_figure *f,
                        const bperc_claim *c);
void bperc_i_claim_summary(bperc_i_text *t, const bperc_i_figure *figures,
                           size_t count);

#endif
