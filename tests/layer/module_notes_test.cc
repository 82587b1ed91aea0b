// What modules note when they cannot measure all that was asked for.  Each case
// in a process of its own, because a module starts once.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "layer/child_case.h"
#include "modules/posix_io/posix_io.h"
#include "modules/threads/threads.h"
#include "noted.h"

extern "C" int poprt_closed_tables(pthread_mutex_t* mutex, int file);

static bool g_refuses = false;

// In place of the C library's: a system may not let a program write to pages
// that were read-only.
extern "C" int mprotect(void* memory, size_t bytes, int rights) noexcept {
  if (g_refuses) return errno = EACCES, -1;
  return static_cast<int>(syscall(SYS_mprotect, memory, bytes, rights));
}

namespace poprt::modules {
namespace {

std::vector<std::string> notes_of(void (*start)(const Options&, Started*),
                                  bool refuses) {
  Options options;
  options.all_threads = options.posix_io = true;
  Started started;
  g_refuses = refuses;
  start(options, &started);
  g_refuses = false;
  return started.notes;
}

// So that the library is there.
TEST(ModuleNotes, TheLibraryWithClosedTablesIsLoaded) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  EXPECT_GT(0, poprt_closed_tables(&mutex, -1));
}

TEST(ModuleNotes, TablesThatStayClosed) {
  EXPECT_TRUE(test::is_right_in_child([] {
    EXPECT_NOTED("threads_of_libraries", notes_of(threads::start, true));
    EXPECT_NOTED("io_of_libraries", notes_of(posix_io::start, true));
  }));
  EXPECT_TRUE(test::is_right_in_child([] {
    EXPECT_NOT_NOTED("threads_of_libraries", notes_of(threads::start, false));
    EXPECT_NOT_NOTED("io_of_libraries", notes_of(posix_io::start, false));
  }));
}

TEST(ModuleNotes, ThreadsWhoseEndIsNotTold) {
  EXPECT_TRUE(test::is_right_in_child([] {
    std::vector<pthread_key_t> keys(1);
    while (pthread_key_create(&keys.back(), nullptr) == 0) keys.emplace_back();
    EXPECT_NOTED("threads_without_end", notes_of(threads::start, false));
    pthread_key_delete(keys.front());
    EXPECT_NOT_NOTED("threads_without_end", notes_of(threads::start, false));
  }));
}

}  // namespace
}  // namespace poprt::modules
