/* Plans and claims: everything before the first form feed is the plan, what
 * follows it are the claims. */
#include "bperc/judge.h"
#include "fuzz.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *plan = (const char *)data;
  const char *feed = size ? memchr(plan, '\f', size) : NULL;
  size_t length = feed ? (size_t)(feed - plan) : size;
  bperc_error error = {BPERC_OK, ""};
  bperc_experiment *x;
  bperc_judge *j = NULL;
  bperc_status status =
      bperc_experiment_parse("fuzz", plan, length, &x, &error);
  assert((status == BPERC_OK) == (x != NULL));
  assert(status == BPERC_OK || error.text[0]);
  if (x && bperc_judge_parse(x, "fuzz", feed ? feed + 1 : NULL,
                             feed ? size - length - 1 : 0, &j, &error))
    assert(!j && error.text[0]);
  bperc_judge_free(j);
  bperc_experiment_free(x);
  return 0;
}
