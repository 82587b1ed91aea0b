/* A library whose slots the loader has made read-only (CMakeLists.txt). */
#include <pthread.h>
#include <unistd.h>

int poprt_closed_tables(pthread_mutex_t* mutex, int file) {
  char byte;
  return pthread_mutex_lock(mutex) + (int)read(file, &byte, 1);
}
