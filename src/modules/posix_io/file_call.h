// One call of POSIX I/O: its time, its bytes.
#ifndef POPRT_MODULES_POSIX_IO_FILE_CALL_H_
#define POPRT_MODULES_POSIX_IO_FILE_CALL_H_

#include <cerrno>
#include <cstdint>

#include "measure/events.h"
#include "measure/file_systems.h"
#include "model/quantities.h"
#include "modules/posix_io/descriptors.h"

namespace poprt::modules::posix_io {

extern constinit FileSystemSums g_file_systems;

// The calling thread, if it is in useful code of the program: not in MPI, not
// in the OpenMP runtime, not in a signal handler that has interrupted an event.
// Nor if it is nobody's core, as the helpers that execute `target nowait`: no
// totals have its amounts.
inline Thread* working_thread() {
  Thread* const thread = measured_thread();
  return thread != nullptr && thread->state() == State::kUseful &&
                 thread->member() && !thread->in_event()
             ? thread
             : nullptr;
}

// From its construction on, until end().  Holds nothing: a call that is left by
// siglongjmp() or by the thread's cancellation does not count.
class FileCall {
 public:
  // REQUIRES: working_thread() gave the thread.  `place` is that of the file
  // system, see file_system_of().
  FileCall(Thread& thread, int place) : thread_(thread), place_(place) {
    const int saved = errno;
    const int64_t begin_ns = now_ns();
    counted_ns_ = thread.begin_part(kPosixIo, begin_ns);
    from_ns_ = now_ns();
    if (Turns& turns = thread.cost.file_calls.turns; turns.take()) {
      turns.next(begin_ns);
      own_ns_ = from_ns_ - begin_ns;
    }
    errno = saved;
  }
  FileCall(const FileCall&) = delete;
  FileCall& operator=(const FileCall&) = delete;

  // `moved` is what the bytes count as; null if the call moves none.  A long
  // call on a `descriptor` that is no file any more does not count.
  void end(const Quantity* moved = nullptr, int64_t bytes = 0,
           int descriptor = -1) {
    const int64_t to_ns = now_ns();
    if (descriptor >= 0 && to_ns - from_ns_ >= kLongNs) {
      const int place = present_file_system_of(descriptor);
      if (place == kNotAFile) return;
      place_ = place;
    }
    const int saved = errno;
    const int64_t ns = thread_.end_part(kPosixIo, from_ns_, to_ns, counted_ns_);
    thread_.add_amount(kPosixIoCalls, 1);
    if (moved != nullptr && bytes > 0) thread_.add_amount(*moved, bytes);
    g_file_systems.add_call(place_, ns);
    if (moved != nullptr) {
      g_file_systems.add_bytes(place_, moved == &kPosixIoRead ? bytes : 0,
                               moved == &kPosixIoWritten ? bytes : 0);
    }
    if (own_ns_ >= 0) {
      thread_.cost.file_calls.samples.add(own_ns_ + now_ns() - to_ns);
    }
    errno = saved;
  }
  // Of a call that has made a descriptor.
  void end_at(int place) {
    place_ = place;
    end();
  }

 private:
  // To ask the kernel again takes a fiftieth of it.
  static constexpr int64_t kLongNs = 10'000;

  Thread& thread_;
  int place_;
  int64_t counted_ns_;
  int64_t from_ns_;
  // What its beginning took; below 0 if that is not timed.
  int64_t own_ns_ = -1;
};

// A call on an open file: a descriptor, or a stream.  `bytes` tells from the
// result how many bytes of `moved` there were.
template <class File, class Call, class Bytes>
auto moving(File file, const Quantity* moved, Call call, Bytes bytes) {
  Thread* const thread = working_thread();
  if (thread == nullptr) return call();
  const int descriptor = descriptor_of(file);
  const int place = file_system_of(descriptor);
  if (place == kNotAFile) return call();
  FileCall measured(*thread, place);
  const auto result = call();
  measured.end(moved, bytes(result), descriptor);
  return result;
}

// The result is the number of bytes, or negative.
inline int64_t number(int64_t bytes) { return bytes; }

template <class File, class Call, class Bytes = decltype(number)*>
auto reading(File file, Call call, Bytes bytes = number) {
  return moving(file, &kPosixIoRead, call, bytes);
}
template <class File, class Call, class Bytes = decltype(number)*>
auto writing(File file, Call call, Bytes bytes = number) {
  return moving(file, &kPosixIoWritten, call, bytes);
}
template <class File, class Call>
auto on(File file, Call call) {
  return moving(file, nullptr, call, [](auto) { return int64_t{0}; });
}

// A call that closes it, and may be left before it returns.
template <class File, class Call>
auto closing(File file, Call call) {
  const int descriptor = descriptor_of(file);
  forget(descriptor);
  Thread* const thread = working_thread();
  const int place = thread == nullptr ? kNotAFile : file_system_of(descriptor);
  forget(descriptor);
  if (place == kNotAFile) return call();
  FileCall measured(*thread, place);
  const auto result = call();
  // Another thread may have asked before it was closed.
  forget(descriptor);
  measured.end();
  return result;
}

// A call that makes a descriptor or a stream.  One that fails has looked for a
// file, too.
template <class Call>
auto opening(Call call) {
  Thread* const thread = working_thread();
  if (thread == nullptr) {
    const auto file = call();
    forget(descriptor_of(file));
    return file;
  }
  FileCall measured(*thread, kNoFileSystem);
  const auto file = call();
  forget(descriptor_of(file));
  if (is_none(file)) {
    measured.end();
  } else if (const int place = file_system_of(descriptor_of(file));
             place != kNotAFile) {
    measured.end_at(place);
  }
  return file;
}

}  // namespace poprt::modules::posix_io

#endif  // POPRT_MODULES_POSIX_IO_FILE_CALL_H_
