/* What to say about belief propagation and decimations guided by it. */
#include "cli_bpd.h"

#include <assert.h>
#include <string.h>

/* ---- hints */

enum { MOST_TRIES = 2, LONGEST_TRIES = 128 };

typedef struct {
  const char *words[MOST_TRIES];
  size_t count;
} tries;

/* An option that the command has and that the user has not tried. */
static void add_try(tries *t, const cli *cx, const char *name,
                    const char *words) {
  assert(t->count < MOST_TRIES);
  if (cli_has(cx, name) && !cli_given(cx, name))
    t->words[t->count++] = words;
}

static void join_tries(const tries *t, char text[LONGEST_TRIES]) {
  text[0] = '\0';
  for (size_t k = 0; k < t->count; k++) {
    strcat(text, k == 0 ? "try " : k + 1 < t->count ? ", " : " or ");
    strcat(text, t->words[k]);
  }
  if (t->count)
    strcat(text, "; ");
}

void cli_bp_hint(const cli *cx, cli_bp_trouble what) {
  tries t = {.count = 0};
  char text[LONGEST_TRIES];
  bool fails = what == CLI_BP_FAILS;
  add_try(&t, cx, "damping", fails ? "--damping 0.01" : "another --damping");
  add_try(&t, cx, "update", "--update damped");
  join_tries(&t, text);
  cli_warn("belief propagation %s, as on correlated inputs or near capacity; "
           "%s%s",
           fails ? "has no fixed point that it finds here"
                 : "converges slowly here",
           text,
           cli_has(cx, "solver") ? "other solvers: --solver sbpi or auto"
                                 : "weights alone: solve --solver sbpi");
}

void cli_say_gave_up(const bperc_bpd *bpd) {
  if (bperc_bpd_gave_up(bpd))
    cli_warn("stopped: none of the first %zu steps found a fixed point, and "
             "marginals without one guide nothing (--give-up 0 goes on)",
             bperc_bpd_order(bpd)->fixed);
}

void cli_bp_progress(cli_progress *line, void *bp) {
  cli_progress_show(line, "belief propagation: residual %.3g, %.0f s so far",
                    bperc_bp_residual(bp), cli_now() - line->started);
}

/* ---- steps of a decimation */

bool cli_note_unconverged(json_t *list, const bperc_bpd *bpd) {
  size_t count, before = json_array_size(list);
  const bperc_bpd_record *records = bperc_bpd_records(bpd, &count), *last;
  if (count == 0 || records[count - 1].converged)
    return false;
  last = &records[count - 1];
  json_array_append_new(
      list, json_pack("{s:I, s:s, s:I, s:o}", "fixed", (json_int_t)count - 1,
                      "method", bperc_bpd_method_name(last->method),
                      "iterations", (json_int_t)last->iterations, "residual",
                      cli_json_real(last->residual)));
  return before == 0 && last->method == BPERC_BPD_LAST;
}

void cli_print_unconverged(const json_t *list) {
  static const bperc_bpd_method methods[] = {
      BPERC_BPD_INFLECTION, BPERC_BPD_FLATTEST, BPERC_BPD_LAST};
  if (!list || json_array_size(list) == 0)
    return;
  printf("%zu steps did not converge; messages used:", json_array_size(list));
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    const char *name = bperc_bpd_method_name(methods[m]);
    size_t count = 0;
    for (size_t k = 0; k < json_array_size(list); k++)
      count += strcmp(json_string_value(
                          json_object_get(json_array_get(list, k), "method")),
                      name) == 0;
    if (count)
      printf(" %s %zu", name, count);
  }
  printf("\n");
}
