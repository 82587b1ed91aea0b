// What a program does first that the library starts in a process of its own.
#ifndef POPRT_CODE_PLACES_HELPER_START_H_
#define POPRT_CODE_PLACES_HELPER_START_H_

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace poprt {

inline void begin_as_helper() {
  // The library starts us with all signals blocked.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  // The kernel shall kill this process first when memory is short, not the
  // user's program.  A crash leaves no core file.
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file >= 0) {
    [[maybe_unused]] const ssize_t written = write(file, "1000", 4);
    close(file);
  }
  prctl(PR_SET_DUMPABLE, 0);
}

}  // namespace poprt

#endif  // POPRT_CODE_PLACES_HELPER_START_H_
