#include "session/unseen_openmp.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/image.h"
#include "base/imports.h"
#include "base/kept_environment.h"
#include "base/kernel_text.h"
#include "base/libomp_search.h"
#include "code_places/linked_functions.h"
#include "document/shell_word.h"
#include "measure/cpu_clock.h"
#include "model/noted.h"
#include "modules/modules.h"

namespace poprt {
namespace {

#ifdef POPRT_WITHOUT_OMPT
constexpr bool kIsTold = false;
#else
constexpr bool kIsTold = true;
#endif

// A program may use several.
std::array<std::atomic<const void*>, 4> g_telling = {};

// What makes a library a runtime: each has the first, and one of the others
// for what a compiler calls.
constexpr const char* kEntries[] = {"omp_get_thread_num", "GOMP_parallel",
                                    "__kmpc_fork_call"};

struct Runtime {
  std::string path;
  const void* entries[std::size(kEntries)] = {};  // null: it has none
  bool has_tools = false;
  bool is_program = false;

  const void* any_entry() const {
    return *std::ranges::find_if(
        entries, [](const void* entry) { return entry != nullptr; });
  }
  // Then LLVM's can take its place.
  bool is_gccs() const {
    return entries[1] != nullptr && entries[2] == nullptr && !is_program;
  }
};

// All that are loaded and are one, whatever their names: Python packages bring
// libgomp-a34b3233.so.1.0.0, and the program itself is one that is linked with
// libgomp.a and has its functions for others, too.
std::vector<Runtime> loaded_runtimes() {
  std::vector<Runtime> runtimes;
  dl_iterate_phdr(
      [](dl_phdr_info* image, size_t, void* result) {
        if (image->dlpi_name == nullptr) return 0;
        Runtime runtime;
        runtime.is_program = *image->dlpi_name == '\0';
        bool is_one = false;
        for (size_t i = 0; i < std::size(kEntries); ++i) {
          runtime.entries[i] = exported(*image, kEntries[i]);
          is_one |= runtime.entries[i] != nullptr;
        }
        if (!is_one) return 0;
        runtime.path = runtime.is_program ? own_executable() : image->dlpi_name;
        runtime.has_tools = exported(*image, "ompt_start_tool") != nullptr;
        static_cast<std::vector<Runtime>*>(result)->push_back(runtime);
        return 0;
      },
      &runtimes);
  return runtimes;
}

// The one that is linked into the program and has its functions for the program
// alone, so that only the program's file tells.  The path is empty if there
// is none.  A program may have omp_get_thread_num without a runtime: what a
// compiler calls is the proof.
Runtime linked_runtime() {
  uint64_t base = 0;
  dl_iterate_phdr(  // the first one is the program
      [](dl_phdr_info* image, size_t, void* result) {
        *static_cast<uint64_t*>(result) = image->dlpi_addr;
        return 1;
      },
      &base);
  constexpr const char* kNames[] = {kEntries[1], kEntries[2],
                                    "ompt_start_tool"};
  const std::vector<const void*> found =
      linked_functions({"/proc/self/exe", base}, kNames);
  Runtime runtime;
  if (found[0] == nullptr && found[1] == nullptr) return runtime;
  runtime.path = own_executable();
  runtime.entries[1] = found[0];
  runtime.entries[2] = found[1];
  runtime.has_tools = found[2] != nullptr;
  runtime.is_program = true;
  return runtime;
}

bool tells(const Runtime& runtime) {
  return std::ranges::any_of(g_telling, [&](const auto& telling) {
    return are_of_one_image(telling.load(), runtime.any_entry());
  });
}

// Whether the loader finds all its functions in another runtime first.
bool is_hidden(const Runtime& runtime, const std::vector<Runtime>& all) {
  for (size_t i = 0; i < std::size(kEntries); ++i) {
    if (runtime.entries[i] == nullptr) continue;
    const void* const first = dlsym(RTLD_DEFAULT, kEntries[i]);
    const bool is_in_other =
        std::ranges::any_of(all, [&](const Runtime& other) {
          return &other != &runtime &&
                 are_of_one_image(first, other.any_entry());
        });
    if (!is_in_other) return false;
  }
  return true;
}

bool is_disabled() {
  const char* const wish = kept_variable("OMP_TOOL");
  return wish != nullptr && std::string_view(wish) == "disabled";
}

// One that has an interface for tools and does not tell has not started yet, or
// tells another tool.
bool is_silent(const Runtime& runtime) {
  return !tells(runtime) && (!kIsTold || !runtime.has_tools || is_disabled());
}

std::string note_of(const Runtime& runtime) {
  return note_on({runtime.path, runtime.is_gccs(), runtime.has_tools}, kIsTold);
}

// The path of this library as the user has given it.
std::string own_path() {
  const std::string path =
      image_of(reinterpret_cast<const void*>(&own_path)).path;
  return path.empty() ? "libpoprt.so" : path;
}

}  // namespace

std::string note_on(const SilentRuntime& runtime, bool has_headers) {
  if (!has_headers) return noted<"openmp_no_headers">();
  const size_t name = runtime.path.rfind('/') + 1;
  if (runtime.is_gccs) {
    const std::string libomp = find_libomp({runtime.path.substr(0, name - 1)});
    return noted<"openmp_of_gcc">(
        shell_word(own_path() + ":" + (libomp.empty() ? "libomp.so" : libomp)));
  }
  const std::string file = runtime.path.substr(name);
  return runtime.has_tools ? noted<"openmp_no_tool">(file)
                           : noted<"openmp_silent">(file);
}

void openmp_tells(const void* in_runtime) {
  for (auto& telling : g_telling) {
    const void* none = nullptr;
    if (are_of_one_image(telling.load(), in_runtime) ||
        telling.compare_exchange_strong(none, in_runtime)) {
      return;
    }
  }
}

std::string unseen_openmp_note() {
  const std::vector<Runtime> all = loaded_runtimes();
  for (const Runtime& runtime : all) {
    if (is_silent(runtime) && !is_hidden(runtime, all)) return note_of(runtime);
  }
  return "";
}

std::string linked_openmp_note() {
  // The program's file stays what it is.  Never freed: this may be asked while
  // the process ends.
  static const Runtime& runtime = *new Runtime(linked_runtime());
  return !runtime.path.empty() && is_silent(runtime) ? note_of(runtime) : "";
}

bool has_had_threads() {
  constexpr int kThreads = 20;
  const std::string stat = kernel_text("/proc/self/stat");
  const char* const count = stat_field(stat, kThreads);
  return (count != nullptr && std::atoi(count) > 1) ||
         CpuClock::read_process() - CpuClock::read(gettid()) >=
             modules::kLeastThreadWorkNs;
}

}  // namespace poprt
