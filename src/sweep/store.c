/* The store: keys, results, batches. */
#include "sweep/store.h"

#include "base/alloc.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum {
  APPLICATION = 0x62706572, /* "bper" in the header of the file */
  FORMAT = 1,               /* of the tables below */
  BUSY_MS = 60000           /* how long to wait for another writer */
};

static const char schema[] =
    "CREATE TABLE inputs (id INTEGER PRIMARY KEY, text TEXT UNIQUE NOT NULL);"
    "CREATE TABLE result (key TEXT PRIMARY KEY NOT NULL,"
    " inputs INTEGER NOT NULL REFERENCES inputs(id), instance INTEGER NOT NULL,"
    " seed TEXT NOT NULL, status INTEGER NOT NULL, message TEXT,"
    " seconds REAL NOT NULL, program TEXT NOT NULL, record BLOB);"
    "CREATE INDEX result_inputs ON result (inputs);";

struct bperc_store {
  char *path;
  sqlite3 *db;
  sqlite3_stmt *get, *put, *put_inputs, *seconds;
  bperc_i_result *batch; /* not yet written; everything in it is a copy */
  size_t waiting, room;
};

/* One sentence for what SQLite says. */
static bperc_status fail(bperc_store *s, bperc_error *error) {
  int code = sqlite3_errcode(s->db);
  const char *why = sqlite3_errmsg(s->db);
  bperc_status status = BPERC_E_IO;
  switch (code & 0xff) {
  case SQLITE_FULL:
    why = "the disk is full";
    break;
  case SQLITE_READONLY:
    why = "the file is read-only";
    break;
  case SQLITE_NOTADB:
    why = "this is not a store of bperc";
    status = BPERC_E_FORMAT;
    break;
  case SQLITE_CORRUPT:
    why = "the file is damaged";
    status = BPERC_E_FORMAT;
    break;
  case SQLITE_BUSY:
    why = "another program keeps it locked";
    break;
  case SQLITE_IOERR:
    why = "reading or writing failed (disk full, or a limit on file sizes?)";
    break;
  case SQLITE_NOMEM:
    status = BPERC_E_MEMORY;
    break;
  default:
    break;
  }
  if (s->waiting)
    return bperc_error_set(error, status,
                           "%s: %s; the last %zu results are lost, all "
                           "earlier ones are safe",
                           s->path, why, s->waiting);
  return bperc_error_set(error, status, "%s: %s", s->path, why);
}

static bperc_status execute(bperc_store *s, const char *sql,
                            bperc_error *error) {
  return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK
             ? BPERC_OK
             : fail(s, error);
}

static bperc_status pragma(bperc_store *s, const char *sql, sqlite3_int64 *out,
                           bperc_error *error) {
  sqlite3_stmt *q = NULL;
  int code = sqlite3_prepare_v2(s->db, sql, -1, &q, NULL);
  if (code == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW)
    *out = sqlite3_column_int64(q, 0);
  code = sqlite3_finalize(q);
  return code == SQLITE_OK ? BPERC_OK : fail(s, error);
}

static bperc_status create(bperc_store *s, bperc_error *error) {
  char sql[1400];
  snprintf(sql, sizeof sql,
           "%s PRAGMA application_id = %d; PRAGMA user_version = %d;", schema,
           APPLICATION, FORMAT);
  return execute(s, sql, error);
}

/* Ours and of this version: BPERC_OK, *empty = 0. New and empty: BPERC_OK. */
static bperc_status recognise(bperc_store *s, int *empty, bperc_error *error) {
  sqlite3_int64 application = 0, format = 0, tables = 0;
  bperc_status status =
      pragma(s, "SELECT count(*) FROM sqlite_master", &tables, error);
  if (status == BPERC_OK)
    status = pragma(s, "PRAGMA application_id", &application, error);
  if (status == BPERC_OK)
    status = pragma(s, "PRAGMA user_version", &format, error);
  if (status != BPERC_OK)
    return status;
  *empty = application == 0 && format == 0 && tables == 0;
  if (*empty)
    return BPERC_OK;
  if (application != APPLICATION)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: this is a database, but not a store of bperc",
                           s->path);
  if (format != FORMAT)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: the store has format %lld, bperc %s reads and "
                           "writes format %d: name another --store",
                           s->path, (long long)format, bperc_version(), FORMAT);
  return BPERC_OK;
}

/* Look, and make the tables of a new store, between begin and commit: of
   several programs that start on one new file, one creates, the others see
   all of what it made or nothing. */
static bperc_status look_at(bperc_store *s, const char *begin, int may_create,
                            int *empty, bperc_error *error) {
  bperc_status status = execute(s, begin, error);
  if (status != BPERC_OK)
    return status;
  status = recognise(s, empty, error);
  if (status == BPERC_OK && *empty && may_create)
    status = create(s, error);
  if (status == BPERC_OK)
    return execute(s, "COMMIT", error);
  execute(s, "ROLLBACK", NULL);
  return status;
}

/* A store that exists is only read here, and so may be read-only. */
static bperc_status settle(bperc_store *s, bperc_store_mode mode,
                           bperc_error *error) {
  int empty = 0;
  bperc_status status = look_at(s, "BEGIN", 0, &empty, error);
  if (status != BPERC_OK || !empty)
    return status;
  if (mode != BPERC_STORE_WRITE)
    return bperc_error_set(error, BPERC_E_FORMAT, "%s: this store is empty",
                           s->path);
  return look_at(s, "BEGIN IMMEDIATE", 1, &empty, error);
}

static bperc_status prepare(bperc_store *s, bperc_error *error) {
  struct {
    sqlite3_stmt **out;
    const char *sql;
  } list[] = {
      {&s->get, "SELECT status, message, seconds, record FROM result "
                "WHERE key = ?1"},
      {&s->put, "INSERT OR REPLACE INTO result SELECT ?1, id, ?3, ?4, ?5, ?6, "
                "?7, ?8, ?9 FROM inputs WHERE text = ?2"},
      {&s->put_inputs, "INSERT OR IGNORE INTO inputs (text) VALUES (?1)"},
      {&s->seconds, "SELECT avg(seconds) FROM result WHERE inputs = (SELECT "
                    "id FROM inputs WHERE text = ?1)"},
  };
  for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    if (sqlite3_prepare_v3(s->db, list[k].sql, -1, SQLITE_PREPARE_PERSISTENT,
                           list[k].out, NULL) != SQLITE_OK)
      return fail(s, error);
  return BPERC_OK;
}

bperc_status bperc_store_open(const char *path, bperc_store_mode mode,
                              bperc_store **out, bperc_error *error) {
  bperc_store *s = bperc_i_calloc(1, sizeof *s);
  int flags = mode == BPERC_STORE_WRITE
                  ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                  : SQLITE_OPEN_READONLY;
  bperc_status status = BPERC_OK;
  *out = NULL;
  if (!s || !(s->path = bperc_i_strdup(path))) {
    bperc_i_free(s);
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for a store");
  }
  if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK)
    status = bperc_error_set(error, BPERC_E_IO, "%s: cannot be opened: %s",
                             path, sqlite3_errmsg(s->db));
  if (status == BPERC_OK) {
    sqlite3_busy_timeout(s->db, BUSY_MS);
    status = settle(s, mode, error);
  }
  if (status == BPERC_OK)
    status = prepare(s, error);
  if (status == BPERC_OK)
    *out = s;
  else
    bperc_store_close(s);
  return status;
}

void bperc_store_close(bperc_store *s) {
  if (!s)
    return;
  bperc_i_store_commit(s, NULL);
  bperc_i_free(s->batch);
  sqlite3_finalize(s->get);
  sqlite3_finalize(s->put);
  sqlite3_finalize(s->put_inputs);
  sqlite3_finalize(s->seconds);
  sqlite3_close(s->db);
  bperc_i_free(s->path);
  bperc_i_free(s);
}

int bperc_i_store_writable(const bperc_store *s) {
  return !sqlite3_db_readonly(s->db, "main");
}

/* ---- reading */

static bperc_status look(bperc_store *s, const char *key, int *found,
                         bperc_error *error) {
  int code;
  sqlite3_reset(s->get);
  sqlite3_bind_text(s->get, 1, key, -1, SQLITE_STATIC);
  code = sqlite3_step(s->get);
  *found = 0;
  if (code == SQLITE_ROW)
    *found = sqlite3_column_int(s->get, 0) == BPERC_OK ? 1 : -1;
  else if (code != SQLITE_DONE)
    return fail(s, error);
  return BPERC_OK;
}

bperc_status bperc_i_store_has(bperc_store *s, const char *key, int *found,
                               bperc_error *error) {
  bperc_status status = look(s, key, found, error);
  sqlite3_reset(s->get);
  return status;
}

bperc_status bperc_i_store_get(bperc_store *s, const char *key,
                               bperc_i_stored *out, int *found,
                               bperc_error *error) {
  bperc_status status = look(s, key, found, error);
  const char *message;
  *out = (bperc_i_stored){0};
  if (status == BPERC_OK && *found) {
    message = (const char *)sqlite3_column_text(s->get, 1);
    out->status = (bperc_status)sqlite3_column_int(s->get, 0);
    snprintf(out->message, sizeof out->message, "%s", message ? message : "");
    out->seconds = sqlite3_column_double(s->get, 2);
    if (*found > 0)
      status = bperc_record_unpack(sqlite3_column_blob(s->get, 3),
                                   (size_t)sqlite3_column_bytes(s->get, 3),
                                   &out->record);
    if (status == BPERC_E_FORMAT)
      bperc_error_set(error, status, "%s: the result %s is damaged", s->path,
                      key);
    else if (status != BPERC_OK)
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

static int run_put(bperc_store *s, const bperc_i_result *r) {
  char seed[32];
  int code;
  sqlite3_reset(s->put_inputs);
  sqlite3_bind_text(s->put_inputs, 1, r->inputs, -1, SQLITE_STATIC);
  code = sqlite3_step(s->put_inputs);
  sqlite3_reset(s->put_inputs);
  if (code != SQLITE_DONE)
    return code;
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)r->seed);
  sqlite3_reset(s->put);
  sqlite3_bind_text(s->put, 1, r->key, -1, SQLITE_STATIC);
  sqlite3_bind_text(s->put, 2, r->inputs, -1, SQLITE_STATIC);
  sqlite3_bind_int64(s->put, 3, r->instance);
  sqlite3_bind_text(s->put, 4, seed, -1, SQLITE_TRANSIENT);
  sqlite3_bind_int(s->put, 5, r->status);
  sqlite3_bind_text(s->put, 6, r->message, -1, SQLITE_STATIC);
  sqlite3_bind_double(s->put, 7, r->seconds);
  sqlite3_bind_text(s->put, 8, bperc_version(), -1, SQLITE_STATIC);
  sqlite3_bind_blob(s->put, 9, r->bytes, (int)r->size, SQLITE_STATIC);
  code = sqlite3_step(s->put);
  sqlite3_reset(s->put);
  return code;
}

static void drop(bperc_i_result *r) {
  bperc_i_free((void *)r->key);
  bperc_i_free((void *)r->inputs);
  bperc_i_free((void *)r->message);
  bperc_i_free((void *)r->bytes);
}

static bperc_status copy(const bperc_i_result *from, bperc_i_result *to) {
  unsigned char *bytes =
      from->size ? bperc_i_alloc(from->size, 1) : NULL; /* NULL: a failure */
  *to = *from;
  to->key = bperc_i_strdup(from->key);
  to->inputs = bperc_i_strdup(from->inputs);
  to->message = bperc_i_strdup(from->message);
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
  bperc_status status = BPERC_OK;
  if (s->waiting == s->room) {
    size_t room = 2 * s->room + 16;
    bperc_i_result *batch = bperc_i_realloc(s->batch, s->room * sizeof *batch,
                                            room * sizeof *batch);
    if (batch) {
      s->batch = batch;
      s->room = room;
    } else
      status = BPERC_E_MEMORY;
  }
  if (status == BPERC_OK)
    status = copy(r, &s->batch[s->waiting]);
  s->waiting += status == BPERC_OK;
  return status == BPERC_OK
             ? status
             : bperc_error_set(error, status, "no memory for a result");
}

/* One short transaction, so that other processes find the store free. */
bperc_status bperc_i_store_commit(bperc_store *s, bperc_error *error) {
  bperc_status status;
  if (!s->waiting)
    return BPERC_OK;
  status = execute(s, "BEGIN IMMEDIATE", error);
  if (status == BPERC_OK) {
    for (size_t k = 0; k < s->waiting && status == BPERC_OK; k++)
      if (run_put(s, &s->batch[k]) != SQLITE_DONE)
        status = fail(s, error);
    if (status == BPERC_OK)
      status = execute(s, "COMMIT", error);
    if (status != BPERC_OK)
      sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
  }
  for (size_t k = 0; k < s->waiting; k++)
    drop(&s->batch[k]);
  s->waiting = 0;
  return status;
}
