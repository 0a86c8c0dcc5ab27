/* The one function of LAPACK that the library uses; absent.c. */
#ifndef LAPACKE_H
#define LAPACKE_H

typedef int lapack_int;
enum { LAPACK_COL_MAJOR = 102 };

lapack_int LAPACKE_dsyevd_work(int layout, char job, char part, lapack_int n,
                               double *matrix, lapack_int stride,
                               double *values, double *work, lapack_int room,
                               lapack_int *more, lapack_int integers);

#endif
