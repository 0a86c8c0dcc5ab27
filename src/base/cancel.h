/* Cancelling at a chosen moment, for tests: loops that poll bperc_cancelled()
 * are their own clock, the same on every machine. */
#ifndef BPERC_BASE_CANCEL_H
#define BPERC_BASE_CANCEL_H

/* Takes back bperc_cancel(). */
void bperc_i_cancel_reset(void);
/* The k-th poll from now cancels (0 = the next); -1 = none, not counted. */
void bperc_i_cancel_after(long k);
/* How many polls there were since the last bperc_i_cancel_after(k >= 0). */
long bperc_i_cancel_polls(void);

#endif
