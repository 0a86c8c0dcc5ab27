/* Prints bounds of this machine for tools/bench-versions: ns to read a byte of
 * a block of each of the given sizes, then ns to count the ones of a pair of
 * words. */
#include "bounds.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  for (int k = 1; k < argc; k++)
    printf("%.6g\n", bounds_read(strtoul(argv[k], NULL, 10)));
  printf("%.6g\n", bounds_popcount());
  return 0;
}
