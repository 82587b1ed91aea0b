// Kinds of OpenMP constructs, and a number for a construct at a place in the
// program that is the same in every process of a job.
#ifndef POPRT_MODEL_CONSTRUCT_KIND_H_
#define POPRT_MODEL_CONSTRUCT_KIND_H_

#include <cstdint>
#include <string>

namespace poprt {

enum class SiteKind : uint8_t {
  kParallel,     // until the thread's part begins
  kParallelEnd,  // the barrier there
  kBarrier,
  kImplicitBarrier,  // of a construct that is not known
  // Worksharing constructs, with the barrier at their end.
  kLoop,  // of another schedule
  kLoopStatic,
  kLoopDynamic,
  kLoopGuided,
  kSections,
  kSingleConstruct,
  kWorkshare,
  kDistribute,
  // Tasks.
  kTaskloop,
  kTask,  // its creation
  kTaskwait,
  kTaskgroup,
  // Mutual exclusion.
  kCritical,
  kAtomic,
  kOrdered,
  kLock,
  kNestLock,
  kReduction,  // the combining of what threads have
};
inline constexpr int kSiteKinds = static_cast<int>(SiteKind::kReduction) + 1;
// As OpenMP calls it: "loop dynamic".  The same pointer each time.
const char* name_of(SiteKind kind);

// A construct's kind, a mark of the file that its code is in, and the address
// in that file, in one number that is not 0.  0: there is no file, or it is too
// large.  Two files may have the same mark, by chance.
uint64_t construct_key(SiteKind kind, const std::string& module,
                       uint64_t offset);
struct ConstructKey {
  const char* construct = nullptr;  // name_of() its kind; null: it is none
  uint32_t mark = 0;
  uint64_t offset = 0;
};
ConstructKey construct_of_key(uint64_t key);
uint32_t mark_of_module(const std::string& module);

}  // namespace poprt

#endif  // POPRT_MODEL_CONSTRUCT_KIND_H_
