/* Looking after stores: check and merge. */
#include "lab/store/store_db.h"

#include <string.h>

/* ---- every result of a file */

typedef bperc_status visit(void *context, const bperc_i_store_row *row,
                           bperc_error *error);

/* Stored, in range, and a record if it has numbers: *good. */
static bperc_status look_at_row(sqlite3_stmt *q, bperc_i_store_row *row,
                                int *good, bperc_error *error) {
  bperc_record *record = NULL;
  bperc_status status = bperc_i_row_read(q, row, error), unpacked = BPERC_OK;
  *good = row->is_sound;
  if (status != BPERC_OK)
    return status;
  if (*good && row->result.status == BPERC_OK)
    unpacked =
        bperc_record_unpack(row->result.bytes, row->result.size, &record);
  bperc_record_free(record);
  *good = *good && unpacked == BPERC_OK;
  if (unpacked == BPERC_E_MEMORY)
    return bperc_error_set(error, unpacked, "no memory for a result");
  return BPERC_OK;
}

typedef struct {
  bperc_store_tell *tell;
  void *context;
  bperc_store_summary *summary;
  visit *use;
  void *user;
} walk;

static bperc_status visit_row(const walk *w, sqlite3_stmt *q,
                              bperc_error *error) {
  bperc_i_store_row row;
  char key[64], name[64];
  int good;
  bperc_status status = look_at_row(q, &row, &good, error);
  if (status != BPERC_OK)
    return status;
  if (good) {
    w->summary->tasks++;
    w->summary->failures += row.result.status != BPERC_OK;
    return w->use ? w->use(w->user, &row, error) : BPERC_OK;
  }
  w->summary->damaged++;
  bperc_i_store_clean(row.result.key, key, sizeof key);
  bperc_i_store_clean(row.result.inputs, name, sizeof name);
  name[strcspn(name, "/")] = 0; /* "toy/1" */
  if (w->tell)
    w->tell(w->context, key, name);
  return BPERC_OK;
}

/* In the order of rows. Where pages cannot be read the walk ends, and says so
 * in the summary: what came before is good. */
static bperc_status walk_rows(bperc_store *s, int format, const walk *w,
                              bperc_error *error) {
  const char *sql = format == 1 ? "SELECT " BPERC_I_ROW_COLUMNS
                                  ", NULL" BPERC_I_ROW_FROM "ORDER BY r.rowid"
                                : "SELECT " BPERC_I_ROW_COLUMNS
                                  ", r.sum" BPERC_I_ROW_FROM "ORDER BY r.rowid";
  sqlite3_stmt *q = NULL;
  bperc_status status = BPERC_OK;
  int code = sqlite3_prepare_v2(s->db, sql, -1, &q, NULL);
  while (code == SQLITE_OK && status == BPERC_OK &&
         (code = sqlite3_step(q)) == SQLITE_ROW) {
    status = bperc_cancelled()
                 ? bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted")
                 : visit_row(w, q, error);
    code = SQLITE_OK;
  }
  if (status == BPERC_OK && (code & 0xff) == SQLITE_CORRUPT)
    bperc_i_store_clean(sqlite3_errmsg(s->db), w->summary->pages,
                        sizeof w->summary->pages);
  else if (status == BPERC_OK && code != SQLITE_DONE)
    status = bperc_i_store_fail(s, error);
  sqlite3_finalize(q);
  return status;
}

/* ---- check */

bperc_status bperc_store_check(const char *path, bperc_store_tell *tell,
                               void *context, bperc_store_summary *out,
                               bperc_error *error) {
  bperc_store *s;
  int format;
  walk w = {tell, context, out, NULL, NULL};
  *out = (bperc_store_summary){0};
  bperc_status status = bperc_i_store_salvage(path, &s, &format, error);
  if (status != BPERC_OK)
    return status;
  status = walk_rows(s, format, &w, error);
  if (status == BPERC_OK && !out->pages[0])
    status = bperc_i_store_integrity(s, out->pages, sizeof out->pages, error);
  if (!strcmp(out->pages, "ok"))
    out->pages[0] = 0;
  bperc_store_close(s);
  return status;
}

/* ---- merge */

typedef struct {
  bperc_store *into;
  bperc_store_summary *summary;
} merging;

enum { BATCH = 1000 }; /* results in one transaction */

static bperc_status add_row(void *context, const bperc_i_store_row *row,
                            bperc_error *error) {
  merging *m = context;
  int found;
  bperc_status status =
      bperc_i_store_has(m->into, row->result.key, &found, error);
  if (status != BPERC_OK || found > 0 ||
      (found < 0 && row->result.status != BPERC_OK))
    return status;
  status = bperc_i_store_put(m->into, &row->result, error);
  m->summary->added += status == BPERC_OK;
  if (status == BPERC_OK && m->summary->added % BATCH == 0)
    status = bperc_i_store_commit(m->into, error);
  return status;
}

bperc_status bperc_store_merge(bperc_store *into, const char *from,
                               bperc_store_tell *tell, void *context,
                               bperc_store_summary *out, bperc_error *error) {
  bperc_store *s;
  int format;
  merging m = {into, out};
  walk w = {tell, context, out, add_row, &m};
  *out = (bperc_store_summary){0};
  bperc_status status = bperc_i_store_salvage(from, &s, &format, error);
  if (status != BPERC_OK)
    return status;
  status = walk_rows(s, format, &w, error);
  bperc_store_close(s);
  if (status == BPERC_OK)
    status = bperc_i_store_commit(into, error);
  return status;
}
