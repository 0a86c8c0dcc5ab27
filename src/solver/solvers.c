/* The list of solvers. */
#include "bperc/amp.h"
#include "bperc/bpd.h"
#include "bperc/ecp.h"
#include "bperc/exact.h"
#include "bperc/rbp.h"
#include "bperc/sbpi.h"
#include "bperc/solver.h"

#include <string.h>

/* clang-format off */
static const bperc_solver_class *const list[] = {
    &bperc_sbpi_class,
    &bperc_amp_class,
    &bperc_rbp_class,
    &bperc_bpd_class,
    &bperc_exact_class,
    &bperc_ecp_class,
    NULL,
};
/* clang-format on */

const bperc_solver_class *const *bperc_solvers(void) { return list; }

const bperc_solver_class *bperc_solver_find(const char *name) {
  for (size_t k = 0; list[k]; k++)
    if (strcmp(list[k]->name, name) == 0)
      return list[k];
  return NULL;
}
