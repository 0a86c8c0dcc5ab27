/* What the flat functions share: the page calls them from JavaScript.
 *
 * Every function answers a number: negative, a bperc_status, and web_error()
 * is the sentence; otherwise what its comment says. Longer answers lie in one
 * room of doubles, web_room(), until the next call.
 */
#ifndef WEB_FRONT_H
#define WEB_FRONT_H

#include <bperc/bperc.h>
#include <emscripten.h>

#define WEB EMSCRIPTEN_KEEPALIVE

extern bperc_error web_failure;
/* Room for so many doubles; NULL when there is no memory. */
double *web_reserve(size_t count);
/* Tells the page how far a long call is. */
extern const bperc_exact_watch web_watch;
/* NULL, or the problem in hand. */
extern bperc_instance *web_instance;
/* Takes a problem in place of the one in hand. */
void web_take(bperc_instance *in);
int web_out_of_memory(void);

#endif
