/* A store as comma-separated values, for pandas and R. */
#include "lab/store/store_db.h"

#include "base/number.h"
#include "lab/base/memory.h"
#include "lab/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char **names; /* of parameters, in the order of meeting them */
  size_t count;
} columns;

static void free_columns(columns *c) {
  for (size_t k = 0; k < c->count; k++)
    bperc_free(c->names[k]);
  bperc_free(c->names);
}

/* The value of "name=value\n" in the inputs; its length in *length. */
static const char *value_of_field(const char *inputs, const char *name,
                                  size_t *length) {
  size_t n = strlen(name);
  const char *line = strchr(inputs, '\n');
  for (; line && line[1]; line = strchr(line + 1, '\n'))
    if (strncmp(line + 1, name, n) == 0 && line[1 + n] == '=') {
      *length = strcspn(line + 2 + n, "\n");
      return line + 2 + n;
    }
  *length = 0;
  return "";
}

static int knows(const columns *c, const char *name, size_t length) {
  for (size_t k = 0; k < c->count; k++)
    if (strlen(c->names[k]) == length && !strncmp(c->names[k], name, length))
      return 1;
  return 0;
}

static int add_export_column(columns *c, const char *name, size_t length) {
  char *copy = bperc_calloc(length + 1, 1);
  char **names = bperc_i_lab_grow(c->names, c->count, sizeof *names);
  c->names = names ? names : c->names;
  if (!copy || !names) {
    bperc_free(copy);
    return 0;
  }
  memcpy(copy, name, length);
  c->names[c->count++] = copy;
  return 1;
}

/* Of a statement and the code of its preparation: how it went in all. */
static int end_query(sqlite3_stmt *q, int prepared) {
  int code = sqlite3_finalize(q);
  return prepared == SQLITE_OK ? code : prepared;
}

static bperc_status find_columns(bperc_store *s, columns *c,
                                 bperc_error *error) {
  sqlite3_stmt *q = NULL;
  int code, room = 1;
  code = sqlite3_prepare_v2(s->db, "SELECT text FROM inputs ORDER BY text", -1,
                            &q, NULL);
  while (code == SQLITE_OK && room && sqlite3_step(q) == SQLITE_ROW) {
    const char *text = (const char *)sqlite3_column_text(q, 0);
    const char *line = text ? strchr(text, '\n') : NULL;
    room = text != NULL;
    for (; room && line && line[1]; line = strchr(line + 1, '\n')) {
      size_t length = strcspn(line + 1, "=\n");
      if (!knows(c, line + 1, length))
        room = add_export_column(c, line + 1, length);
    }
  }
  code = end_query(q, code);
  if (!room)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for an export");
  return code == SQLITE_OK ? BPERC_OK : bperc_i_store_fail(s, error);
}

/* A field with a comma, a quote or a new line goes in quotes. */
static void print_field(FILE *out, const char *text, size_t length) {
  int quote = 0;
  for (size_t k = 0; k < length; k++)
    quote |= strchr(",\"\n\r", text[k]) != NULL;
  if (quote)
    putc('"', out);
  for (size_t k = 0; k < length; k++) {
    if (text[k] == '"')
      putc('"', out);
    putc(text[k], out);
  }
  if (quote)
    putc('"', out);
}

static void print_header(FILE *out, const columns *c) {
  fprintf(out, "key,measurement,version");
  for (size_t k = 0; k < c->count; k++) {
    putc(',', out);
    print_field(out, c->names[k], strlen(c->names[k]));
  }
  fprintf(out, ",instance,seed,status,message,seconds,program,result,k,value"
               "\n");
}

/* Everything up to `program`, the same in all lines of a task. */
static void print_task(FILE *out, const columns *c,
                       const bperc_i_store_row *row) {
  const bperc_i_result *r = &row->result;
  const char *slash = strchr(r->inputs, '/');
  const char *status = bperc_status_name(r->status);
  fprintf(out, "%s,%.*s,%d", r->key, (int)strcspn(r->inputs, "/\n"), r->inputs,
          slash ? atoi(slash + 1) : 0);
  for (size_t k = 0; k < c->count; k++) {
    size_t length;
    const char *value = value_of_field(r->inputs, c->names[k], &length);
    putc(',', out);
    print_field(out, value, length);
  }
  fprintf(out, ",%u,%llu,", r->instance, (unsigned long long)r->seed);
  print_field(out, status, strlen(status));
  putc(',', out);
  print_field(out, r->message, strlen(r->message));
  bperc_i_fprintf(out, ",%.6g,", r->seconds);
  print_field(out, row->program, strlen(row->program));
}

static void print_number(FILE *out, double value) {
  if (isfinite(value))
    bperc_i_fprintf(out, "%.17g", value);
  else if (isinf(value))
    fputs(value < 0 ? "-inf" : "inf", out);
}

static void print_record(FILE *out, const char *task,
                         const bperc_record *record) {
  for (size_t q = 0; q < bperc_record_count(record); q++) {
    size_t count;
    int is_vector;
    const double *v = bperc_record_values(record, q, &count, &is_vector);
    for (size_t k = 0; k < count; k++) {
      fprintf(out, "%s,%s,", task, bperc_record_name(record, q));
      if (is_vector)
        fprintf(out, "%zu", k);
      putc(',', out);
      print_number(out, v[k]);
      putc('\n', out);
    }
  }
}

static bperc_status print_row(FILE *out, const columns *c,
                              const bperc_i_store_row *row,
                              bperc_error *error) {
  bperc_record *record = NULL;
  bperc_i_text text = {0};
  char *task;
  bperc_status status = BPERC_OK;
  FILE *line = bperc_i_text_stream(&text);
  if (!line)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for an export");
  print_task(line, c, row);
  fclose(line);
  task = bperc_i_text_take(&text);
  if (!task)
    status = BPERC_E_MEMORY;
  if (status == BPERC_OK && row->result.status == BPERC_OK)
    status = bperc_record_unpack(row->result.bytes, row->result.size, &record);
  if (status == BPERC_OK && record)
    print_record(out, task, record);
  else if (status == BPERC_OK)
    fprintf(out, "%s,,,\n", task);
  else
    bperc_error_set(error, status, "%s", bperc_status_name(status));
  bperc_record_free(record);
  bperc_free(task);
  return status;
}

static bperc_status print_rows(bperc_store *s, FILE *out, const columns *c,
                               bperc_error *error) {
  sqlite3_stmt *q = NULL;
  bperc_status status = BPERC_OK;
  int found = 0, code = sqlite3_prepare_v2(s->db,
                                           "SELECT r.key" BPERC_I_ROW_FROM
                                           "ORDER BY i.text, r.instance, r.key",
                                           -1, &q, NULL);
  while (code == SQLITE_OK && status == BPERC_OK &&
         sqlite3_step(q) == SQLITE_ROW) {
    const char *key = (const char *)sqlite3_column_text(q, 0);
    bperc_i_store_row row;
    if (bperc_cancelled())
      status = bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
    else
      status = key ? bperc_i_store_look(s, key, &row, &found, error)
                   : bperc_i_store_fail(s, error);
    if (status == BPERC_OK && found)
      status = print_row(out, c, &row, error);
    sqlite3_reset(s->get);
  }
  code = end_query(q, code);
  if (status == BPERC_OK && code != SQLITE_OK)
    status = bperc_i_store_fail(s, error);
  return status;
}

bperc_status bperc_store_export(bperc_store *s, FILE *out, bperc_error *error) {
  columns c = {0};
  bperc_status status = find_columns(s, &c, error);
  if (status == BPERC_OK) {
    print_header(out, &c);
    status = print_rows(s, out, &c, error);
  }
  free_columns(&c);
  return status;
}
