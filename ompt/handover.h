// What the runtime orders, for a build that looks for data races.
#ifndef POPRT_OMPT_HANDOVER_H_
#define POPRT_OMPT_HANDOVER_H_

#include <omp-tools.h>

#ifdef __SANITIZE_THREAD__
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace poprt::ompt {

// Tasks and teams go from thread to thread by the runtime's doing: the callback
// on a data word that comes later sees what the earlier ones have written.
// ThreadSanitizer does not see how the runtime does that (it is not compiled
// for it), and is told here.  One at the start of each callback, for each word.
class Handover {
 public:
#ifdef __SANITIZE_THREAD__
  explicit Handover(ompt_data_t* word) : word_(word) {
    if (word_ != nullptr) __tsan_acquire(word_);
  }
  ~Handover() {
    if (word_ != nullptr) __tsan_release(word_);
  }
  Handover(const Handover&) = delete;
  Handover& operator=(const Handover&) = delete;

 private:
  ompt_data_t* const word_;
#else
  explicit Handover(const ompt_data_t*) {}
#endif
};

}  // namespace poprt::ompt

#endif  // POPRT_OMPT_HANDOVER_H_
