/* bperc store: look after stores of results. */
#include "bperc/lab/lab.h"
#include "commands.h"

#include <string.h>
#include <unistd.h>

#define ROWS(X)                                                                \
  X(FLAG, csv, 0, 0, "export: comma-separated values, one line per number")    \
  X(TEXT, out, "FILE", "export: write there instead of standard output")
BPERC_OPTIONS_DECLARE(store_options, ROWS);
static BPERC_OPTIONS_DEFINE(store_rows, store_options, ROWS);
static store_options opt;

static void setup_store(cli *cx) { cli_group(cx, "store", store_rows(), &opt); }

/* ---- damaged results, told as they are met */

typedef struct {
  json_t *list; /* keys, with --json */
  size_t told;
  const char *path;
} damage;

static void tell_damage(void *context, const char *key,
                        const char *measurement) {
  damage *d = context;
  enum { MOST = 20 };
  if (d->list)
    json_array_append_new(d->list, json_string(key));
  if (d->told++ < MOST)
    cli_warn("%s: the result %s of %s is damaged", d->path, key,
             measurement[0] ? measurement : "an unknown measurement");
  else if (d->told == MOST + 1)
    cli_warn("%s: and more", d->path);
}

static json_t *summary_json(const bperc_store_summary *s, json_t *keys) {
  return json_pack("{s:I, s:I, s:I, s:o, s:s}", "tasks", (json_int_t)s->tasks,
                   "failures", (json_int_t)s->failures, "damaged",
                   (json_int_t)s->damaged, "damaged_keys", keys, "pages",
                   s->pages[0] ? s->pages : "ok");
}

/* ---- check */

static int check_store(cli *cx) {
  damage d = {json_array(), 0, cx->arguments[1]};
  bperc_store_summary s;
  bperc_error error;
  if (cx->argument_count != 2) {
    json_decref(d.list);
    return cli_usage("usage: bperc store check STORE");
  }
  if (bperc_store_check(cx->arguments[1], tell_damage, &d, &s, &error)) {
    json_decref(d.list);
    return error.status == BPERC_E_IO ? cli_fail_input(&error)
                                      : cli_fail(&error);
  }
  if (s.pages[0])
    cli_warn("%s: the file is damaged: %s", d.path, s.pages);
  if (cx->common.json)
    cli_json_print(summary_json(&s, d.list));
  else {
    json_decref(d.list);
    printf("%zu results, %zu of them failures, %zu damaged\n", s.tasks,
           s.failures, s.damaged);
  }
  return s.damaged || s.pages[0] ? CLI_NEGATIVE : CLI_DONE;
}

/* ---- export */

static int export_csv(cli *cx) {
  bperc_store *store;
  bperc_error error;
  cli_output out;
  char first[33];
  int code;
  if (cx->argument_count != 2 || !opt.csv)
    return cli_usage("usage: bperc store export STORE --csv [--out FILE]");
  if (bperc_store_open(cx->arguments[1], BPERC_STORE_READ, &store, &error))
    return cli_fail_input(&error);
  code = cli_output_open(&out, opt.out);
  if (code == CLI_DONE && bperc_store_export(store, out.stream, &error)) {
    cli_output_abandon(&out);
    code = cli_fail(&error);
  } else if (code == CLI_DONE)
    code = cli_output_close(&out);
  size_t damaged = code == CLI_DONE ? bperc_store_damaged(store, first) : 0;
  bperc_store_close(store);
  if (damaged) {
    cli_warn("%s: %zu damaged results are left out, one of them %s",
             cx->arguments[1], damaged, first);
    code = CLI_NEGATIVE;
  }
  return code;
}

/* ---- merge */

static int merge_one(bperc_store *into, const char *from, damage *d,
                     bperc_store_summary *sum) {
  bperc_store_summary s;
  bperc_error error;
  d->path = from;
  if (bperc_store_merge(into, from, tell_damage, d, &s, &error))
    return error.status == BPERC_E_IO && access(from, R_OK) != 0
               ? cli_fail_input(&error)
               : cli_fail(&error); /* the store that is written, too */
  sum->tasks += s.tasks;
  sum->failures += s.failures;
  sum->damaged += s.damaged;
  sum->added += s.added;
  if (s.pages[0]) {
    cli_warn("%s: the file is damaged: %s; what could be read is merged", from,
             s.pages);
    memcpy(sum->pages, s.pages, sizeof sum->pages);
  }
  return CLI_DONE;
}

static int merge(cli *cx) {
  damage d = {json_array(), 0, NULL};
  bperc_store_summary sum = {0};
  bperc_store *into = NULL;
  bperc_error error;
  int code = CLI_DONE;
  if (cx->argument_count < 3)
    code = cli_usage("usage: bperc store merge INTO FROM...");
  else if (bperc_store_open(cx->arguments[1], BPERC_STORE_WRITE, &into, &error))
    code = error.status == BPERC_E_FORMAT ? cli_fail_input(&error)
                                          : cli_fail(&error);
  for (unsigned k = 2; k < cx->argument_count && code == CLI_DONE; k++)
    code = merge_one(into, cx->arguments[k], &d, &sum);
  bperc_store_close(into);
  if (code == CLI_DONE && cx->common.json) {
    json_t *object = summary_json(&sum, json_incref(d.list));
    json_object_set_new(object, "added", json_integer((json_int_t)sum.added));
    cli_json_print(object);
  } else if (code == CLI_DONE)
    printf("%zu results read, %zu added to %s, %zu damaged and left out\n",
           sum.tasks, sum.added, cx->arguments[1], sum.damaged);
  json_decref(d.list);
  if (code == CLI_DONE && (sum.damaged || sum.pages[0]))
    code = CLI_NEGATIVE;
  return code;
}

static int run_store(cli *cx) {
  const char *what = cx->arguments[0];
  if (strcmp(what, "check") == 0)
    return check_store(cx);
  if (strcmp(what, "export") == 0)
    return export_csv(cx);
  if (strcmp(what, "merge") == 0)
    return merge(cx);
  return cli_usage("store can check, export and merge, not '%s'", what);
}

const cli_command cmd_store = {
    .name = "store",
    .arguments = "check|export|merge STORE...",
    .summary = "look after stores of results",
    .text =
        "check reads every result and verifies its checksum; exit status 1 "
        "when one is\n"
        "damaged. A sweep runs damaged ones again.\n\n"
        "export --csv writes one line per task and number, for pandas and R.\n"
        "\n"
        "merge INTO FROM... adds the results of stores to the first one, which "
        "is made if\n"
        "it does not exist: parts of a sweep (--shard), stores of version 0.1, "
        "or what can\n"
        "be read of a damaged file.\n\n"
        "  bperc store check report/store.db\n"
        "  bperc store export report/store.db --csv --out results.csv\n"
        "  bperc store merge all.db part1.db part2.db",
    .least = 2,
    .most = CLI_ARGUMENTS,
    .keys = cli_keys_store,
    .common = "",
    .setup = setup_store,
    .run = run_store,
};
