/* All threads of a team call exit() at once. */
#include <stdio.h>
#include <stdlib.h>

#include "poprt.h"

int main(void) {
  printf("output\n");
  pop_region_start("solve");
#pragma omp parallel
  {
#pragma omp barrier
    exit(3);
  }
}
