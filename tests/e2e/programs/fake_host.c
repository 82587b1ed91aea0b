// Preloaded: files of /sys/devices/system that are below the folder $FAKE_HOST,
// too, are read there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;
  va_end(list);
  int (*const next)(const char*, int, ...) =
      (int (*)(const char*, int, ...))dlsym(RTLD_NEXT, "open");
  const char* const folder = getenv("FAKE_HOST");
  char own[4096];
  if (folder != NULL && strncmp(path, "/sys/devices/system/", 20) == 0) {
    snprintf(own, sizeof own, "%s%s", folder, path);
    if (access(own, R_OK) == 0) path = own;
  }
  return next(path, flags, mode);
}
