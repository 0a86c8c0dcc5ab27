/* Tables and instance files through one door. */
#include "bperc/data.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/options.h"
#include "data/encoding.h"
#include "io/formats.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows of a table */

static bperc_status take_weight(const bperc_i_records *t, size_t column,
                                double *weight, bperc_error *error) {
  if (bperc_i_cell_number(&t->cells[column], weight) && *weight >= 0)
    return BPERC_OK;
  return bperc_i_source_bad(t, error,
                            "the weight '%s' of a row must be a number from 0 "
                            "on",
                            t->names[column]);
}

static bperc_status fill_rows(bperc_i_records *t, const bperc_i_matching *m,
                              bperc_instance *in, bperc_data_facts *facts,
                              bperc_error *error) {
  for (size_t mu = 0; mu < in->m; mu++) {
    int more;
    uint16_t class = 0;
    bperc_status status = t->kind->next(t, &more, error);
    if (status == BPERC_OK && !more)
      status = bperc_i_source_bad(t, error, "changed while it was read");
    if (status == BPERC_OK && bperc_cancelled())
      status = bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
    if (status == BPERC_OK)
      status =
          bperc_i_encode_row(m, t, in->patterns + mu * in->words, facts, error);
    if (status == BPERC_OK && m->label != SIZE_MAX)
      status = bperc_i_encode_label(m, t, &class, error);
    in->labels[mu] = class != 0;
    if (facts->classes)
      facts->classes[mu] = class;
    if (status == BPERC_OK && m->weight != SIZE_MAX)
      status = take_weight(t, m->weight, &facts->weights[mu], error);
    if (status != BPERC_OK)
      return status;
  }
  return BPERC_OK;
}

/* An instance of `rows` rows from the table's start. */
static bperc_status encode_table(bperc_i_records *t, const bperc_encoding *e,
                                 size_t rows, const char *weight,
                                 const bperc_model *model,
                                 bperc_data_facts *facts, bperc_instance **out,
                                 bperc_error *error) {
  bperc_i_matching m;
  bperc_status status = bperc_i_matching_make(e, t, &m, error);
  bool many = e->classes > 2; /* else the labels say it */
  if (many)
    facts->classes = bperc_i_calloc(rows + 1, sizeof *facts->classes);
  if (weight) {
    m.weight = bperc_i_column_called(t, weight);
    facts->weights = bperc_i_calloc(rows + 1, sizeof *facts->weights);
  }
  if (status == BPERC_OK &&
      ((many && !facts->classes) || (weight && !facts->weights)))
    status = bperc_error_set(error, BPERC_E_MEMORY, "%s: no memory", t->path);
  if (status == BPERC_OK)
    status =
        bperc_instance_new(bperc_encoding_inputs(e), rows, model, out, error);
  if (status == BPERC_OK)
    status = fill_rows(t, &m, *out, facts, error);
  if (status == BPERC_OK)
    bperc_instance_update_bounds(*out);
  facts->labelled = m.label != SIZE_MAX;
  bperc_i_free(m.column);
  return status;
}

static bperc_status count_table_rows(bperc_i_records *t, size_t *rows,
                                     bperc_error *error) {
  int more = 1;
  bperc_status status = BPERC_OK;
  for (*rows = 0; status == BPERC_OK && more; *rows += more != 0) {
    status = t->kind->next(t, &more, error);
    if (status == BPERC_OK && bperc_cancelled())
      status = bperc_error_set(error, BPERC_E_INTERRUPTED, "interrupted");
  }
  return status == BPERC_OK ? t->kind->rewind(t, error) : status;
}

/* ---- instance files */

/* The inputs as they are: no rules. */
static bperc_status plain_encoding(const bperc_instance *in, int complement,
                                   bperc_encoding **out, bperc_error *error) {
  bperc_encoding *e = bperc_i_encoding_new(0);
  int ok = e && bperc_i_encoding_classes(e, 2);
  for (int v = 0; ok && v < 2; v++) {
    e->shown[v] = bperc_i_strdup(v ? "1" : "0");
    ok = e->shown[v] && bperc_i_texts_add(&e->values[v], e->shown[v]);
  }
  if (!ok) {
    bperc_encoding_free(e);
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory");
  }
  e->n = complement ? in->n / 2 : in->n;
  e->complement = complement;
  *out = e;
  return BPERC_OK;
}

static bperc_status with_complements(bperc_instance **in, bperc_error *error) {
  bperc_instance *from = *in, *to = NULL;
  bperc_model model = bperc_instance_model(from);
  bperc_status status;
  if (from->inputs != BPERC_INPUTS_01)
    return bperc_error_set(error, BPERC_E_ARGUMENT,
                           "complements are for inputs 0/1, these are signed");
  model.theta = from->theta; /* the threshold stays, A is of the old width */
  model.a = 0;
  status = bperc_instance_new(2 * from->n, from->m, &model, &to, error);
  if (status != BPERC_OK)
    return status;
  for (size_t mu = 0; mu < from->m; mu++) {
    uint64_t *row = to->patterns + mu * to->words;
    memcpy(row, bperc_instance_pattern(from, mu), from->words * sizeof *row);
    bperc_i_complement(row, from->n);
  }
  if (from->m)
    memcpy(to->labels, from->labels, from->m);
  bperc_instance_update_bounds(to);
  bperc_instance_free(from);
  *in = to;
  return BPERC_OK;
}

/* With complements A is of the new width, as it is for a table. */
static bperc_status read_instance(bperc_file *file, int complement,
                                  const bperc_read_options *read,
                                  bperc_instance **out, bperc_error *error) {
  bperc_status status = bperc_i_instance_from(file, read, out, error);
  if (status != BPERC_OK || !complement)
    return status;
  status = with_complements(out, error);
  if (status == BPERC_OK && (read->given & BPERC_GIVEN_A)) {
    bperc_model model = bperc_instance_model(*out);
    model.a = read->a;
    status = bperc_instance_set_model(*out, &model, error);
  }
  return status;
}

/* What only a table can use. */
static bperc_status refuse_rules(const char *path,
                                 const bperc_data_options *options,
                                 bperc_error *error) {
  const char *given = options->label      ? "label"
                      : options->positive ? "positive"
                      : options->binarise ? "binarise"
                      : options->drop     ? "drop"
                      : options->missing  ? "missing"
                      : options->weight   ? "sample-weight"
                                          : NULL;
  if (!given)
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_ARGUMENT,
                         "%s: is an instance file, whose inputs are taken as "
                         "they are: %s is for tables",
                         path, given);
}

/* ---- both */

/* A table says nothing about its model. */
static bperc_status table_model(const char *path,
                                const bperc_read_options *read,
                                bperc_model *out, bperc_error *error) {
  *out = (bperc_model){.ties = read->ties};
  if (!(read->given & (BPERC_GIVEN_A | BPERC_GIVEN_THRESHOLD)))
    return bperc_error_set(error, BPERC_E_FORMAT,
                           "%s: this is a table, which has no threshold of its "
                           "own: give `a` or `threshold` (fit chooses one)",
                           path);
  if (read->given & BPERC_GIVEN_A)
    out->a = read->a;
  else
    out->theta = read->threshold;
  if (read->given & BPERC_GIVEN_KAPPA)
    out->kappa = read->kappa;
  if (read->given & BPERC_GIVEN_WEIGHTS)
    out->weights = read->weights;
  return BPERC_OK;
}

static bperc_status learn_table(bperc_file *file,
                                const bperc_data_options *options,
                                const bperc_read_options *read,
                                bperc_encoding **encoding, bperc_instance **out,
                                bperc_data_facts *facts, bperc_error *error) {
  bperc_i_records table;
  bperc_model model;
  size_t rows = 0;
  bperc_status status = bperc_i_records_open(file, &table, error);
  if (status != BPERC_OK)
    return status;
  status = table_model(table.path, read, &model, error);
  if (status == BPERC_OK)
    status = bperc_i_encoding_learn(&table, options, &rows, encoding, error);
  if (status == BPERC_OK)
    status = bperc_i_read_agrees(table.path, bperc_encoding_inputs(*encoding),
                                 read, error);
  if (status == BPERC_OK)
    status = encode_table(&table, *encoding, rows, options->weight, &model,
                          facts, out, error);
  bperc_i_source_close(&table);
  return status;
}

static int is_table(const bperc_file *file) {
  return file->kind == BPERC_FILE_CSV || file->kind == BPERC_FILE_NPY ||
         file->kind == BPERC_FILE_SVMLIGHT_VALUES;
}

/* The classes of an instance file are its labels. */
static bperc_status classes_of_labels(const bperc_instance *in,
                                      bperc_data_facts *facts,
                                      bperc_error *error) {
  facts->classes = bperc_i_calloc(in->m + 1, sizeof *facts->classes);
  if (!facts->classes)
    return bperc_error_set(error, BPERC_E_MEMORY, "no memory");
  for (size_t mu = 0; mu < in->m; mu++)
    facts->classes[mu] = in->labels[mu];
  return BPERC_OK;
}

void bperc_data_facts_clear(bperc_data_facts *facts) {
  for (size_t k = 0; k < facts->unseen_count; k++) {
    bperc_i_free(facts->unseen[k].column);
    bperc_i_free(facts->unseen[k].text);
  }
  bperc_i_free(facts->unseen);
  bperc_encoding_free(facts->encoding);
  bperc_i_free(facts->classes);
  bperc_i_free(facts->weights);
  memset(facts, 0, sizeof *facts);
}

static bperc_status
read_instance_facts(bperc_file *file, bperc_data_options *rules,
                    const bperc_read_options *read, bperc_instance **out,
                    bperc_data_facts *facts, bperc_error *error) {
  bperc_status status;
  if (rules->complement == BPERC_COMPLEMENT_NUMBERS)
    rules->complement = 0; /* an instance file has no numbers */
  status = refuse_rules(file->path, rules, error);
  if (status == BPERC_OK)
    status = read_instance(file, rules->complement, read, out, error);
  if (status == BPERC_OK)
    status = plain_encoding(*out, rules->complement, &facts->encoding, error);
  return status;
}

/* Classes only where there are more than two. */
static bperc_status read_facts(const char *path,
                               const bperc_data_options *options,
                               const bperc_read_options *read,
                               bperc_instance **out, bperc_data_facts *facts,
                               bperc_error *error) {
  bperc_data_options rules;
  bperc_read_options wanted;
  bperc_i_file_hints hints = {.tables = 1};
  bperc_file file;
  bperc_status status;
  *out = NULL;
  *facts = (bperc_data_facts){.labelled = 1};
  bperc_i_options_plain(sizeof rules, options, &rules);
  bperc_i_options_plain(sizeof wanted, read, &wanted);
  hints.labelled = !wanted.labelled;
  hints.n = wanted.n;
  status = bperc_i_file_open(path, &hints, &file, error);
  if (status != BPERC_OK)
    return status;
  if (is_table(&file))
    status = learn_table(&file, &rules, &wanted, &facts->encoding, out, facts,
                         error);
  else
    status = read_instance_facts(&file, &rules, &wanted, out, facts, error);
  bperc_i_file_close(&file);
  if (status == BPERC_OK)
    return status;
  bperc_instance_free(*out);
  *out = NULL;
  bperc_encoding_free(facts->encoding);
  facts->encoding = NULL;
  return status;
}

bperc_status bperc_data_read(const char *path,
                             const bperc_data_options *options,
                             const bperc_read_options *read,
                             bperc_encoding **encoding, bperc_instance **out,
                             bperc_error *error) {
  bperc_data_facts facts;
  bperc_status status = read_facts(path, options, read, out, &facts, error);
  if (encoding) {
    *encoding = facts.encoding;
    facts.encoding = NULL;
  }
  bperc_data_facts_clear(&facts);
  return status;
}

bperc_status
bperc_data_read_facts(const char *path, const bperc_data_options *options,
                      const bperc_read_options *read, bperc_instance **out,
                      bperc_data_facts *facts, bperc_error *error) {
  bperc_status status = read_facts(path, options, read, out, facts, error);
  if (status == BPERC_OK && !facts->classes)
    status = classes_of_labels(*out, facts, error);
  if (status != BPERC_OK) {
    bperc_data_facts_clear(facts);
    bperc_instance_free(*out);
    *out = NULL;
  }
  return status;
}

static bperc_status encode_file(bperc_file *file, const bperc_encoding *e,
                                const bperc_model *model,
                                bperc_data_facts *facts, bperc_instance **out,
                                bperc_error *error) {
  bperc_i_records table;
  size_t rows;
  bperc_status status = bperc_i_records_open(file, &table, error);
  if (status != BPERC_OK)
    return status;
  status = count_table_rows(&table, &rows, error);
  if (status == BPERC_OK)
    status = encode_table(&table, e, rows, NULL, model, facts, out, error);
  bperc_i_source_close(&table);
  return status;
}

static bperc_status same_width(const char *path, const bperc_encoding *e,
                               const bperc_instance *in, bperc_error *error) {
  if (in->n == bperc_encoding_inputs(e))
    return BPERC_OK;
  return bperc_error_set(error, BPERC_E_FORMAT,
                         "%s: the patterns have %zu inputs, the model %zu",
                         path, in->n / (e->complement ? 2 : 1), e->n);
}

/* An instance file under the model's own threshold, ties and weights; labels
 * may be missing. */
static bperc_status encode_instance(bperc_file *file, const bperc_encoding *e,
                                    const bperc_model *model, int *labelled,
                                    bperc_instance **out, bperc_error *error) {
  bperc_read_options read = {.ties = model->ties,
                             .given = BPERC_GIVEN_THRESHOLD,
                             .threshold = model->theta,
                             .n = e->n,
                             .labelled = labelled};
  bperc_status status = read_instance(file, e->complement, &read, out, error);
  if (status == BPERC_OK)
    status = same_width(file->path, e, *out, error);
  return status == BPERC_OK ? bperc_instance_set_model(*out, model, error)
                            : status;
}

bperc_status bperc_data_encode(const char *path, const bperc_encoding *e,
                               const bperc_model *model, int *labelled,
                               bperc_instance **out, bperc_error *error) {
  bperc_data_facts facts;
  bperc_status status =
      bperc_data_encode_facts(path, e, model, out, &facts, error);
  *labelled = facts.labelled;
  bperc_data_facts_clear(&facts);
  return status;
}

bperc_status bperc_data_encode_facts(const char *path, const bperc_encoding *e,
                                     const bperc_model *model,
                                     bperc_instance **out,
                                     bperc_data_facts *facts,
                                     bperc_error *error) {
  bperc_i_file_hints hints = {
      .tables = 1, .values = e->count > 0, .n = e->count ? 0 : e->n};
  bperc_file file;
  bperc_status status = bperc_i_file_open(path, &hints, &file, error);
  *out = NULL;
  *facts = (bperc_data_facts){.labelled = 1};
  if (status != BPERC_OK)
    return status;
  if (e->count && !is_table(&file))
    status = bperc_error_set(error, BPERC_E_FORMAT,
                             "%s: the model reads columns by name, and this is "
                             "no table",
                             path);
  else if (!e->count && is_table(&file))
    status = bperc_error_set(error, BPERC_E_FORMAT,
                             "%s: the model was trained on an instance file, "
                             "and this is a table",
                             path);
  else if (e->count)
    status = encode_file(&file, e, model, facts, out, error);
  else
    status = encode_instance(&file, e, model, &facts->labelled, out, error);
  if (status == BPERC_OK && !facts->classes)
    status = classes_of_labels(*out, facts, error);
  bperc_i_file_close(&file);
  if (status != BPERC_OK) {
    bperc_instance_free(*out);
    *out = NULL;
  }
  return status;
}
