/* Mistyped words: the nearest of those that there are. */
#include "bperc/options.h"

#include <string.h>
#include <strings.h>

enum { LONGEST = 63 };

static size_t least3(size_t a, size_t b, size_t c) {
  size_t d = a < b ? a : b;
  return d < c ? d : c;
}

/* Insertions, deletions, changes and swaps of neighbours. */
static size_t edits(const char *a, const char *b) {
  size_t rows[3][LONGEST + 1];
  size_t la = strlen(a), lb = strlen(b);
  if (la > LONGEST || lb > LONGEST)
    return 1000;
  for (size_t j = 0; j <= lb; j++)
    rows[0][j] = j;
  for (size_t i = 1; i <= la; i++) {
    size_t *now = rows[i % 3], *last = rows[(i + 2) % 3],
           *before = rows[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= lb; j++) {
      now[j] = least3(last[j] + 1, now[j - 1] + 1,
                      last[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          before[j - 2] + 1 < now[j])
        now[j] = before[j - 2] + 1;
    }
  }
  return rows[la % 3][lb];
}

const char *bperc_nearest(const char *word, const char *const *words,
                          size_t count) {
  const char *found = NULL;
  size_t best = 2 + strlen(word) / 3;
  for (size_t k = 0; k < count; k++) {
    size_t d = edits(word, words[k]);
    if (strcasecmp(word, words[k]) == 0)
      return words[k];
    if (d < best) {
      best = d;
      found = words[k];
    }
  }
  return found;
}
