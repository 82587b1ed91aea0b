#include "base/search_entries.h"

#include <atomic>

#include "base/jump.h"

// What programs find as dlsym() under a library for MPI, which calls
// reach_searched_objects(); null in others.
extern "C" [[gnu::weak, gnu::visibility("hidden")]] void* poprt_program_dlsym(
    void* scope, const char* name);

namespace poprt {
namespace {

// Filled in by EntrySlots.
using Search = void*(void*, const char*);
using VersionedSearch = void*(void*, const char*, const char*);
constinit Function<Search> real_dlsym;
constinit Function<VersionedSearch> real_dlvsym;

constinit std::atomic<void (*)()> g_reach[4] = {};

}  // namespace

void reach_searched_objects() {
  for (const auto& place : g_reach) {
    if (auto* const reach = place.load(std::memory_order_acquire)) reach();
  }
}

namespace {

POPRT_JUMPS void* my_dlsym(void* handle, const char* name) {
  if (poprt_program_dlsym != nullptr) {
    POPRT_JUMP poprt_program_dlsym(handle, name);
  }
  reach_searched_objects();
  auto* const call = reinterpret_cast<Search*>(real_dlsym.address);
  POPRT_JUMP call(handle, name);
}
POPRT_JUMPS void* my_dlvsym(void* handle, const char* name,
                            const char* version) {
  reach_searched_objects();
  auto* const call = reinterpret_cast<VersionedSearch*>(real_dlvsym.address);
  POPRT_JUMP call(handle, name, version);
}

}  // namespace

std::vector<Entry> search_entries() {
  return {entry("dlsym", my_dlsym, real_dlsym),
          entry("dlvsym", my_dlvsym, real_dlvsym)};
}

void before_searches(void (*reach_new_objects)()) {
  for (auto& place : g_reach) {
    void (*none)() = nullptr;
    if (place.compare_exchange_strong(none, reach_new_objects)) return;
  }
}

}  // namespace poprt
