// Preloaded: reading and writing regular files takes 60 ms.
#define _GNU_SOURCE
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void wait_for(int file) {
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return;
  const struct timespec time = {0, 60000000};
  nanosleep(&time, NULL);
}

ssize_t write(int file, const void* data, size_t size) {
  wait_for(file);
  return syscall(SYS_write, file, data, size);
}
ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
  wait_for(file);
  return syscall(SYS_pwrite64, file, data, size, at);
}
ssize_t pread(int file, void* data, size_t size, off_t at) {
  wait_for(file);
  return syscall(SYS_pread64, file, data, size, at);
}
