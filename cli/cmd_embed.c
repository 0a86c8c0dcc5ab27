/* bperc embed: solutions as points of the plane. */
#include "commands.h"
#include "fixing.h"
#include "search_progress.h"

#include <stdlib.h>

#define ROWS(X)                                                                \
  X(TEXT, svg, "FILE", "write the picture there")                              \
  X(TEXT, tsv, "FILE",                                                         \
    "write the points there, one a line; - for standard output")
BPERC_OPTIONS_DECLARE(options, ROWS);
static BPERC_OPTIONS_DEFINE(embed_option_rows, options, ROWS);

static options opt;
static bperc_embed_options embed;
static bperc_exact_options search;
static cli_fixing_options fixing;

static void setup_embed(cli *cx) {
  cli_group(cx, "files", embed_option_rows(), &opt);
  cli_group(cx, "map", bperc_embed_option_table(), &embed);
  cli_group(cx, "search", bperc_exact_option_table(), &search);
  cli_group_fixing(cx, &fixing);
  cli_group_instance(cx);
}

typedef struct {
  const bperc_instance *in;
  bperc_solutions *s;
  bperc_clusters *c;
  bperc_embedding *e;
} picture;

static int write_svg(const picture *p) {
  cli_output out;
  char title[160];
  if (!opt.svg)
    return CLI_DONE;
  int code = cli_output_open(&out, opt.svg);
  if (code != CLI_DONE)
    return code;
  snprintf(title, sizeof title, "N = %zu, M = %zu, A = %g, %zu weights fixed",
           p->in->n, p->in->m, p->in->a, p->in->n - p->s->unfixed);
  bperc_embedding_svg(p->e, p->c, title, out.stream);
  return cli_output_close(&out);
}

static int write_tsv(const picture *p) {
  cli_output out;
  if (!opt.tsv)
    return CLI_DONE;
  int code = cli_output_open(&out, opt.tsv);
  if (code != CLI_DONE)
    return code;
  bperc_embedding_tsv(p->e, p->c, p->s, out.stream);
  return cli_output_close(&out);
}

static void say_embedding(const cli *cx, const picture *p) {
  const bperc_embedding *e = p->e;
  bool sampled = e->count < e->solutions;
  if (cx->common.json) {
    cli_json_print(json_pack(
        "{s:I, s:I, s:b, s:b, s:I, s:o, s:o, s:I, s:I, s:s}", "solutions",
        (json_int_t)e->solutions, "points", (json_int_t)e->count, "sampled",
        sampled, "complete", p->s->complete, "clusters",
        (json_int_t)p->c->count, "stress", cli_json_real(e->stress),
        "classical_stress", cli_json_real(e->classical), "winner",
        (json_int_t)e->winner, "n", (json_int_t)p->in->n, "ties",
        bperc_ties_name(p->in->ties)));
    return;
  }
  if (opt.tsv && opt.tsv[0] == '-' && !opt.tsv[1])
    return;
  printf("%zu solutions in %zu clusters", e->solutions, p->c->count);
  if (sampled)
    printf(", a random sample of %zu mapped", e->count);
  printf("\n");
  if (e->count > 1)
    printf("stress %.6f (classical start %.6f), best start %zu\n", e->stress,
           e->classical, e->winner);
}

static void tell_embedding(void *context, double share, double iterations) {
  cli_progress *line = context;
  double spent = cli_now() - line->started;
  if (cli_progress_due(line))
    cli_progress_show(line,
                      "%.0f iterations, %.0f s so far, at most %.0f s to go",
                      iterations, spent, spent * (1 - share) / share);
}

static bperc_status map(cli *cx, picture *p, bperc_error *error) {
  cli_progress line;
  bperc_exact_watch watch = {tell_embedding, &line};
  cli_progress_start(&line, cx);
  bperc_status status = bperc_embed(
      p->s, &embed,
      &(bperc_space_options){.seed = cx->seed,
                             .threads = (unsigned)cx->common.threads,
                             .watch = &watch},
      &p->e, error);
  cli_progress_end(&line);
  return status;
}

static int draw_embedding(cli *cx, picture *p, const int8_t *fixed) {
  cli_search_progress progress;
  bperc_error error;
  unsigned threads = (unsigned)cx->common.threads;
  cli_search_progress_start(&progress, cx);
  bperc_status status = bperc_exact_list(
      p->in, &search,
      &(bperc_space_options){
          .fixed = fixed, .threads = threads, .watch = &progress.watch},
      &p->s, &error);
  cli_search_progress_end(&progress);
  if (status == BPERC_OK)
    status = cli_measured(bperc_clusters_new(p->s, &p->c), &error);
  if (status == BPERC_OK)
    status = map(cx, p, &error);
  if (status != BPERC_OK)
    return cli_fail(&error);
  int code = write_svg(p);
  if (code == CLI_DONE)
    code = write_tsv(p);
  if (code == CLI_DONE)
    say_embedding(cx, p);
  return code;
}

static int run_embed(cli *cx) {
  bperc_instance *in = NULL;
  picture p = {0};
  int8_t *fixed = NULL;
  int code = cli_read_instance(cx, 0, &in);
  p.in = in;
  if (code == CLI_DONE)
    code = cli_read_fixing(&fixing, in->n, &fixed);
  if (code == CLI_DONE)
    code = draw_embedding(cx, &p, fixed);
  if (code == CLI_DONE && (!p.s->complete || p.s->count == 0))
    code = CLI_NEGATIVE;
  bperc_embedding_free(p.e);
  bperc_clusters_free(p.c);
  bperc_solutions_free(p.s);
  bperc_free(fixed);
  bperc_instance_free(in);
  return code;
}

const cli_command cmd_embed = {
    .name = "embed",
    .arguments = "FILE",
    .summary = "map the solutions to the plane, clusters as colours",
    .text = "Lists the solutions and maps them to the plane by Sammon's\n"
            "criterion: distances in the picture come as close to Hamming\n"
            "distances as they can, short ones first. Says the stress that is\n"
            "left. Above --points solutions, a random sample is drawn.\n"
            "Exit status 1 when there is nothing to draw or a limit was "
            "reached.\n\n"
            "  bperc embed p.txt --svg map.svg\n"
            "  bperc decimate p.txt --marginals exact --json > d.json\n"
            "  bperc embed p.txt --order d.json --fixed 10 --svg late.svg",
    .least = 1,
    .most = 1,
    .keys = cli_keys_embed,
    .common = "seed threads time_limit quiet",
    .setup = setup_embed,
    .run = run_embed,
};
