/* Conflict-driven search with cutting planes: cuts.h. */
#include "exact/search/cuts.h"

#include "base/alloc.h"
#include "base/check.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
  UNIT_RESTART = 100,  /* conflicts, times Luby's sequence */
  FIRST_REDUCE = 2000, /* conflicts before learned constraints are dropped, */
  NEXT_REDUCE = 500,   /* more every time */
  CANCEL_INTERVAL = 64 /* conflicts */
};
static const int64_t max_degree = (int64_t)1 << 30; /* then it is divided */
static const double decay = 0.95, huge_activity = 1e100;

typedef struct {
  bperc_i_cut_term *term;
  uint32_t count, levels; /* levels: of decisions in it when learned */
  int64_t degree, slack;  /* slack: of what is seen to be false */
  int64_t max;            /* largest factor */
  uint64_t id;
  double activity;
  bool learned;
} constraint;

/* Where a literal stands. */
typedef struct {
  uint32_t which;
  int64_t factor;
} occurrence;

typedef struct {
  occurrence *at;
  size_t count, allocated;
} occurrences;

enum { NO_REASON = -1, UNSET = -1 };

struct bperc_i_cuts {
  size_t variables;
  constraint *row;
  size_t rows, rows_allocated;
  occurrences *seen_in; /* [2 variables] by literal */
  int8_t *value;        /* [variables] 0, 1 or UNSET */
  bool *phase;          /* value of the next decision */
  uint32_t *level;
  int32_t *reason;
  size_t *position; /* on the trail */
  uint32_t *trail;  /* literals that are true */
  size_t trail_count, propagated;
  size_t *level_start; /* [variables + 1] */
  size_t levels;
  double *activity, step;
  uint32_t *heap, *heap_at; /* variables by activity; SIZE when not in it */
  size_t heap_count;
  int64_t *factor; /* [2 variables] of the constraint that is derived */
  int64_t degree;
  uint32_t *mark; /* [variables + 1] levels counted last */
  uint32_t marks;
  uint64_t conflicts, next_restart, restarts, next_reduce, reduced;
  bool refuted;
  bperc_i_proof *proof;
};

/* ---- order of decisions: a heap by activity ---- */

static bool before(const bperc_i_cuts *c, uint32_t u, uint32_t v) {
  return c->activity[u] > c->activity[v] ||
         (c->activity[u] >= c->activity[v] && u < v);
}

static void put_heap(bperc_i_cuts *c, size_t at, uint32_t v) {
  c->heap[at] = v;
  c->heap_at[v] = (uint32_t)at;
}

static void rise_in_heap(bperc_i_cuts *c, size_t at) {
  uint32_t v = c->heap[at];
  for (; at > 0 && before(c, v, c->heap[(at - 1) / 2]); at = (at - 1) / 2)
    put_heap(c, at, c->heap[(at - 1) / 2]);
  put_heap(c, at, v);
}

static void sink_in_heap(bperc_i_cuts *c, size_t at) {
  uint32_t v = c->heap[at];
  for (;;) {
    size_t child = 2 * at + 1;
    if (child >= c->heap_count)
      break;
    if (child + 1 < c->heap_count &&
        before(c, c->heap[child + 1], c->heap[child]))
      child++;
    if (!before(c, c->heap[child], v))
      break;
    put_heap(c, at, c->heap[child]);
    at = child;
  }
  put_heap(c, at, v);
}

static void push_heap(bperc_i_cuts *c, uint32_t v) {
  if (c->heap_at[v] != UINT32_MAX)
    return;
  put_heap(c, c->heap_count++, v);
  rise_in_heap(c, c->heap_count - 1);
}

static uint32_t pop_heap(bperc_i_cuts *c) {
  uint32_t v = c->heap[0];
  c->heap_at[v] = UINT32_MAX;
  if (--c->heap_count > 0) {
    put_heap(c, 0, c->heap[c->heap_count]);
    sink_in_heap(c, 0);
  }
  return v;
}

static void bump_variable(bperc_i_cuts *c, uint32_t v) {
  c->activity[v] += c->step;
  if (c->activity[v] > huge_activity) {
    for (size_t u = 0; u < c->variables; u++)
      c->activity[u] /= huge_activity;
    c->step /= huge_activity;
  }
  if (c->heap_at[v] != UINT32_MAX)
    rise_in_heap(c, c->heap_at[v]);
}

/* ---- values ---- */

static bool is_false(const bperc_i_cuts *c, uint32_t literal) {
  return c->value[literal / 2] == (int8_t)(literal & 1);
}

static void set_literal(bperc_i_cuts *c, uint32_t literal, int32_t reason) {
  uint32_t v = literal / 2;
  assert(c->value[v] == UNSET);
  c->value[v] = (int8_t)(~literal & 1);
  c->level[v] = (uint32_t)c->levels;
  c->reason[v] = reason;
  c->position[v] = c->trail_count;
  c->trail[c->trail_count++] = literal;
}

static void undo_literal(bperc_i_cuts *c) {
  uint32_t literal = c->trail[--c->trail_count], v = literal / 2;
  if (c->trail_count < c->propagated) {
    const occurrences *o = &c->seen_in[literal ^ 1];
    for (size_t k = 0; k < o->count; k++)
      c->row[o->at[k].which].slack += o->at[k].factor;
    c->propagated--;
  }
  c->phase[v] = c->value[v];
  c->value[v] = UNSET;
  push_heap(c, v);
}

static void back_to_level(bperc_i_cuts *c, size_t level) {
  if (level >= c->levels)
    return;
  while (c->trail_count > c->level_start[level])
    undo_literal(c);
  c->levels = level;
}

/* Sets what a constraint forces. */
static void force_row(bperc_i_cuts *c, int32_t which) {
  const constraint *x = &c->row[which];
  for (uint32_t k = 0; k < x->count && x->term[k].factor > x->slack; k++)
    if (c->value[x->term[k].literal / 2] == UNSET)
      set_literal(c, x->term[k].literal, which);
}

/* The constraint that is violated; NO_REASON: none. */
static int32_t propagate_values(bperc_i_cuts *c) {
  int32_t conflict = NO_REASON;
  while (c->propagated < c->trail_count && conflict == NO_REASON) {
    const occurrences *o = &c->seen_in[c->trail[c->propagated++] ^ 1];
    for (size_t k = 0; k < o->count; k++) {
      constraint *x = &c->row[o->at[k].which];
      x->slack -= o->at[k].factor;
      if (x->slack < 0 && conflict == NO_REASON)
        conflict = (int32_t)o->at[k].which;
      else if (x->slack < x->max && conflict == NO_REASON)
        force_row(c, (int32_t)o->at[k].which);
    }
  }
  return conflict;
}

/* ---- constraints ---- */

static bperc_status add_occurrence(bperc_i_cuts *c, uint32_t literal,
                                   uint32_t which, int64_t factor) {
  occurrences *o = &c->seen_in[literal];
  if (o->count == o->allocated) {
    size_t more = o->allocated ? 2 * o->allocated : 8;
    occurrence *at =
        bperc_i_realloc(o->at, o->allocated * sizeof *at, more * sizeof *at);
    if (!at)
      return BPERC_E_MEMORY;
    o->at = at;
    o->allocated = more;
  }
  o->at[o->count++] = (occurrence){which, factor};
  return BPERC_OK;
}

/* Of literals that have been propagated. */
static int64_t slack_of(const bperc_i_cuts *c, const constraint *x) {
  int64_t slack = -x->degree;
  for (uint32_t k = 0; k < x->count; k++) {
    uint32_t v = x->term[k].literal / 2;
    bool gone =
        is_false(c, x->term[k].literal) && c->position[v] < c->propagated;
    slack += gone ? 0 : x->term[k].factor;
  }
  return slack;
}

/* Large ones first, so that what is forced stands in front. */
static int by_factor(const void *left, const void *right) {
  const bperc_i_cut_term *a = left, *b = right;
  if (a->factor != b->factor)
    return a->factor > b->factor ? -1 : 1;
  return a->literal < b->literal ? -1 : 1;
}

static bperc_status append_row(bperc_i_cuts *c, constraint x) {
  if (c->rows == c->rows_allocated) {
    size_t more = c->rows_allocated ? 2 * c->rows_allocated : 64;
    constraint *row = bperc_i_realloc(c->row, c->rows_allocated * sizeof *row,
                                      more * sizeof *row);
    if (!row)
      return BPERC_E_MEMORY;
    c->row = row;
    c->rows_allocated = more;
  }
  qsort(x.term, x.count, sizeof *x.term, by_factor);
  x.slack = slack_of(c, &x);
  for (uint32_t k = 0; k < x.count; k++) {
    x.max = x.term[k].factor > x.max ? x.term[k].factor : x.max;
    if (add_occurrence(c, x.term[k].literal, (uint32_t)c->rows,
                       x.term[k].factor))
      return BPERC_E_MEMORY;
  }
  c->row[c->rows++] = x;
  return BPERC_OK;
}

bperc_status bperc_i_cuts_add(bperc_i_cuts *c, const bperc_i_cut_term *terms,
                              size_t count, int64_t degree, uint64_t id) {
  constraint x = {.count = (uint32_t)count, .degree = degree, .id = id};
  back_to_level(c, 0);
  if (degree <= 0)
    return BPERC_OK;
  x.term = bperc_i_alloc(count + 1, sizeof *x.term);
  if (!x.term)
    return BPERC_E_MEMORY;
  if (count)
    memcpy(x.term, terms, count * sizeof *terms);
  for (size_t k = 0; k < count; k++)
    if (x.term[k].factor > degree)
      x.term[k].factor = degree;
  bperc_status status = append_row(c, x);
  if (status != BPERC_OK) {
    bperc_i_free(x.term);
    return status;
  }
  const constraint *own = &c->row[c->rows - 1];
  if (own->slack < 0)
    c->refuted = true;
  else
    force_row(c, (int32_t)c->rows - 1);
  return BPERC_OK;
}

/* ---- deriving: what is learned from a conflict ----
 *
 * The constraint that is derived stays violated by the literals on the trail
 * that are left. Weakening adds literals that are not false, so that a
 * division rounds up those alone that are. */

static void load_row(bperc_i_cuts *c, const constraint *x) {
  memset(c->factor, 0, 2 * c->variables * sizeof *c->factor);
  for (uint32_t k = 0; k < x->count; k++)
    c->factor[x->term[k].literal] = x->term[k].factor;
  c->degree = x->degree;
  if (c->proof)
    bperc_i_proof_begin(c->proof, x->id);
}

/* Divides what is derived when its numbers grow: literals that are not false
 * are weakened to multiples before. */
static void divide_derived(bperc_i_cuts *c) {
  if (c->degree <= max_degree)
    return;
  int64_t by = (c->degree + max_degree / 1024 - 1) / (max_degree / 1024);
  for (uint32_t l = 0; l < 2 * c->variables; l++) {
    int64_t rest = c->factor[l] % by;
    if (rest == 0)
      continue;
    if (is_false(c, l)) {
      c->factor[l] += by - rest;
      continue;
    }
    c->factor[l] -= rest;
    c->degree -= rest;
    if (c->proof)
      bperc_i_proof_weaken(c->proof, l ^ 1, rest);
  }
  for (uint32_t l = 0; l < 2 * c->variables; l++)
    c->factor[l] /= by;
  c->degree = (c->degree + by - 1) / by;
  if (c->proof)
    bperc_i_proof_divide(c->proof, by);
}

static void saturate_derived(bperc_i_cuts *c) {
  bool any = false;
  for (size_t l = 0; l < 2 * c->variables; l++)
    if (c->factor[l] > c->degree) {
      c->factor[l] = c->degree;
      any = true;
    }
  if (any && c->proof)
    bperc_i_proof_saturate(c->proof);
}

/* Adds times a term to what is derived; a literal and its negation cancel. */
static void add_term(bperc_i_cuts *c, uint32_t literal, int64_t factor) {
  int64_t *own = &c->factor[literal], *other = &c->factor[literal ^ 1];
  int64_t both = *other < factor ? *other : factor;
  *own += factor - both;
  *other -= both;
  c->degree -= both;
}

/* Adds the reason of a literal on the trail, reduced to factor 1 and taken
 * times the factor of its negation. */
static void add_reason(bperc_i_cuts *c, uint32_t literal) {
  constraint *x = &c->row[c->reason[literal / 2]];
  size_t here = c->position[literal / 2];
  int64_t times = c->factor[literal ^ 1], by = 0, degree = x->degree;
  x->activity += c->step;
  for (uint32_t k = 0; k < x->count && by == 0; k++)
    if (x->term[k].literal == literal)
      by = x->term[k].factor;
  assert(by > 0 && times > 0);
  if (c->proof)
    bperc_i_proof_push(c->proof, x->id);
  for (uint32_t k = 0; k < x->count; k++) {
    uint32_t l = x->term[k].literal;
    int64_t rest = x->term[k].factor % by, whole = x->term[k].factor / by;
    bool gone = is_false(c, l) && c->position[l / 2] < here;
    if (rest > 0 && !gone) {
      degree -= rest;
      if (c->proof)
        bperc_i_proof_weaken(c->proof, l ^ 1, rest);
    }
    add_term(c, l, times * (whole + (rest > 0 && gone)));
    bump_variable(c, l / 2);
  }
  c->degree += times * ((degree + by - 1) / by);
  if (!c->proof)
    return;
  if (by > 1)
    bperc_i_proof_divide(c->proof, by);
  if (times > 1)
    bperc_i_proof_multiply(c->proof, times);
  bperc_i_proof_add(c->proof);
}

/* How many literals that are false under the last decision are in it. */
static size_t count_last_level(const bperc_i_cuts *c) {
  size_t count = 0;
  for (size_t k = c->level_start[c->levels - 1]; k < c->trail_count; k++)
    count += c->factor[c->trail[k] ^ 1] > 0;
  return count;
}

/* Walks the trail back until one literal of the last decision is left. */
static void derive_from(bperc_i_cuts *c, int32_t conflict) {
  c->row[conflict].activity += c->step;
  load_row(c, &c->row[conflict]);
  for (uint32_t k = 0; k < c->row[conflict].count; k++)
    bump_variable(c, c->row[conflict].term[k].literal / 2);
  while (count_last_level(c) > 1) {
    uint32_t top = c->trail[c->trail_count - 1];
    if (c->factor[top ^ 1] > 0) {
      add_reason(c, top);
      assert(c->degree > 0);
      saturate_derived(c);
      divide_derived(c);
    }
    undo_literal(c);
  }
}

typedef struct {
  uint32_t level;
  int64_t factor;
} false_term;

static int by_level(const void *left, const void *right) {
  const false_term *a = left, *b = right;
  return a->level != b->level ? (a->level < b->level ? -1 : 1) : 0;
}

/* The earliest level at which what was derived forces something. */
static size_t level_to_return(const bperc_i_cuts *c, false_term *list) {
  size_t count = 0;
  int64_t slack = -c->degree, max = 0;
  for (uint32_t l = 0; l < 2 * c->variables; l++) {
    if (c->factor[l] == 0)
      continue;
    slack += c->factor[l];
    if (c->value[l / 2] != UNSET && is_false(c, l))
      list[count++] = (false_term){c->level[l / 2], c->factor[l]};
  }
  qsort(list, count, sizeof *list, by_level);
  for (size_t level = 0, k = 0; level + 1 < c->levels; level++) {
    for (; k < count && list[k].level <= level; k++)
      slack -= list[k].factor;
    max = 0;
    for (uint32_t l = 0; l < 2 * c->variables; l++) {
      bool set = c->value[l / 2] != UNSET && c->level[l / 2] <= level;
      max = !set && c->factor[l] > max ? c->factor[l] : max;
    }
    if (slack < max)
      return level;
  }
  return c->levels - 1;
}

static uint32_t count_levels(bperc_i_cuts *c) {
  uint32_t count = 0;
  c->marks++;
  for (uint32_t l = 0; l < 2 * c->variables; l++)
    if (c->factor[l] > 0 && is_false(c, l) &&
        c->mark[c->level[l / 2]] != c->marks) {
      c->mark[c->level[l / 2]] = c->marks;
      count++;
    }
  return count;
}

/* What was derived becomes a constraint, after a return. */
static bperc_status learn_derived(bperc_i_cuts *c) {
  constraint x = {.degree = c->degree, .learned = true, .activity = c->step};
  size_t count = 0;
  for (size_t l = 0; l < 2 * c->variables; l++)
    count += c->factor[l] > 0;
  false_term *list = bperc_i_alloc(count + 1, sizeof *list);
  x.term = bperc_i_alloc(count + 1, sizeof *x.term);
  if (!x.term || !list) {
    bperc_i_free(x.term);
    bperc_i_free(list);
    return BPERC_E_MEMORY;
  }
  for (uint32_t l = 0; l < 2 * c->variables; l++)
    if (c->factor[l] > 0)
      x.term[x.count++] = (bperc_i_cut_term){l, c->factor[l]};
  x.levels = count_levels(c);
  x.id = c->proof ? bperc_i_proof_end(c->proof) : 0;
  back_to_level(c, level_to_return(c, list));
  bperc_i_free(list);
  bperc_status status = append_row(c, x);
  if (status != BPERC_OK)
    bperc_i_free(x.term);
  return status;
}

/* Learns until nothing is violated any more. */
static bperc_status resolve_conflict(bperc_i_cuts *c, int32_t conflict) {
  while (conflict != NO_REASON) {
    if (c->levels == 0) {
      c->refuted = true;
      return BPERC_OK;
    }
    derive_from(c, conflict);
    bperc_status status = learn_derived(c);
    if (status != BPERC_OK)
      return status;
    conflict = NO_REASON;
    if (c->row[c->rows - 1].slack < 0)
      conflict = (int32_t)c->rows - 1;
    else
      force_row(c, (int32_t)c->rows - 1);
  }
  return BPERC_OK;
}

/* ---- forgetting ---- */

static int by_use(const void *left, const void *right) {
  const constraint *a = *(const constraint *const *)left;
  const constraint *b = *(const constraint *const *)right;
  if ((a->levels <= 2) != (b->levels <= 2))
    return a->levels <= 2 ? -1 : 1;
  if (a->activity < b->activity || a->activity > b->activity)
    return a->activity > b->activity ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void drop_row(bperc_i_cuts *c, constraint *x) {
  if (c->proof)
    bperc_i_proof_delete(c->proof, x->id);
  bperc_i_free(x->term);
  x->term = NULL;
}

static bperc_status rebuild_rows(bperc_i_cuts *c) {
  size_t kept = 0;
  for (size_t l = 0; l < 2 * c->variables; l++)
    c->seen_in[l].count = 0;
  for (size_t k = 0; k < c->rows; k++)
    if (c->row[k].term)
      c->row[kept++] = c->row[k];
  c->rows = kept;
  for (size_t k = 0; k < kept; k++)
    for (uint32_t t = 0; t < c->row[k].count; t++)
      if (add_occurrence(c, c->row[k].term[t].literal, (uint32_t)k,
                         c->row[k].term[t].factor))
        return BPERC_E_MEMORY;
  for (size_t k = 0; k < c->trail_count; k++)
    c->reason[c->trail[k] / 2] = NO_REASON; /* of level 0: never asked for */
  return BPERC_OK;
}

/* Half of what was learned goes, at level 0; what forced a value for good
 * stays, for the proof ends with propagation. */
static bperc_status reduce_rows(bperc_i_cuts *c) {
  constraint **list = bperc_i_alloc(c->rows + 1, sizeof *list);
  size_t count = 0;
  if (!list)
    return BPERC_E_MEMORY;
  for (size_t k = 0; k < c->trail_count; k++)
    if (c->reason[c->trail[k] / 2] != NO_REASON)
      c->row[c->reason[c->trail[k] / 2]].learned = false;
  for (size_t k = 0; k < c->rows; k++)
    if (c->row[k].learned)
      list[count++] = &c->row[k];
  qsort(list, count, sizeof *list, by_use);
  for (size_t k = count / 2; k < count; k++)
    if (list[k]->levels > 2)
      drop_row(c, list[k]);
  bperc_i_free(list);
  c->reduced++;
  c->next_reduce = c->conflicts + FIRST_REDUCE + NEXT_REDUCE * c->reduced;
  return rebuild_rows(c);
}

/* ---- search ---- */

/* 1 1 2 1 1 2 4 1 1 2 ...: number k from 0. */
static uint64_t luby(uint64_t k) {
  uint64_t size = 1, power = 0;
  while (size < k + 1) {
    power++;
    size = 2 * size + 1;
  }
  while (size - 1 != k) {
    size = (size - 1) / 2;
    power--;
    k %= size;
  }
  return UINT64_C(1) << power;
}

static bperc_status restart(bperc_i_cuts *c) {
  back_to_level(c, 0);
  c->next_restart = c->conflicts + UNIT_RESTART * luby(c->restarts++);
  return c->conflicts >= c->next_reduce ? reduce_rows(c) : BPERC_OK;
}

/* False: every variable has a value. */
static bool decide_variable(bperc_i_cuts *c) {
  while (c->heap_count > 0) {
    uint32_t v = pop_heap(c);
    if (c->value[v] != UNSET)
      continue;
    c->level_start[c->levels++] = c->trail_count;
    set_literal(c, 2 * v + !c->phase[v], NO_REASON);
    return true;
  }
  return false;
}

bperc_i_cuts_outcome bperc_i_cuts_run(bperc_i_cuts *c, uint64_t conflicts) {
  uint64_t end = c->conflicts + conflicts;
  bperc_status status = BPERC_OK;
  while (!c->refuted && status == BPERC_OK) {
    int32_t conflict = propagate_values(c);
    if (conflict != NO_REASON) {
      c->conflicts++;
      c->step /= decay;
      status = resolve_conflict(c, conflict);
      if (c->conflicts % CANCEL_INTERVAL == 0 && bperc_cancelled())
        return BPERC_I_CUTS_FAILED;
      continue;
    }
    if (c->conflicts >= end)
      return BPERC_I_CUTS_MORE;
    if (c->conflicts >= c->next_restart && c->levels > 0)
      status = restart(c);
    else if (!decide_variable(c))
      return BPERC_I_CUTS_SOLVED;
  }
  return status == BPERC_OK ? BPERC_I_CUTS_REFUTED : BPERC_I_CUTS_FAILED;
}

bool bperc_i_cuts_value(const bperc_i_cuts *c, size_t variable) {
  return c->value[variable] == 1;
}

uint64_t bperc_i_cuts_conflicts(const bperc_i_cuts *c) { return c->conflicts; }

void bperc_i_cuts_prefer(bperc_i_cuts *c, size_t variable, bool value) {
  c->phase[variable] = value;
}

/* ---- making ---- */

static bool allocate_cuts(bperc_i_cuts *c) {
  size_t n = c->variables + 1;
  c->seen_in = bperc_i_calloc(2 * n, sizeof *c->seen_in);
  c->value = bperc_i_alloc(n, sizeof *c->value);
  c->phase = bperc_i_calloc(n, sizeof *c->phase);
  c->level = bperc_i_calloc(n, sizeof *c->level);
  c->reason = bperc_i_calloc(n, sizeof *c->reason);
  c->position = bperc_i_calloc(n, sizeof *c->position);
  c->trail = bperc_i_calloc(n, sizeof *c->trail);
  c->level_start = bperc_i_calloc(n, sizeof *c->level_start);
  c->activity = bperc_i_calloc(n, sizeof *c->activity);
  c->heap = bperc_i_calloc(n, sizeof *c->heap);
  c->heap_at = bperc_i_calloc(n, sizeof *c->heap_at);
  c->factor = bperc_i_calloc(2 * n, sizeof *c->factor);
  c->mark = bperc_i_calloc(n, sizeof *c->mark);
  return c->seen_in && c->value && c->phase && c->level && c->reason &&
         c->position && c->trail && c->level_start && c->activity && c->heap &&
         c->heap_at && c->factor && c->mark;
}

bperc_status bperc_i_cuts_new(size_t variables, bperc_i_proof *proof,
                              bperc_i_cuts **out) {
  bperc_i_cuts *c = bperc_i_calloc(1, sizeof *c);
  *out = NULL;
  if (!c)
    return BPERC_E_MEMORY;
  c->variables = variables;
  c->proof = proof;
  c->step = 1;
  c->next_restart = UNIT_RESTART;
  c->next_reduce = FIRST_REDUCE;
  if (!allocate_cuts(c)) {
    bperc_i_cuts_free(c);
    return BPERC_E_MEMORY;
  }
  for (size_t v = 0; v < variables; v++) {
    c->value[v] = UNSET;
    put_heap(c, c->heap_count++, (uint32_t)v);
  }
  *out = c;
  return BPERC_OK;
}

void bperc_i_cuts_free(bperc_i_cuts *c) {
  if (!c)
    return;
  for (size_t k = 0; k < c->rows; k++)
    bperc_i_free(c->row[k].term);
  for (size_t l = 0; c->seen_in && l < 2 * c->variables; l++)
    bperc_i_free(c->seen_in[l].at);
  bperc_i_free(c->row);
  bperc_i_free(c->seen_in);
  bperc_i_free(c->value);
  bperc_i_free(c->phase);
  bperc_i_free(c->level);
  bperc_i_free(c->reason);
  bperc_i_free(c->position);
  bperc_i_free(c->trail);
  bperc_i_free(c->level_start);
  bperc_i_free(c->activity);
  bperc_i_free(c->heap);
  bperc_i_free(c->heap_at);
  bperc_i_free(c->factor);
  bperc_i_free(c->mark);
  bperc_i_free(c);
}
