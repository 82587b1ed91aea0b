// The loader's list of objects: which of them were there before, so that what
// is known of them still holds.
#ifndef POPRT_BASE_LOADED_LIST_H_
#define POPRT_BASE_LOADED_LIST_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace poprt {

// Where an object is loaded.  Another one may be there later.
struct LoadedAt {
  uintptr_t base = 0;
  const void* dynamic = nullptr;  // its dynamic section
  friend bool operator==(const LoadedAt&, const LoadedAt&) = default;
};

inline constexpr size_t kNewObject = ~size_t{0};

// For each object of the list `now` its number in the list `before`, or
// kNewObject.  One that may be another object at the same place counts as new.
// `unloaded`: at least as many as were unloaded in between.
std::vector<size_t> numbers_before(const std::vector<LoadedAt>& before,
                                   const std::vector<LoadedAt>& now,
                                   size_t unloaded);

// What is known of the objects of the list before becomes what is known of
// those of the list now: of new ones, nothing.
template <class What>
void take_along(const std::vector<size_t>& numbers, std::vector<What>* known) {
  std::vector<What> now(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != kNewObject) now[i] = std::move((*known)[numbers[i]]);
  }
  known->swap(now);
}

}  // namespace poprt

#endif  // POPRT_BASE_LOADED_LIST_H_
