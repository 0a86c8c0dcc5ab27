/* What the page does without: HDF5; LAPACK, whose place GSL takes; qsort_r. */
#include "absent.h"

#include "lapacke.h"
#include "model/formats.h"

#include <assert.h>
#include <gsl/gsl_eigen.h>
#include <stdlib.h>

bperc_status bperc_i_hdf5_read(const char *file, const char *name,
                               const bperc_read_options *options,
                               bperc_instance **out, bperc_error *error) {
  (void)file, (void)options, (void)out;
  return bperc_error_set(error, BPERC_E_FORMAT,
                         "%s: HDF5 files are not read in the browser", name);
}

/* Eigenvectors of a symmetric matrix, values ascending. A call with room -1
 * asks how much workspace is needed. */
lapack_int LAPACKE_dsyevd_work(int layout, char job, char part, lapack_int n,
                               double *matrix, lapack_int stride,
                               double *values, double *work, lapack_int room,
                               lapack_int *more, lapack_int integers) {
  assert(layout == LAPACK_COL_MAJOR && job == 'V' && part == 'U');
  assert(n > 0 && stride == n);
  (void)integers;
  if (room == -1) {
    *work = (double)n * n;
    *more = 1;
    return 0;
  }
  size_t size = (size_t)n;
  gsl_eigen_symmv_workspace *space = gsl_eigen_symmv_alloc(size);
  if (!space)
    return 1;
  gsl_matrix_view in = gsl_matrix_view_array(matrix, size, size);
  gsl_matrix_view vectors = gsl_matrix_view_array(work, size, size);
  gsl_vector_view eigen = gsl_vector_view_array(values, size);
  gsl_eigen_symmv(&in.matrix, &eigen.vector, &vectors.matrix, space);
  gsl_eigen_symmv_free(space);
  gsl_eigen_symmv_sort(&eigen.vector, &vectors.matrix, GSL_EIGEN_SORT_VAL_ASC);
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j < size; j++)
      matrix[j * size + i] = work[i * size + j];
  return 0;
}

static bperc_web_compare *compare;
static void *compared;

static int both(const void *a, const void *b) {
  return compare(a, b, compared);
}

/* There is one thread, and no comparison sorts. */
void qsort_r(void *items, size_t count, size_t size, bperc_web_compare *order,
             void *context) {
  compare = order;
  compared = context;
  qsort(items, count, size, both);
}
