// MPI-IO: what a call counts as, and in which file system.
#ifndef POPRT_WRAPPERS_CALLS_IO_FILES_H_
#define POPRT_WRAPPERS_CALLS_IO_FILES_H_

#include <mpi.h>

#include <cstdint>

#include "measure/file_systems.h"
#include "model/quantities.h"
#include "wrappers/calls/scope.h"

namespace poprt::mpi {

// The place of the file's file system (file_systems.h); kNoFileSystem for files
// that were opened before measurement, and if very many are open.  Any thread.
int place_of(MPI_File file);
// Whether other processes have opened the file with this one.  Of a file that
// is not known: whether the job has any.
bool is_shared(MPI_File file);
// The file was opened under this name.  Returns its place.
int file_opened(MPI_File file, const char* name, bool shared);
// The handle will be no file, or another one.  Returns the place that it had.
int file_closes(MPI_File file);

// A call of MPI-IO.  To be made before its CallScope, so that it ends after it.
class IoCall {
 public:
  explicit IoCall(int place) : place_(place) {}
  ~IoCall() {
    if (thread_ != nullptr) end();
  }
  IoCall(const IoCall&) = delete;
  IoCall& operator=(const IoCall&) = delete;

  // The thread has entered MPI.
  void begin(Thread& thread);
  // What the call was asked to move, if it succeeded.
  void has_read(int64_t bytes);
  void has_written(int64_t bytes);
  void is_in(int place) { place_ = place; }

 private:
  void end();

  Thread* thread_ = nullptr;
  int place_;
  int64_t begin_ns_ = 0;
};

// `moved(io, thread)` adds what the call moved, and for whom it has waited, if
// it succeeded.
template <class Moved, class Call>
int io_call(int place, Moved moved, Call call) {
  IoCall io(place);  // ends after the scope
  const CallScope scope;
  if (scope.thread() == nullptr) return call();
  io.begin(scope.thread()->thread);
  const int result = call();
  if (result == MPI_SUCCESS) moved(io, *scope.thread());
  return result;
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_IO_FILES_H_
