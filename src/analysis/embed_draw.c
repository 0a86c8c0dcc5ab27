/* Sammon maps as SVG pictures and as tables. */
#include "base/number.h"
#include "bperc/embed.h"

#include <math.h>

enum { SIZE = 640, MARGIN = 40, HEAD = 74, FOOT = 24, LEGEND = 8 };

/* The largest cluster is black; these are told apart by most eyes. */
static const char *const colours[] = {"#d55e00", "#0072b2", "#009e73",
                                      "#cc79a7", "#e69f00", "#56b4e9",
                                      "#7b4f9e", "#8c6d31"};
enum { COLOURS = sizeof colours / sizeof *colours, SHAPES = 6 };

/* Shapes as closed paths around (0, 0), about as large as a circle of 4. */
static const char *const shapes[SHAPES] = {
    "M-3.5-3.5h7v7h-7z",
    "M0-4.8L4.4 3H-4.4z",
    "M0-5L4 0 0 5-4 0z",
    "M0 4.8L4.4-3H-4.4z",
    "M-1.3-4.2h2.6v2.9h2.9v2.6h-2.9v2.9h-2.6v-2.9h-2.9v-2.6h2.9z",
    "M0-4.6L4.4-1.4 2.7 3.7H-2.7L-4.4-1.4z"};

typedef struct {
  double scale, x0, y0; /* picture = scale * point + (x0, y0) */
} frame;

static frame fit(const bperc_embedding *e) {
  double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY,
         high_y = -INFINITY;
  for (size_t k = 0; k < e->count; k++) {
    low_x = fmin(low_x, e->x[k]);
    high_x = fmax(high_x, e->x[k]);
    low_y = fmin(low_y, e->y[k]);
    high_y = fmax(high_y, e->y[k]);
  }
  double width = fmax(high_x - low_x, high_y - low_y), room = SIZE - 2 * MARGIN;
  frame f = {width > 0 && e->count ? room / width : 1, SIZE / 2.0,
             HEAD + SIZE / 2.0};
  if (e->count) {
    f.x0 -= f.scale * (low_x + high_x) / 2;
    f.y0 -= f.scale * (low_y + high_y) / 2;
  }
  return f;
}

static void draw_mark(FILE *out, double x, double y, double size,
                      uint32_t cluster) {
  if (cluster == 0)
    bperc_i_fprintf(out,
                    "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"none\" "
                    "stroke=\"black\" stroke-width=\"%.2f\"/>\n",
                    x, y, 4 * size, size);
  else
    bperc_i_fprintf(
        out,
        "<path transform=\"translate(%.2f %.2f)\" d=\"%s\" fill=\"%s\" "
        "stroke=\"white\" stroke-width=\"0.5\"/>\n",
        x, y, shapes[(cluster - 1) / COLOURS % SHAPES],
        colours[(cluster - 1) % COLOURS]);
}

/* The circles of the largest cluster shrink when there are many. */
static double circle_size(size_t points) {
  return points > 400 ? fmax(0.4, sqrt(400 / (double)points)) : 1;
}

/* The largest clusters by their marks, with their sizes. */
static void legend(const bperc_clusters *c, FILE *out) {
  double x = MARGIN + 4, y = HEAD + SIZE + 8;
  size_t g = 0;
  fputs("<g id=\"legend\">\n", out);
  for (; g < c->count && g < LEGEND; g++) {
    char size[16];
    int digits = snprintf(size, sizeof size, "%u", c->size[g]);
    draw_mark(out, x, y, 1, (uint32_t)g);
    bperc_i_fprintf(out,
                    "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\">%s</text>\n",
                    x + 9, y + 4, size);
    x += 28 + 7 * digits;
  }
  if (g < c->count)
    bperc_i_fprintf(out,
                    "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\">and %zu more"
                    "</text>\n",
                    x, y + 4, c->count - g);
  fputs("</g>\n", out);
}

/* What is drawn, in two lines. */
static void subtitle(const bperc_embedding *e, const bperc_clusters *c,
                     FILE *out) {
  fprintf(out, "<text x=\"%d\" y=\"42\" font-size=\"12\">%zu solutions", MARGIN,
          e->solutions);
  if (e->count < e->solutions)
    fprintf(out, ", a random sample of %zu shown", e->count);
  if (isfinite(e->stress))
    bperc_i_fprintf(out, "; Sammon stress %.4f", e->stress);
  fprintf(out,
          "</text>\n<text x=\"%d\" y=\"58\" font-size=\"12\">%zu cluster%s",
          MARGIN, c->count, c->count == 1 ? "" : "s");
  if (c->count)
    fprintf(out, ", the largest (%u solutions) in black circles", c->size[0]);
  fputs("</text>\n", out);
}

static void escaped(const char *text, FILE *out) {
  for (; *text; text++)
    if (*text == '<')
      fputs("&lt;", out);
    else if (*text == '&')
      fputs("&amp;", out);
    else
      fputc(*text, out);
}

/* Distance 5 as a bar, so that separations can be read off. */
static void ruler(const frame *f, FILE *out) {
  double length = 5 * f->scale, y = HEAD + SIZE - 12;
  if (length > SIZE / 2.0)
    return;
  bperc_i_fprintf(
      out,
      "<path d=\"M%d %.1fh%.2f\" stroke=\"black\" fill=\"none\"/>\n"
      "<text x=\"%.2f\" y=\"%.1f\" font-size=\"12\">5 flips</text>\n",
      MARGIN, y, length, MARGIN + length + 6, y + 4);
}

void bperc_embedding_svg(const bperc_embedding *e, const bperc_clusters *c,
                         const char *title, FILE *out) {
  frame f = fit(e);
  double size = circle_size(e->count);
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
          "height=\"%d\" font-family=\"sans-serif\">\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
          "<text x=\"%d\" y=\"22\" font-size=\"15\">",
          SIZE, HEAD + SIZE + FOOT, MARGIN);
  escaped(title ? title : "Solutions of a binary perceptron", out);
  fputs("</text>\n", out);
  subtitle(e, c, out);
  for (int front = 1; front >= 0; front--) /* small clusters on top */
    for (size_t k = 0; k < e->count; k++) {
      uint32_t g = c->of[e->solution[k]];
      if ((g == 0) == front)
        draw_mark(out, f.scale * e->x[k] + f.x0, f.scale * e->y[k] + f.y0, size,
                  g);
    }
  ruler(&f, out);
  legend(c, out);
  fputs("</svg>\n", out);
}

void bperc_embedding_tsv(const bperc_embedding *e, const bperc_clusters *c,
                         const bperc_solutions *s, FILE *out) {
  fprintf(out, "# solutions\t%zu\n# points\t%zu\n# clusters\t%zu\n",
          e->solutions, e->count, c->count);
  if (isfinite(e->stress))
    bperc_i_fprintf(out, "# stress\t%.9g\n", e->stress);
  fputs("x\ty\tcluster\tsize\tsolution\tweights\n", out);
  for (size_t k = 0; k < e->count; k++) {
    size_t at = e->solution[k];
    bperc_i_fprintf(out, "%.9g\t%.9g\t%u\t%u\t%zu\t", e->x[k], e->y[k],
                    c->of[at], c->size[c->of[at]], at);
    for (size_t i = 0, j = 0; i < s->n; i++) {
      int bit = s->fixed[i] > 0;
      if (s->fixed[i] < 0) {
        bit = (int)(s->bits[at * s->words + j / 64] >> (j % 64) & 1);
        j++;
      }
      fputc('0' + bit, out);
    }
    fputc('\n', out);
  }
}
