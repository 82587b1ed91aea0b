// Tells ThreadSanitizer in which order the OpenMP runtime calls the callbacks.
#ifndef POPRT_OMPT_HANDOVER_H_
#define POPRT_OMPT_HANDOVER_H_

#ifdef __SANITIZE_THREAD__
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace poprt::ompt {

// The OpenMP runtime moves tasks and teams from thread to thread: a later
// callback with the same data word sees what earlier ones have written.
// ThreadSanitizer cannot see how the runtime orders them, because the runtime
// is not instrumented.  Each callback makes one Handover for each of its data
// words.  The word of a parallel region lies elsewhere for its members than for
// the thread that begins it, so these make one of the team as well.
class Handover {
 public:
#ifdef __SANITIZE_THREAD__
  explicit Handover(void* word) : word_(word) {
    if (word_ != nullptr) __tsan_acquire(word_);
  }
  ~Handover() {
    if (word_ != nullptr) __tsan_release(word_);
  }
  Handover(const Handover&) = delete;
  Handover& operator=(const Handover&) = delete;

 private:
  void* const word_;
#else
  explicit Handover(const void*) {}
#endif
};

}  // namespace poprt::ompt

#endif  // POPRT_OMPT_HANDOVER_H_
