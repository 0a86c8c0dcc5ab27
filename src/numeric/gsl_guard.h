/* Calls of GSL whose errors are statuses.
 *
 * GSL reports an error to a handler of the whole process, by default one that
 * aborts. Between begin and end the handler only lets the call return its
 * status; afterwards the host's own one is back. Calls may nest and come from
 * several threads; the host's handler is out of force while any of them runs.
 */
#ifndef BPERC_SRC_NUMERIC_GSL_GUARD_H
#define BPERC_SRC_NUMERIC_GSL_GUARD_H

void bperc_i_gsl_begin(void);
void bperc_i_gsl_end(void);

#endif
