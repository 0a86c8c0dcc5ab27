/* Checks of the checking build (meson setup -Dcheck=true): what the code keeps
 * up to date step by step is computed again from scratch at the places that
 * rely on it, and an assertion fails where the two differ. Other builds compile
 * the same lines and leave them out. */
#ifndef BPERC_BASE_CHECK_H
#define BPERC_BASE_CHECK_H

#include <assert.h>

#if defined(BPERC_CHECK)
#if defined(NDEBUG)
#error "a checking build needs assert: -Db_ndebug=false"
#endif
enum { BPERC_I_CHECKING = 1 };
#else
enum { BPERC_I_CHECKING = 0 };
#endif

/* For conditions that take longer to find out than the code they check; others
 * are plain asserts. */
#define BPERC_I_CHECK(condition)                                               \
  do {                                                                         \
    if (BPERC_I_CHECKING)                                                      \
      assert(condition);                                                       \
  } while (0)

#endif
