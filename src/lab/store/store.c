/* The store: opening and closing, what is in the file. */
#include "lab/store/store_db.h"

#include "bperc/io.h"
#include "lab/base/memory.h"

#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
  APPLICATION = 0x62706572, /* "bper" in the header of the file */
  FORMAT = 2,               /* of the tables below; 1 had no checksums */
  BUSY_MS = 60000,          /* how long to wait for another writer */
  LOCK_MS = 20              /* how often to look */
};

static const char schema[] =
    "CREATE TABLE inputs (id INTEGER PRIMARY KEY, text TEXT UNIQUE NOT NULL);"
    "CREATE TABLE result (key TEXT PRIMARY KEY NOT NULL,"
    " inputs INTEGER NOT NULL REFERENCES inputs(id), instance INTEGER NOT NULL,"
    " seed TEXT NOT NULL, status INTEGER NOT NULL, message TEXT,"
    " seconds REAL NOT NULL, program TEXT NOT NULL, record BLOB,"
    " sum TEXT NOT NULL);"
    "CREATE INDEX result_inputs ON result (inputs);"
    "CREATE TABLE claim (key TEXT PRIMARY KEY NOT NULL, owner INTEGER NOT NULL)"
    " WITHOUT ROWID;";

void bperc_i_store_clean(const char *text, char *out, size_t size) {
  size_t k = 0;
  for (; k + 1 < size && text[k] && text[k] != '\n'; k++)
    out[k] = text[k] >= ' ' && text[k] <= '~' ? text[k] : '?';
  out[k] = 0;
}

static bperc_status say_damaged(const bperc_store *s, const char *why,
                                bperc_error *error) {
  char clean[100];
  bperc_i_store_clean(why, clean, sizeof clean);
  return bperc_error_set(error, BPERC_E_FORMAT,
                         "%s: the file is damaged (%s): 'bperc store merge "
                         "NEW %s' saves what can be read",
                         s->path, clean, s->path);
}

/* What a writer that was killed leaves behind. */
static int has_journal(const char *path) {
  char journal[PATH_MAX];
  struct stat info;
  return snprintf(journal, sizeof journal, "%s-journal", path) <
             (int)sizeof journal &&
         stat(journal, &info) == 0 && info.st_size > 0;
}

bperc_status bperc_i_store_fail(bperc_store *s, bperc_error *error) {
  int code = sqlite3_errcode(s->db);
  const char *why = sqlite3_errmsg(s->db);
  bperc_status status = BPERC_E_IO;
  switch (code & 0xff) {
  case SQLITE_FULL:
    why = "the disk is full";
    break;
  case SQLITE_READONLY:
    why = has_journal(s->path)
              ? "a run that was interrupted left its journal (the file beside "
                "it that ends in -journal), which can be undone only where "
                "both can be written: copy both to such a place, or make this "
                "one writable"
              : "the file is read-only";
    break;
  case SQLITE_NOTADB:
    why = "this is not a store of bperc";
    status = BPERC_E_FORMAT;
    break;
  case SQLITE_CORRUPT:
  case SQLITE_ERROR: /* our statements are right: the tables are not ours */
    return say_damaged(s, why, error);
  case SQLITE_BUSY:
    if (bperc_cancelled())
      return bperc_error_set(error, BPERC_E_INTERRUPTED,
                             "interrupted while another program kept %s locked",
                             s->path);
    why = "another program keeps it locked";
    break;
  case SQLITE_IOERR:
    why = "reading or writing failed (disk full, or a limit on file sizes?)";
    break;
  case SQLITE_NOMEM:
    status = BPERC_E_MEMORY;
    break;
  case SQLITE_INTERRUPT:
    return bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
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

bperc_status bperc_i_store_execute(bperc_store *s, const char *sql,
                                   bperc_error *error) {
  return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK
             ? BPERC_OK
             : bperc_i_store_fail(s, error);
}

bperc_status bperc_i_store_number(bperc_store *s, const char *sql,
                                  const char *key, sqlite3_int64 *out,
                                  bperc_error *error) {
  sqlite3_stmt *q = NULL;
  bperc_status status = BPERC_OK;
  if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK &&
      (!key || sqlite3_bind_text(q, 1, key, -1, SQLITE_STATIC) == SQLITE_OK) &&
      sqlite3_step(q) == SQLITE_ROW)
    *out = sqlite3_column_int64(q, 0);
  else
    status = bperc_i_store_fail(s, error);
  sqlite3_finalize(q);
  return status;
}

static bperc_status create_store(bperc_store *s, bperc_error *error) {
  char sql[1400];
  snprintf(sql, sizeof sql,
           "%s PRAGMA application_id = %d; PRAGMA user_version = %d;", schema,
           APPLICATION, FORMAT);
  return bperc_i_store_execute(s, sql, error);
}

static bperc_status refuse_format(const bperc_store *s, long long format,
                                  bperc_error *error) {
  if (format == 1)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: this store is of bperc 0.1 and has no "
                           "checksums: 'bperc store merge NEW %s' carries its "
                           "results over",
                           s->path, s->path);
  return bperc_error_set(error, BPERC_E_FORMAT,
                         "%s: the store has format %lld, bperc %s reads and "
                         "writes format %d: name another `store`",
                         s->path, format, bperc_version(), FORMAT);
}

/* Ours: BPERC_OK and its format. New and empty: BPERC_OK, format 0. */
static bperc_status recognise(bperc_store *s, int *format, bperc_error *error) {
  sqlite3_int64 application = 0, version = 0, tables = 0;
  bperc_status status = bperc_i_store_number(
      s, "SELECT count(*) FROM sqlite_master", NULL, &tables, error);
  if (status == BPERC_OK)
    status = bperc_i_store_number(s, "PRAGMA application_id", NULL,
                                  &application, error);
  if (status == BPERC_OK)
    status =
        bperc_i_store_number(s, "PRAGMA user_version", NULL, &version, error);
  *format = (int)version;
  if (status != BPERC_OK || (!application && !version && !tables))
    return status;
  if (application != APPLICATION)
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: this is a database, but not a store of bperc",
                           s->path);
  return version == FORMAT || version == 1 ? BPERC_OK
                                           : refuse_format(s, version, error);
}

/* ---- whose tables they are */

/* What counts of a database; statistics that a user has made do not. */
#define OBJECTS                                                                \
  "SELECT type, name, coalesce(sql, '') FROM sqlite_master "                   \
  "WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'"

/* The first object of one database that the other has not, "" without. A code
 * of SQLite. */
static int find_object(sqlite3 *of, sqlite3 *other, char *name, size_t size) {
  sqlite3_stmt *row = NULL, *same = NULL;
  int code = sqlite3_prepare_v2(of, OBJECTS, -1, &row, NULL);
  name[0] = 0;
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(other,
                              "SELECT 1 FROM sqlite_master WHERE type = ?1 "
                              "AND name = ?2 AND coalesce(sql, '') = ?3",
                              -1, &same, NULL);
  while (code == SQLITE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
    for (int k = 0; k < 3; k++)
      sqlite3_bind_value(same, k + 1, sqlite3_column_value(row, k));
    code = sqlite3_step(same);
    sqlite3_reset(same);
    if (code == SQLITE_DONE)
      bperc_i_store_clean((const char *)sqlite3_column_text(row, 1), name,
                          size);
    code = code == SQLITE_ROW ? SQLITE_OK : code;
  }
  sqlite3_finalize(row);
  sqlite3_finalize(same);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* Our own tables, in memory. */
static int make_own(sqlite3 **db) {
  int code = sqlite3_open(":memory:", db);
  return code == SQLITE_OK ? sqlite3_exec(*db, schema, NULL, NULL, NULL) : code;
}

/* The tables alone, exactly as we make them: a view or a trigger of another
 * could run for ever, or change what is read. Without `whole` some may be
 * missing. */
static bperc_status compare_schema(bperc_store *s, bool whole,
                                   bperc_error *error) {
  char strange[60] = "";
  sqlite3 *own = NULL;
  bperc_status status = BPERC_OK;
  int code = make_own(&own);
  if (code != SQLITE_OK)
    status = bperc_error_set(error, BPERC_E_MEMORY, "no memory for a store");
  else if ((code = find_object(s->db, own, strange, sizeof strange)) ||
           (!strange[0] && whole &&
            (code = find_object(own, s->db, strange, sizeof strange))))
    status = bperc_i_store_fail(s, error);
  else if (strange[0])
    status = bperc_error_set(error, BPERC_E_FORMAT,
                             "%s: the tables are not those of a store of "
                             "bperc: look at '%s'",
                             s->path, strange);
  sqlite3_close(own);
  return status;
}

/* In a store of 0.1: tables and their indices alone. */
static bperc_status refuse_programs(bperc_store *s, bperc_error *error) {
  sqlite3_int64 count = 0;
  bperc_status status = bperc_i_store_number(
      s,
      "SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index')",
      NULL, &count, error);
  if (status == BPERC_OK && count)
    status = bperc_error_set(
        error, BPERC_E_FORMAT,
        "%s: views or triggers are not of a store of bperc", s->path);
  return status;
}

static int is_cancelled(void *context) {
  (void)context;
  return bperc_cancelled();
}

/* A database may come from anybody: nothing in it runs. */
static void distrust(sqlite3 *db) {
  static const int off[] = {
#ifdef SQLITE_DBCONFIG_ENABLE_VIEW
      SQLITE_DBCONFIG_ENABLE_VIEW,
#endif
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
      SQLITE_DBCONFIG_TRUSTED_SCHEMA,
#endif
      SQLITE_DBCONFIG_ENABLE_TRIGGER};
  for (size_t k = 0; k < sizeof off / sizeof *off; k++)
    sqlite3_db_config(db, off[k], 0, (int *)NULL);
#ifdef SQLITE_DBCONFIG_DEFENSIVE
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
#endif
  sqlite3_progress_handler(db, 100000, is_cancelled, NULL);
}

bperc_status bperc_i_store_integrity(bperc_store *s, char *said, size_t size,
                                     bperc_error *error) {
  sqlite3_stmt *q = NULL;
  const char *text = NULL;
  bperc_status status = BPERC_OK;
  int code;
  if (sqlite3_prepare_v2(s->db, "PRAGMA integrity_check(1)", -1, &q, NULL) ==
          SQLITE_OK &&
      sqlite3_step(q) == SQLITE_ROW)
    text = (const char *)sqlite3_column_text(q, 0);
  code = sqlite3_errcode(s->db) & 0xff;
  if (text || code == SQLITE_CORRUPT || code == SQLITE_ERROR)
    bperc_i_store_clean(text ? text : sqlite3_errmsg(s->db), said, size);
  else
    status = bperc_i_store_fail(s, error);
  sqlite3_finalize(q);
  return status;
}

/* Without this a lost row would be a result that nobody misses. */
static bperc_status check_pages(bperc_store *s, bperc_error *error) {
  char said[100];
  bperc_status status = bperc_i_store_integrity(s, said, sizeof said, error);
  return status != BPERC_OK || !strcmp(said, "ok")
             ? status
             : say_damaged(s, said, error);
}

/* Look, and make the tables of a new store, between begin and commit: of
   several programs that start on one new file, one creates, the others see
   all of what it made or nothing. */
static bperc_status look_at(bperc_store *s, const char *begin, int may_create,
                            int *format, bperc_error *error) {
  bperc_status status = bperc_i_store_execute(s, begin, error);
  if (status != BPERC_OK)
    return status;
  status = recognise(s, format, error);
  if (status == BPERC_OK && *format == 0 && may_create)
    status = create_store(s, error);
  if (status == BPERC_OK)
    return bperc_i_store_execute(s, "COMMIT", error);
  bperc_i_store_execute(s, "ROLLBACK", NULL);
  return status;
}

/* A store that exists is only read here, and so may be read-only. */
static bperc_status settle_format(bperc_store *s, bperc_store_mode mode,
                                  bperc_error *error) {
  int format = 0;
  bperc_status status = look_at(s, "BEGIN", 0, &format, error);
  if (status != BPERC_OK)
    return status;
  if (format == 0 && mode == BPERC_STORE_WRITE)
    return look_at(s, "BEGIN IMMEDIATE", 1, &format, error);
  if (format == 0)
    return bperc_error_set(error, BPERC_E_FORMAT, "%s: this store is empty",
                           s->path);
  if (format != FORMAT)
    return refuse_format(s, format, error);
  status = check_pages(s, error);
  return status == BPERC_OK ? compare_schema(s, true, error) : status;
}

static bperc_status prepare_statements(bperc_store *s, bperc_error *error) {
  struct {
    sqlite3_stmt **out;
    const char *sql;
  } list[] = {
      {&s->get, "SELECT " BPERC_I_ROW_COLUMNS ", r.sum" BPERC_I_ROW_FROM
                "WHERE r.key = ?1"},
      {&s->put, "INSERT OR REPLACE INTO result SELECT ?1, id, ?3, ?4, ?5, ?6, "
                "?7, ?8, ?9, ?10 FROM inputs WHERE text = ?2"},
      {&s->put_inputs, "INSERT OR IGNORE INTO inputs (text) VALUES (?1)"},
      {&s->seconds, "SELECT avg(seconds) FROM result WHERE inputs = (SELECT "
                    "id FROM inputs WHERE text = ?1)"},
      {&s->note_damage, "INSERT OR IGNORE INTO temp.damaged VALUES (?1)"},
      {&s->claim, "INSERT OR REPLACE INTO claim VALUES (?1, ?2)"},
      {&s->claimed, "SELECT owner FROM claim WHERE key = ?1"},
      {&s->unclaim, "DELETE FROM claim WHERE key = ?1"},
  };
  bperc_status status = bperc_i_store_execute(
      s,
      "PRAGMA temp_store = MEMORY; CREATE TEMP TABLE damaged (key PRIMARY "
      "KEY) WITHOUT ROWID",
      error);
  if (status != BPERC_OK)
    return status;
  for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    if (sqlite3_prepare_v3(s->db, list[k].sql, -1, SQLITE_PREPARE_PERSISTENT,
                           list[k].out, NULL) != SQLITE_OK)
      return bperc_i_store_fail(s, error);
  return BPERC_OK;
}

/* Another process writes: a minute of looks, unless cancelled. */
static int wait_for_lock(void *context, int tries) {
  (void)context;
  if (bperc_cancelled() || tries * LOCK_MS >= BUSY_MS)
    return 0;
  poll(NULL, 0, LOCK_MS);
  return 1;
}

static bperc_status open_file(const char *path, int flags, bperc_store **out,
                              bperc_error *error) {
  bperc_store *s = bperc_calloc(1, sizeof *s);
  bperc_status status = BPERC_OK;
  *out = NULL;
  if (!s || !(s->path = bperc_strdup(path))) {
    bperc_free(s);
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory for a store");
  }
  s->owners = -1;
  int trap = (flags & SQLITE_OPEN_CREATE) && bperc_output_is_trap(path);
  int code = trap ? SQLITE_PERM : sqlite3_open_v2(path, &s->db, flags, NULL);
  if (code == SQLITE_NOMEM)
    status = bperc_error_set(error, BPERC_E_MEMORY, "no memory for a store");
  else if (code != SQLITE_OK)
    status = bperc_error_set(
        error, BPERC_E_IO, "%s: cannot be opened: %s", path,
        trap ? "a link of another user" : sqlite3_errmsg(s->db));
  else {
    sqlite3_busy_handler(s->db, wait_for_lock, NULL);
    distrust(s->db);
  }
  if (status == BPERC_OK)
    *out = s;
  else
    bperc_store_close(s);
  return status;
}

/* A journal that a killed writer left is rolled back by opening to write: a
 * reader alone could only refuse the store. No failure is told here: reading
 * tells it. */
static void recover(const char *path) {
  bperc_store *s = NULL;
  sqlite3_int64 tables;
  if (has_journal(path))
    open_file(path, SQLITE_OPEN_READWRITE, &s, NULL);
  if (s)
    bperc_i_store_number(s, "SELECT count(*) FROM sqlite_master", NULL, &tables,
                         NULL);
  bperc_store_close(s);
}

bperc_status bperc_store_open(const char *path, bperc_store_mode mode,
                              bperc_store **out, bperc_error *error) {
  if (mode == BPERC_STORE_READ)
    recover(path);
  bperc_status status = open_file(
      path,
      mode == BPERC_STORE_WRITE ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                : SQLITE_OPEN_READONLY,
      out, error);
  if (status == BPERC_OK)
    status = settle_format(*out, mode, error);
  if (status == BPERC_OK)
    status = prepare_statements(*out, error);
  if (status != BPERC_OK) {
    bperc_store_close(*out);
    *out = NULL;
  }
  return status;
}

bperc_status bperc_i_store_salvage(const char *path, bperc_store **out,
                                   int *format, bperc_error *error) {
  recover(path);
  bperc_status status = open_file(path, SQLITE_OPEN_READONLY, out, error);
  *format = 0;
  if (status == BPERC_OK)
    status = recognise(*out, format, error);
  if (status == BPERC_OK && *format == 0)
    status =
        bperc_error_set(error, BPERC_E_FORMAT, "%s: this store is empty", path);
  if (status == BPERC_OK && *format == FORMAT)
    status = compare_schema(*out, false, error);
  if (status == BPERC_OK && *format != FORMAT)
    status = refuse_programs(*out, error);
  if (status != BPERC_OK) {
    bperc_store_close(*out);
    *out = NULL;
  }
  return status;
}

void bperc_store_close(bperc_store *s) {
  if (!s)
    return;
  bperc_i_store_commit(s, NULL);
  bperc_i_store_unshare(s);
  bperc_free(s->batch);
  for (sqlite3_stmt *q; s->db && (q = sqlite3_next_stmt(s->db, NULL));)
    sqlite3_finalize(q);
  sqlite3_close(s->db);
  bperc_free(s->path);
  bperc_free(s);
}

int bperc_i_store_writable(const bperc_store *s) {
  return !sqlite3_db_readonly(s->db, "main");
}
