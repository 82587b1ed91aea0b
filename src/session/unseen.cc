#include "session/unseen.h"

#include <atomic>
#include <cmath>
#include <utility>

#include "devices/cuda/cuda.h"
#include "model/device_amounts.h"
#include "model/noted.h"
#include "model/quantities.h"
#include "model/thread_rows.h"
#include "modules/modules.h"
#include "session/device_runtimes.h"
#include "session/other_tool.h"
#include "session/settings.h"
#include "session/unseen_openmp.h"

namespace poprt {

namespace {

std::atomic<UnwrappedCalls> g_unwrapped_calls{nullptr};

// An OpenMP runtime that is only loaded, or that has one thread, hides nothing.
bool may_have_had_threads(const Unseen& unseen, const JobTotals& own) {
  const double cpu_ns = known_amount(own.resources, kUnknownThreadsCpu.name);
  return unseen.has_unknown_threads || std::isnan(cpu_ns) ||
         cpu_ns >= modules::kLeastThreadWorkNs;
}

// Marks what is not known.
void add_unseen(const Unseen& unseen, JobTotals* own) {
  std::vector<std::string>& notes = own->quality.notes;
  if (!unseen.openmp_note.empty() && may_have_had_threads(unseen, *own)) {
    own->has_unseen_openmp = true;
    if (!own->has_openmp) forget_sources(own);
    notes.push_back(unseen.openmp_note);
  }
  if (!own->has_openmp && !unseen.other_tool_note.empty()) {
    notes.push_back(unseen.other_tool_note);
  }
  own->unwrapped_calls = unseen.unwrapped_calls;
  std::string names;
  for (const std::string& name : unseen.device_runtimes) {
    // Its calls are measured by OpenMP's events.
    if (own->has_devices && name.starts_with("libomptarget.so")) continue;
    const bool is_cuda = name.starts_with("libcuda.so");
    if (is_cuda && unseen.cuda_is_measured) continue;
    if (is_cuda && !settings().options.cuda_devices) {
      notes.push_back(noted<"cuda_off">());
    }
    names += (names.empty() ? "" : ", ") + name;
  }
  set_amount(kDeviceProcesses.name, names.empty() ? 0 : 1, &own->resources);
  if (names.empty()) return;
  notes.push_back(noted<"accelerators">(names));
}

}  // namespace

void ask_for_unwrapped_calls(UnwrappedCalls calls) {
  g_unwrapped_calls.store(calls);
}

Unseen look_for_unseen(bool so_far) {
  auto* const calls = g_unwrapped_calls.load();
  const bool has_unknown_threads = modules::has_unknown_threads();
  std::string openmp_note = unseen_openmp_note();
  if (openmp_note.empty() && so_far && has_unknown_threads) {
    openmp_note = linked_openmp_note();
  }
  return {std::move(openmp_note),
          has_unknown_threads,
          other_tool_note(),
          device_runtimes(),
          cuda::is_measured(),
          calls == nullptr ? std::vector<UnwrappedCall>() : calls(so_far)};
}

void complete_own(const Unseen& unseen, int64_t rank, JobTotals* own) {
  add_unseen(unseen, own);
  set_rank(rank, own);
  if (settings().options.rows) {
    add_rows(rank, own);
  } else {
    own->places.clear();
  }
}

}  // namespace poprt
