#include "model/construct_kind.h"

#include <iterator>

#include "model/totals.h"

namespace poprt {
namespace {

constexpr const char* kNames[] = {
    "parallel",  "parallel end", "barrier",      "implicit barrier",
    "loop",      "loop static",  "loop dynamic", "loop guided",
    "sections",  "single",       "workshare",    "distribute",
    "taskloop",  "task",         "taskwait",     "taskgroup",
    "critical",  "atomic",       "ordered",      "lock",
    "nest lock", "reduction"};
static_assert(std::size(kNames) == kSiteKinds);

// From the top: 1 + the kind, the mark, the offset.
constexpr int kOffsetBits = 36;
constexpr int kMarkBits = 23;
constexpr int kKindBits = 64 - kOffsetBits - kMarkBits;
static_assert(kSiteKinds < 1 << kKindBits);

constexpr uint64_t bits(uint64_t word, int from, int count) {
  return (word >> from) & ((uint64_t{1} << count) - 1);
}

}  // namespace

const char* name_of(SiteKind kind) { return kNames[static_cast<int>(kind)]; }

uint32_t mark_of_module(const std::string& module) {
  return static_cast<uint32_t>(
      bits(text_hash(module.data(), module.size()), 0, kMarkBits));
}

uint64_t construct_key(SiteKind kind, const std::string& module,
                       uint64_t offset) {
  if (module.empty() || offset >> kOffsetBits != 0) return 0;
  const uint64_t number = static_cast<uint64_t>(kind) + 1;
  return (number << kMarkBits | mark_of_module(module)) << kOffsetBits | offset;
}

ConstructKey construct_of_key(uint64_t key) {
  const uint64_t number = bits(key, kOffsetBits + kMarkBits, kKindBits);
  if (number == 0 || number > kSiteKinds) return {};
  return {kNames[number - 1],
          static_cast<uint32_t>(bits(key, kOffsetBits, kMarkBits)),
          bits(key, 0, kOffsetBits)};
}

}  // namespace poprt
