// Doacross loops: `ordered depend(source)` and `depend(sink: ...)`.
//
// An iteration may take less time than a time stamp, so most of them are no
// event.  A source marks its iteration in a word that other threads read, and
// is an event where it leaves clocks: for a thread that has announced in this
// word that it waits, in each iteration that takes long, and now and then.  A
// sink that finds the mark has not waited.  It is an event, with an edge, where
// there are clocks: the order is the program's.  So an edge is missing only to
// a short iteration that was not waited for.
//
// Thread-safe.  As in tasking.h, nothing here depends on OMPT, and each
// function with a time is an event of `thread`.
#ifndef POPRT_OPENMP_DOACROSS_H_
#define POPRT_OPENMP_DOACROSS_H_

#include <atomic>
#include <cstdint>

#include "openmp/tasking.h"

namespace poprt {

// An iteration among those of all loops that run.
class Iteration {
 public:
  explicit Iteration(uint64_t loop) : name_(loop), place_(loop) {}
  // Adds the index of the next inner loop, beginning with the outermost one.
  // The place is linear in the indices, so that neighbours in all directions
  // have different places.
  void add(uint64_t index) {
    name_ = (name_ + index) * 0x9E37'79B9'7F4A'7C15u;
    place_ = place_ * 40503 + index;
  }

  uint64_t name() const { return name_ | 1; }
  uint64_t place() const { return place_; }

 private:
  uint64_t name_;
  uint64_t place_;
};

// What is known of the iterations, by their places: the latest of those that
// have the same one.  Most of a word is the iteration's name.
enum IterationMark : uint32_t { kPassed, kLeftClocks, kAwaited };
inline constexpr uint64_t kIterationWords = 1 << 16;
extern std::atomic<uint32_t> g_iterations[kIterationWords];

inline std::atomic<uint32_t>& word_at(const Iteration& iteration) {
  return g_iterations[iteration.place() % kIterationWords];
}
// Never 0, which is the word of no iteration.
inline uint32_t word_of(const Iteration& iteration, IterationMark mark) {
  return (static_cast<uint32_t>(iteration.name() >> 32) & ~uint32_t{3}) | 4 |
         mark;
}

// The thread begins such a loop, of which iterations have `depth` indices.  Not
// an event.
void doacross_loop_begin(Thread& thread, uint32_t depth);
// Whether loops are heard of in this way: then all their iterations are.
extern std::atomic<bool> g_doacross_has_entries;
inline bool doacross_has_entries() {
  return g_doacross_has_entries.load(std::memory_order_relaxed);
}
inline Iteration iteration_of(const DoacrossLoop& loop,
                              const int64_t* indices) {
  Iteration iteration(loop.name);
  for (uint32_t i = 0; i < loop.depth; ++i) {
    iteration.add(static_cast<uint64_t>(indices[i]));
  }
  return iteration;
}

// The thread comes to depend(source) of the iteration.  True: that is an event,
// doacross_source(), and else nothing more.
inline bool doacross_passes(OmpThread& omp, const Iteration& iteration) {
  std::atomic<uint32_t>& word = word_at(iteration);
  if (word.load(std::memory_order_relaxed) == word_of(iteration, kAwaited) ||
      omp.sources.take()) [[unlikely]] {
    return true;
  }
  word.store(word_of(iteration, kPassed), std::memory_order_release);
  return false;
}
void doacross_source(Thread& thread, const Iteration& iteration,
                     int64_t now_ns);

// The thread comes to depend(sink) of the iteration.  kPassed: that is no
// event.  kLeftClocks: it is doacross_sink().  kAwaited: the thread waits,
// which it has to announce before, and doacross_sink() is the end of the wait.
inline IterationMark doacross_look(const OmpThread& omp,
                                   const Iteration& iteration) {
  const uint32_t word = word_at(iteration).load(std::memory_order_acquire);
  if (word == word_of(iteration, kPassed)) [[likely]]
    return kPassed;
  if (word != word_of(iteration, kLeftClocks)) return kAwaited;
  return omp.own_iteration == iteration.name() ? kPassed : kLeftClocks;
}
void doacross_announce(const Iteration& iteration);
// `before`: the thread's state before the wait, or the present one.
void doacross_sink(Thread& thread, const Iteration& iteration, State before,
                   int64_t now_ns);

// Where loops have no entries, each source and sink is an event, except a sink
// of the thread's own last iteration, on which it depends anyway: false.  A
// runtime may report a source after the threads that wait for it have gone on,
// so this waits a bounded time for that report.
bool doacross_settle(Thread& thread, const Iteration& iteration);

}  // namespace poprt

#endif  // POPRT_OPENMP_DOACROSS_H_
