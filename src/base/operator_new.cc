// Makes the C++ library's allocations in a preloaded library use memory.h.  The
// version script hides these operators from the program; the programs of the
// tests have their own.
#include <new>

#include "base/memory.h"
#include "base/optional_memory.h"

namespace {

void* take_or_run_out(size_t bytes, size_t alignment) {
  void* const memory = poprt::take_memory(bytes, alignment);
  if (memory == nullptr) poprt::run_out_of_memory();
  return memory;
}

constexpr size_t kUsual = 16;

}  // namespace

void* operator new(size_t bytes) { return take_or_run_out(bytes, kUsual); }
void* operator new[](size_t bytes) { return take_or_run_out(bytes, kUsual); }
void* operator new(size_t bytes, std::align_val_t alignment) {
  return take_or_run_out(bytes, static_cast<size_t>(alignment));
}
void* operator new[](size_t bytes, std::align_val_t alignment) {
  return take_or_run_out(bytes, static_cast<size_t>(alignment));
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return poprt::take_optional_memory(bytes, kUsual);
}
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept {
  return poprt::take_optional_memory(bytes, kUsual);
}

void* operator new(size_t bytes, std::align_val_t alignment,
                   const std::nothrow_t&) noexcept {
  return poprt::take_optional_memory(bytes, static_cast<size_t>(alignment));
}

void operator delete(void* memory) noexcept { poprt::release_memory(memory); }
void operator delete[](void* memory) noexcept { poprt::release_memory(memory); }
void operator delete(void* memory, size_t) noexcept {
  poprt::release_memory(memory);
}
void operator delete[](void* memory, size_t) noexcept {
  poprt::release_memory(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  poprt::release_memory(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  poprt::release_memory(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  poprt::release_memory(memory);
}
void operator delete[](void* memory, size_t, std::align_val_t) noexcept {
  poprt::release_memory(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  poprt::release_memory(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  poprt::release_memory(memory);
}
