/* Rows of the store: reading, writing, and the checksum that each carries.
 *
 * The checksum goes over every column, with its length, so that no changed
 * byte of a result is used: FNV-1a is one to one in each byte. */
#include "lab/store/store_db.h"

#include "base/number.h"
#include "lab/base/memory.h"
#include "lab/base/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- checksums */

static void add_field(bperc_i_hash *h, const void *bytes, size_t size) {
  unsigned char length[8];
  for (int k = 0; k < 8; k++)
    length[k] = (unsigned char)((uint64_t)size >> 8 * k);
  bperc_i_hash_add(h, length, sizeof length);
  bperc_i_hash_add(h, bytes, size);
}

static void add_text(bperc_i_hash *h, const char *text) {
  add_field(h, text, strlen(text));
}

void bperc_i_row_sum(bperc_i_store_row *row) {
  const bperc_i_result *r = &row->result;
  char numbers[120];
  bperc_i_hash h = bperc_i_hash_start();
  add_text(&h, r->key);
  add_text(&h, r->inputs);
  add_text(&h, r->message);
  add_text(&h, row->program);
  bperc_i_snprintf(numbers, sizeof numbers, "%u %llu %d %.17g", r->instance,
                   (unsigned long long)r->seed, (int)r->status, r->seconds);
  add_text(&h, numbers);
  add_field(&h, r->bytes ? r->bytes : "", r->size);
  bperc_i_hash_digits(h, row->sum);
}

/* ---- reading */

static const char *text_at(sqlite3_stmt *q, int column, int *sound) {
  const char *text = (const char *)sqlite3_column_text(q, column);
  *sound &= sqlite3_column_type(q, column) == SQLITE_TEXT && text &&
            strlen(text) == (size_t)sqlite3_column_bytes(q, column);
  return text ? text : "";
}

static sqlite3_int64 integer_at(sqlite3_stmt *q, int column, sqlite3_int64 low,
                                sqlite3_int64 high, int *sound) {
  sqlite3_int64 value = sqlite3_column_int64(q, column);
  *sound &= sqlite3_column_type(q, column) == SQLITE_INTEGER && value >= low &&
            value <= high;
  return value;
}

/* Decimal digits and nothing else, as they were written. */
static uint64_t seed_at(sqlite3_stmt *q, int column, int *sound) {
  const char *text = text_at(q, column, sound);
  char again[32];
  uint64_t seed = strtoull(text, NULL, 10);
  snprintf(again, sizeof again, "%llu", (unsigned long long)seed);
  *sound &= strcmp(again, text) == 0;
  return seed;
}

bperc_status bperc_i_row_read(sqlite3_stmt *q, bperc_i_store_row *row,
                              bperc_error *error) {
  bperc_i_result *r = &row->result;
  int sound = 1;
  r->key = text_at(q, 0, &sound);
  r->inputs = text_at(q, 1, &sound);
  r->instance = (uint32_t)integer_at(q, 2, 0, UINT32_MAX, &sound);
  r->seed = seed_at(q, 3, &sound);
  r->status = (bperc_status)integer_at(q, 4, -99, 0, &sound);
  r->message = text_at(q, 5, &sound);
  r->seconds = sqlite3_column_double(q, 6);
  row->program = text_at(q, 7, &sound);
  r->bytes = sqlite3_column_blob(q, 8);
  r->size = (size_t)sqlite3_column_bytes(q, 8);
  sound &= sqlite3_column_type(q, 8) ==
           (r->status == BPERC_OK ? SQLITE_BLOB : SQLITE_NULL);
  bperc_i_row_sum(row);
  if (sqlite3_column_type(q, 9) != SQLITE_NULL)
    sound &= strcmp(text_at(q, 9, &sound), row->sum) == 0;
  row->is_sound = sound;
  if (!sound && sqlite3_errcode(sqlite3_db_handle(q)) == SQLITE_NOMEM)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for a result");
  return BPERC_OK;
}

static void note_damage(bperc_store *s, const char *key) {
  sqlite3_reset(s->note_damage);
  sqlite3_bind_text(s->note_damage, 1, key, -1, SQLITE_STATIC);
  sqlite3_step(s->note_damage);
  sqlite3_reset(s->note_damage);
}

size_t bperc_store_damaged(bperc_store *s, char first[33]) {
  sqlite3_stmt *q = NULL;
  size_t count = 0;
  const char *key;
  first[0] = 0;
  if (sqlite3_prepare_v2(s->db, "SELECT count(*), min(key) FROM temp.damaged",
                         -1, &q, NULL) == SQLITE_OK &&
      sqlite3_step(q) == SQLITE_ROW) {
    count = (size_t)sqlite3_column_int64(q, 0);
    key = (const char *)sqlite3_column_text(q, 1);
    snprintf(first, 33, "%s", key ? key : "");
  }
  sqlite3_finalize(q);
  return count;
}

bperc_status bperc_i_store_look(bperc_store *s, const char *key,
                                bperc_i_store_row *row, int *found,
                                bperc_error *error) {
  bperc_status status;
  int code;
  sqlite3_reset(s->get);
  sqlite3_bind_text(s->get, 1, key, -1, SQLITE_STATIC);
  code = sqlite3_step(s->get);
  *found = 0;
  if (code == SQLITE_DONE)
    return BPERC_OK;
  if (code != SQLITE_ROW)
    return bperc_i_store_fail(s, error);
  status = bperc_i_row_read(s->get, row, error);
  if (status != BPERC_OK)
    return status;
  if (row->is_sound && strcmp(row->result.key, key) == 0)
    *found = row->result.status == BPERC_OK ? 1 : -1;
  else
    note_damage(s, key);
  return BPERC_OK;
}

bperc_status bperc_i_store_has(bperc_store *s, const char *key, int *found,
                               bperc_error *error) {
  bperc_i_store_row row;
  bperc_status status = bperc_i_store_look(s, key, &row, found, error);
  sqlite3_reset(s->get);
  return status;
}

bperc_status bperc_i_store_get(bperc_store *s, const char *key,
                               bperc_record **out, int *found,
                               bperc_error *error) {
  bperc_i_store_row row;
  bperc_status status = bperc_i_store_look(s, key, &row, found, error);
  *out = NULL;
  if (status == BPERC_OK && *found > 0) {
    status = bperc_record_unpack(row.result.bytes, row.result.size, out);
    if (status == BPERC_E_FORMAT) {
      note_damage(s, key);
      *found = 0;
      status = BPERC_OK;
    } else if (status != BPERC_OK)
      bperc_error_set(error, status, "no memory for a result");
  }
  sqlite3_reset(s->get);
  return status;
}

double bperc_i_store_seconds(bperc_store *s, const char *inputs) {
  double seconds = -1;
  sqlite3_reset(s->seconds);
  sqlite3_bind_text(s->seconds, 1, inputs, -1, SQLITE_STATIC);
  if (sqlite3_step(s->seconds) == SQLITE_ROW &&
      sqlite3_column_type(s->seconds, 0) != SQLITE_NULL)
    seconds = sqlite3_column_double(s->seconds, 0);
  sqlite3_reset(s->seconds);
  return seconds;
}

/* ---- writing */

static int step_once(sqlite3_stmt *q) {
  int code = sqlite3_step(q);
  sqlite3_reset(q);
  return code;
}

static int run_put(bperc_store *s, const bperc_i_result *r) {
  bperc_i_store_row row = {.result = *r, .program = bperc_version()};
  char seed[32];
  int code;
  bperc_i_row_sum(&row);
  sqlite3_bind_text(s->put_inputs, 1, r->inputs, -1, SQLITE_STATIC);
  code = step_once(s->put_inputs);
  if (code != SQLITE_DONE)
    return code;
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)r->seed);
  sqlite3_bind_text(s->put, 1, r->key, -1, SQLITE_STATIC);
  sqlite3_bind_text(s->put, 2, r->inputs, -1, SQLITE_STATIC);
  sqlite3_bind_int64(s->put, 3, r->instance);
  sqlite3_bind_text(s->put, 4, seed, -1, SQLITE_TRANSIENT);
  sqlite3_bind_int(s->put, 5, r->status);
  sqlite3_bind_text(s->put, 6, r->message, -1, SQLITE_STATIC);
  sqlite3_bind_double(s->put, 7, r->seconds);
  sqlite3_bind_text(s->put, 8, row.program, -1, SQLITE_STATIC);
  sqlite3_bind_blob(s->put, 9, r->bytes, (int)r->size, SQLITE_STATIC);
  sqlite3_bind_text(s->put, 10, row.sum, -1, SQLITE_STATIC);
  code = step_once(s->put);
  if (code != SQLITE_DONE)
    return code;
  sqlite3_bind_text(s->unclaim, 1, r->key, -1, SQLITE_STATIC);
  return step_once(s->unclaim);
}

static void drop(bperc_i_result *r) {
  bperc_free((void *)r->key);
  bperc_free((void *)r->inputs);
  bperc_free((void *)r->message);
  bperc_free((void *)r->bytes);
}

static bperc_status copy(const bperc_i_result *from, bperc_i_result *to) {
  unsigned char *bytes =
      from->size ? bperc_alloc(from->size, 1) : NULL; /* NULL: a failure */
  *to = *from;
  to->key = bperc_strdup(from->key);
  to->inputs = bperc_strdup(from->inputs);
  to->message = bperc_strdup(from->message);
  to->bytes = bytes;
  if (bytes)
    memcpy(bytes, from->bytes, from->size);
  if (to->key && to->inputs && to->message && (bytes || !from->size))
    return BPERC_OK;
  drop(to);
  return BPERC_E_MEMORY;
}

bperc_status bperc_i_store_put(bperc_store *s, const bperc_i_result *r,
                               bperc_error *error) {
  bperc_i_result *batch = bperc_i_lab_grow(s->batch, s->waiting, sizeof *batch);
  bperc_status status = BPERC_E_MEMORY;
  assert(r->key && r->inputs && r->message && (r->bytes || !r->size));
  if (batch) {
    s->batch = batch;
    status = copy(r, &batch[s->waiting]);
  }
  s->waiting += status == BPERC_OK;
  return status == BPERC_OK
             ? status
             : bperc_error_set(error, status, "no memory for a result");
}

/* Between begin and commit of a transaction; the batch is empty after it. */
bperc_status bperc_i_store_write(bperc_store *s, bperc_error *error) {
  bperc_status status = BPERC_OK;
  for (size_t k = 0; k < s->waiting && status == BPERC_OK; k++)
    if (run_put(s, &s->batch[k]) != SQLITE_DONE)
      status = bperc_i_store_fail(s, error);
  return status;
}

void bperc_i_store_drop_batch(bperc_store *s) {
  for (size_t k = 0; k < s->waiting; k++)
    drop(&s->batch[k]);
  s->waiting = 0;
}

/* One short transaction, so that other processes find the store free. */
bperc_status bperc_i_store_commit(bperc_store *s, bperc_error *error) {
  if (!s->waiting)
    return BPERC_OK;
  return bperc_i_store_take_end(s, bperc_i_store_take_begin(s, error), error);
}
