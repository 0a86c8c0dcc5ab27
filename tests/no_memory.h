/* Memory that runs out: for functions that make something or say why not. */
#ifndef BPERC_TESTS_NO_MEMORY_H
#define BPERC_TESTS_NO_MEMORY_H

#include "base/alloc.h"
#include "check.h"

/* The first `count` allocations of the call fail, one at a time: each time it
 * returns BPERC_E_MEMORY and leaves `made` NULL. */
#define assert_needs_memory(count, call, made)                                 \
  do {                                                                         \
    for (long k_ = 0; k_ < (count); k_++) {                                    \
      bperc_i_alloc_fail_after(k_);                                            \
      assert_int_equal(call, BPERC_E_MEMORY);                                  \
      assert_null(made);                                                       \
    }                                                                          \
    bperc_i_alloc_fail_after(-1);                                              \
  } while (0)

#endif
