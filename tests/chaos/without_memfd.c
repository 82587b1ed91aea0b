/* Preloaded beside the library: denies it the memory that the processes of a
 * node share for their clocks, so that clocks travel by message. With
 * MEMFD_WITHOUT=odd only on ranks of odd number, so that one run uses both
 * ways. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_without(void) {
  const char* const which = getenv("MEMFD_WITHOUT");
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank == NULL) rank = getenv("PMI_RANK");
  return which == NULL || strcmp(which, "odd") != 0 || rank == NULL ||
         atoi(rank) % 2 != 0;
}

int memfd_create(const char* name, unsigned int flags);

int memfd_create(const char* name, unsigned int flags) {
  if (!is_without()) return (int)syscall(SYS_memfd_create, name, flags);
  errno = ENOSYS;
  return -1;
}
