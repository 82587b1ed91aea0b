// A set of the processors (cores, or hardware threads) of one host, by their
// numbers in the kernel.
#ifndef POPRT_MODEL_CPU_SET_H_
#define POPRT_MODEL_CPU_SET_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace poprt {

struct CpuSet {
  // Bit c % 64 of word c / 64 is processor c.  The last word is not 0, so that
  // equal sets have equal words.
  std::vector<uint64_t> words;

  // REQUIRES: 0 <= cpu < kMost.
  void add(int cpu);
  void add(const CpuSet& other);
  int64_t size() const;
  bool has(int64_t cpu) const;
  // The smallest number; -1 if there is none.
  int64_t first() const;
  // Whether they have a processor in common.
  bool meets(const CpuSet& other) const;
  // Those that are not in `other`.
  CpuSet without(const CpuSet& other) const;
  // Calls visit(int64_t cpu) for each, smallest first.
  template <class Visit>
  void for_each(Visit visit) const {
    for (size_t i = 0; i < words.size(); ++i) {
      for (uint64_t rest = words[i]; rest != 0; rest &= rest - 1) {
        visit(static_cast<int64_t>(64 * i) + std::countr_zero(rest));
      }
    }
  }
  bool operator==(const CpuSet&) const = default;

  static constexpr int kMost = 1 << 16;
};

// "0-3,8", as the kernel writes it; "" for none.
std::string cpu_list(const CpuSet& cpus);
// The set of such a text; false for any other text.
bool parse_cpu_set(std::string_view text, CpuSet* cpus);

}  // namespace poprt

#endif  // POPRT_MODEL_CPU_SET_H_
