// Locks that only programs with several threads in MPI need.
//
// A plain std::mutex is enough for what only measured calls use, for a moment:
// MPI calls of a handler that interrupts such a call pass the tool by
// (CallScope), and the end of the process takes none of them.
#ifndef POPRT_WRAPPERS_MAYBE_LOCK_H_
#define POPRT_WRAPPERS_MAYBE_LOCK_H_

#include <mutex>
#include <optional>
#include <type_traits>

#include "base/mutex.h"
#include "wrappers/state.h"

namespace poprt::mpi {

// Holds the lock during its lifetime, if the program asked for
// MPI_THREAD_MULTIPLE.
template <class AnyMutex>
class [[nodiscard]] MaybeLock {
 public:
  explicit MaybeLock(AnyMutex& mutex) {
    if (job().multiple) lock_.emplace(mutex);
  }
  MaybeLock(const MaybeLock&) = delete;
  MaybeLock& operator=(const MaybeLock&) = delete;

  // False: there may be several threads, and the lock could not be had.
  bool held() const requires std::is_same_v<AnyMutex, Mutex> {
    return !lock_ || lock_->held();
  }

 private:
  using Lock = std::conditional_t<std::is_same_v<AnyMutex, Mutex>, MutexLock,
                                  std::lock_guard<std::mutex>>;

  std::optional<Lock> lock_;
};

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_MAYBE_LOCK_H_
