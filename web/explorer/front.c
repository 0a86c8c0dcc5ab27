/* The problem in hand, answers and errors. */
#include "front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bperc_error web_failure;
bperc_instance *web_instance;

static double *room;
static size_t room_size;

/* The page's function of this name; share in 0 .. 1. */
EM_JS(void, web_tell, (double share, double found), {
  if (Module.onProgress)
    Module.onProgress(share, found);
});

static void tell(void *context, double share, double found) {
  (void)context;
  web_tell(share, found);
}

const bperc_exact_watch web_watch = {.tell = tell};

double *web_reserve(size_t count) {
  if (count > room_size) {
    double *more = realloc(room, count * sizeof *more);
    if (!more)
      return NULL;
    room = more;
    room_size = count;
  }
  return room;
}

int web_out_of_memory(void) {
  return bperc_error_set(&web_failure, BPERC_E_MEMORY,
                         "the browser gives no more memory");
}

WEB double *web_room(void) { return room; }
WEB const char *web_error(void) { return web_failure.text; }
WEB const char *web_version(void) { return bperc_version(); }

void web_take(bperc_instance *in) {
  bperc_instance_free(web_instance);
  web_instance = in;
}

/* A random problem: inputs 1 with probability fin, labels fair coins,
 * threshold n/a. Answers the number of patterns, alpha n rounded. */
WEB int web_random(int n, double alpha, double fin, double a, double seed) {
  bperc_instance *in;
  size_t m = (size_t)llround(alpha * n);
  if (bperc_ensemble_draw(
          &(bperc_ensemble){
              .n = (size_t)n, .m = m, .fin = fin, .model = {.a = a}},
          (uint64_t)seed, &in, &web_failure) != BPERC_OK)
    return web_failure.status;
  web_take(in);
  return (int)m;
}

/* A reason why no weights satisfy all patterns that needs no search: 1 and
 * the sentence as web_error(), or 0. */
WEB int web_contradiction(void) {
  bperc_contradiction found;
  size_t count;
  if (bperc_instance_contradictions(web_instance, &found, 1, &count) !=
      BPERC_OK)
    return web_out_of_memory();
  if (count)
    bperc_error_set(&web_failure, BPERC_OK, "%s", found.text);
  return count > 0;
}
