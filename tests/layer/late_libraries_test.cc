// Libraries that are opened and closed again and again take no memory of the
// modules that look for them.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <new>
#include <string>

#include "base/search_entries.h"
#include "measure/events.h"
#include "modules/posix_io/posix_io.h"
#include "modules/threads/entries.h"
#include "modules/threads/threads.h"
#include "unit/temporary_folder.h"

static int64_t g_pieces = 0;  // of memory, at present

void* operator new(size_t bytes) {
  ++g_pieces;
  if (void* const memory = std::malloc(bytes)) return memory;
  std::abort();
}
void operator delete(void* memory) noexcept {
  if (memory != nullptr) --g_pieces;
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept { operator delete(memory); }

namespace poprt::modules {
namespace {

void open_and_close(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(nullptr, library);
  EXPECT_TRUE(threads::reach_new_objects());
  reach_searched_objects();  // both modules
  dlclose(library);
}

TEST(LateLibraries, TakeMemoryTheFirstTimeOnly) {
  const test::TemporaryFolder folder;
  // By its name a part of MPI, whose threads are not the program's.
  const std::string part_of_mpi = folder.path() + "/mca_late.so";
  std::filesystem::copy_file(POPRT_LATE_PARENT, part_of_mpi);
  const auto use = [&] {
    open_and_close(POPRT_LATE_PARENT);
    open_and_close(part_of_mpi);
  };
  Options options;
  options.all_threads = options.posix_io = true;
  Started started;
  threads::start(options, &started);
  posix_io::start(options, &started);
  g_phase.store(Phase::kMeasuring);
  for (int i = 0; i < 4; ++i) use();
  const int64_t before = g_pieces;
  for (int i = 0; i < 100; ++i) use();
  EXPECT_EQ(before, g_pieces);
  g_phase.store(Phase::kFinished);
}

}  // namespace
}  // namespace poprt::modules
