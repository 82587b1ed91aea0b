// ompt_start_tool(): how an OpenMP runtime finds this tool, and for which
// events it gets callbacks.
//
// A runtime accepts one tool.  If the program has its own, linked or named by
// OMP_TOOL_LIBRARIES, OpenMP is left to that one.
//
// Events that cost much and that most programs do not need are off until the
// program needs them: waits of task groups, which come in each barrier too,
// until the first task group; mutual exclusion until the first `critical` or
// `ordered` construct.  An `atomic` for which the runtime takes a lock is not
// seen before that.
#include <dlfcn.h>
#include <omp-tools.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "measure/call_sites.h"
#include "measure/events.h"
#include "model/noted.h"
#include "ompt/callbacks.h"
#include "ompt/lock_calls.h"
#include "ompt/runtime_image.h"
#include "ompt/sited_callbacks.h"
#include "ompt/target_callbacks.h"
#include "ompt/taskwait_calls.h"
#include "session/lifecycle.h"

namespace poprt::ompt {
namespace {

const char* g_runtime_version = "";
ompt_set_callback_t g_set_callback = nullptr;
// Protects switching events on and off while the program runs.
constinit Mutex g_switch_mutex;
// The program has used `critical` or `ordered`, so the events of mutual
// exclusion are on.
std::atomic<bool> g_other_constructs{false};
// The program has used task groups, so the events of their waits are on.
std::atomic<bool> g_groups{false};

// The program has used `single`, so the events of work-sharing constructs are
// on.
std::atomic<bool> g_singles{false};

// Registers the callbacks.  A runtime that lacks some still gives a useful
// report, with a note that names what is missing.  Not inlined: its frame must
// not lie below the start of measurement.
[[gnu::noinline]] void set_callbacks(ompt_set_callback_t set_callback) {
  std::string missing;
  std::vector<std::vector<Registration>> all = {
      team_callbacks(), {single_callback(), masked_callback()},
      task_callbacks(), mutex_callbacks(),
      lock_callbacks(), {group_wait_callback()}};
  if (construct_sites_wanted()) {
    for (std::vector<Registration>& rows : all) tell_sites(&rows);
    all.push_back(work_callbacks());
  }
  for (const std::vector<Registration>& rows : all) {
    for (const Registration& row : rows) {
      // LLVM 19 breaks the heap if it reports dependences that did not pass
      // through taskwait_calls.cc.
      const bool wanted =
          row.event != ompt_callback_dependences || taskwait_comes_here();
      if (wanted && set_callback(row.event, row.function) == ompt_set_always) {
        continue;
      }
      missing += missing.empty() ? "" : ", ";
      missing += row.name;
    }
  }
  // A runtime without devices may lack these.
  for (const Registration& row : target_callbacks()) {
    set_callback(row.event, row.function);
  }
  if (!missing.empty()) {
    measured_process().note(noted<"openmp_events">(missing));
  }
}

// REQUIRES: g_switch_mutex is held, or the runtime is starting.
void set_callbacks_of(std::vector<Registration> rows, bool on) {
  if (g_set_callback == nullptr) return;
  if (construct_sites_wanted()) tell_sites(&rows);
  for (const Registration& row : rows) {
    g_set_callback(row.event, on ? row.function : nullptr);
  }
}

// Returns 0 to tell the runtime that there is no tool.
int initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  if (!start_with_openmp(g_runtime_version,
                         reinterpret_cast<const void*>(lookup))) {
    return 0;
  }
  const auto set_callback =
      reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  if (set_callback == nullptr) {
    measured_process().note(noted<"openmp_no_callbacks">());
    return 0;
  }
  set_runtime_image(reinterpret_cast<const void*>(lookup));
  g_set_callback = set_callback;
  set_callbacks(set_callback);
  note_targets();
  // The runtime has started again: the events of locks are on now.
  if (locks_come_here()) locks_have_entries();
  // It was on for a moment, so that what the runtime lacks is known.
  g_groups.store(false);
  set_callbacks_of({group_wait_callback()}, false);
  // All work-sharing constructs are told apart by their places.
  g_singles.store(construct_sites_wanted() || !singles_come_here());
  if (!g_singles.load()) set_callbacks_of({single_callback()}, false);
  return 1;
}

// The program may go on, perhaps with another runtime.
void finalize(ompt_data_t*) {
  openmp_ended(reinterpret_cast<const void*>(g_set_callback));
}

ompt_start_tool_result_t g_tool = {initialize, finalize, {0}};

using StartTool = ompt_start_tool_result_t*(unsigned, const char*);

std::string path_of(const void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 && info.dli_fname != nullptr
             ? info.dli_fname
             : "";
}

bool is_poprt(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  return path.starts_with("libpoprt");
}

// The first library in OMP_TOOL_LIBRARIES that is a tool, other than this one.
std::string named_tool() {
  const char* const list = std::getenv("OMP_TOOL_LIBRARIES");
  std::string_view rest = list == nullptr ? "" : list;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    const std::string path(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (path.empty() || is_poprt(path)) continue;
    // The runtime loads it next anyway.
    void* const library = dlopen(path.c_str(), RTLD_LAZY);
    if (library == nullptr) continue;
    if (dlsym(library, "ompt_start_tool") != nullptr) return path;
    dlclose(library);
  }
  return "";
}

// Starts the tool that the runtime would have found without this library, and
// returns it.  Null: none was found that way; if `*path` is not empty, the
// runtime will find one there itself.
ompt_start_tool_result_t* start_other_tool(StartTool* own, unsigned omp_version,
                                           const char* runtime_version,
                                           std::string* path) {
  // The runtime has loaded this library itself (OMP_TOOL_LIBRARIES), after it
  // had asked the others.
  if (dlsym(RTLD_DEFAULT, "ompt_start_tool") != reinterpret_cast<void*>(own)) {
    return nullptr;
  }
  void* const next = dlsym(RTLD_NEXT, "ompt_start_tool");
  if (next != nullptr && !is_poprt(path_of(next))) {
    ompt_start_tool_result_t* const tool =
        reinterpret_cast<StartTool*>(next)(omp_version, runtime_version);
    if (tool != nullptr) {
      *path = path_of(reinterpret_cast<const void*>(tool->initialize));
      return tool;
    }
  }
  *path = named_tool();
  return nullptr;
}

}  // namespace

bool wants_mutex_events() {
  return g_other_constructs.load(std::memory_order_relaxed);
}

void want_mutex_events() {
  const MutexLock guard(g_switch_mutex);
  if (!guard.held() || g_other_constructs.load()) return;
  set_callbacks_of(mutex_callbacks(), true);
  g_other_constructs.store(true);
}

void locks_have_entries() {
  const MutexLock guard(g_switch_mutex);
  if (guard.held() && !g_other_constructs.load()) {
    set_callbacks_of(mutex_callbacks(), false);
  }
}

void want_singles() {
  if (g_singles.load(std::memory_order_acquire)) return;
  const MutexLock guard(g_switch_mutex);
  if (!guard.held() || g_singles.load()) return;
  set_callbacks_of({single_callback()}, true);
  g_singles.store(true);
}

void want_group_waits() {
  if (g_groups.load(std::memory_order_acquire)) return;
  const MutexLock guard(g_switch_mutex);
  if (!guard.held() || g_groups.load()) return;
  set_callbacks_of({group_wait_callback()}, true);
  g_groups.store(true);
}

}  // namespace poprt::ompt

// Every OpenMP runtime calls this function when it starts.
extern "C" __attribute__((visibility("default"))) ompt_start_tool_result_t*
ompt_start_tool(unsigned omp_version, const char* runtime_version) {
  std::string other;
  ompt_start_tool_result_t* const tool = poprt::ompt::start_other_tool(
      &ompt_start_tool, omp_version, runtime_version, &other);
  if (!other.empty()) {
    poprt::give_way_to_tool(other);
    return tool;
  }
  if (runtime_version != nullptr) {
    poprt::ompt::g_runtime_version = runtime_version;
  }
  return &poprt::ompt::g_tool;
}
