#include "base/kept_environment.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstring>

namespace poprt {
namespace {

constexpr const char* kNone[] = {nullptr};

constinit std::atomic<const char* const*> g_kept{nullptr};

const char* const* own_environment() {
  return environ == nullptr ? kNone : environ;
}

bool is_same(const char* const* one, const char* const* other) {
  for (; *one != nullptr && *other != nullptr; ++one, ++other) {
    if (std::strcmp(*one, *other) != 0) return false;
  }
  return *one == *other;
}

}  // namespace

void keep_environment() {
  const char* const* const from = own_environment();
  const char* const* const before = g_kept.load();
  if (before != nullptr && is_same(before, from)) return;
  size_t count = 1;
  size_t bytes = 0;
  for (; from[count - 1] != nullptr; ++count) {
    bytes += std::strlen(from[count - 1]) + 1;
  }
  // In every process that the library is loaded into, so not from the heap,
  // which need not be ready yet.  What was kept before may be in use.
  const size_t table = count * sizeof(char*);
  void* const memory = mmap(nullptr, table + bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  auto* const kept = static_cast<const char**>(memory);
  char* text = static_cast<char*>(memory) + table;
  for (size_t i = 0; i + 1 < count; ++i) {
    const size_t length = std::strlen(from[i]) + 1;
    std::memcpy(text, from[i], length);
    kept[i] = text;
    text += length;
  }
  g_kept.store(kept, std::memory_order_release);
}

const char* const* kept_environment() {
  const char* const* const kept = g_kept.load(std::memory_order_acquire);
  return kept == nullptr ? own_environment() : kept;
}

const char* kept_variable(const char* name) {
  const size_t length = std::strlen(name);
  for (const char* const* each = kept_environment(); *each != nullptr; ++each) {
    if (std::strncmp(*each, name, length) == 0 && (*each)[length] == '=') {
      return *each + length + 1;
    }
  }
  return nullptr;
}

}  // namespace poprt
