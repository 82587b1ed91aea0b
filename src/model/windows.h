// Windows: the parts of a run of which all metrics are kept, one after the
// other (POPRT_WINDOWS).
//
// A run has any number of *steps*: stretches of a given time, or of a given
// number of visits of a region. Of each there is a window, until kKeptWindows
// are full. Then neighbours become one, and from there on a window is twice as
// many steps. So how many steps a window has follows from the number of its
// first step alone, and all processes agree on it without a word.
#ifndef POPRT_MODEL_WINDOWS_H_
#define POPRT_MODEL_WINDOWS_H_

#include <bit>
#include <cstdint>
#include <string>

namespace poprt {

// What a step is.
struct WindowSpec {
  std::string region;     // whose visits it is; empty for a time
  int64_t visits = 0;     // how many
  int64_t length_ns = 0;  // or how long

  bool on() const { return visits > 0 || length_ns > 0; }
  bool operator==(const WindowSpec&) const = default;
};

// How many windows a process keeps. A power of two.
inline constexpr int kKeptWindows = 64;

// A window that begins with this step, or has it, has 2^level steps. From 0.
constexpr int window_level(int64_t step) {
  constexpr int kBits = std::bit_width(unsigned{kKeptWindows}) - 1;
  return step < kKeptWindows
             ? 0
             : static_cast<int>(std::bit_width(static_cast<uint64_t>(step))) -
                   kBits;
}

// The first step of the window that has this step, and the one after its last.
constexpr int64_t window_begin(int64_t step) {
  const int level = window_level(step);
  return step >> level << level;
}
constexpr int64_t window_end(int64_t step) {
  return window_begin(step) + (int64_t{1} << window_level(step));
}

// How many windows of their first length were begun before this one.
constexpr int64_t window_ordinal(int64_t step) {
  const int level = window_level(step);
  return kKeptWindows / 2 * level + (step >> level);
}

// The first step of that window.
constexpr int64_t step_of_ordinal(int64_t ordinal) {
  constexpr int64_t kHalf = kKeptWindows / 2;
  const int64_t level = ordinal < kKeptWindows ? 0 : ordinal / kHalf - 1;
  return (ordinal - kHalf * level) << level;
}

// Whether the window with this number, of those with 2^level steps, was
// measured in parts.
constexpr bool is_merged_window(int level, int64_t index) {
  return level > 0 && index < kKeptWindows / 2;
}

// The key of a window in the totals: those of more steps are behind those of
// less.
constexpr uint64_t window_key(int level, int64_t index) {
  return static_cast<uint64_t>(level) << 32 | static_cast<uint64_t>(index);
}
constexpr int level_of_window(uint64_t key) {
  return static_cast<int>(key >> 32);
}
constexpr int64_t index_of_window(uint64_t key) {
  return static_cast<int64_t>(key & 0xFFFF'FFFF);
}

struct JobTotals;

// "window 3" for index 2.
std::string window_name(int64_t index);

// Processes that ended earlier than others may have windows of fewer steps:
// merges them, so that all are of one level.
void merge_window_levels(JobTotals* job);

}  // namespace poprt

#endif  // POPRT_MODEL_WINDOWS_H_
