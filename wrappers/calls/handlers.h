// What a wrapped call does besides the MPI call: one function template for each
// kind of call.  The generated entries (mpi_calls.txt) pass a lambda that makes
// the PMPI call; it takes the status to fill if there is one.
//
// The order is always: time stamp, send clocks (they travel before the
// program's message), the program's call, take clocks that have arrived, time
// stamp.  Traffic of the tool that may wait for other processes comes after the
// program's call, and only if that succeeded: a call that MPI refuses on one
// process concerns no other process.
#ifndef POPRT_WRAPPERS_CALLS_HANDLERS_H_
#define POPRT_WRAPPERS_CALLS_HANDLERS_H_

#include "wrappers/calls/collective_handlers.h"
#include "wrappers/calls/comm_handlers.h"
#include "wrappers/calls/completion_handlers.h"
#include "wrappers/calls/io_files.h"
#include "wrappers/calls/message_handlers.h"
#include "wrappers/calls/partitioned_handlers.h"
#include "wrappers/calls/request_handlers.h"
#include "wrappers/calls/spawn.h"
#include "wrappers/calls/window_handlers.h"

namespace poprt::mpi {

// A call that carries no clocks: only its time counts.
template <class Call>
int timed(Call call) {
  const CallScope scope;
  return call();
}

// A call that waits for processes of another world, whose clocks are not known.
template <class Call>
int with_strangers(Call call) {
  const CallScope scope;
  const int code = call();
  if (scope.thread() != nullptr && code == MPI_SUCCESS) {
    lose_partner(*scope.thread());
  }
  return code;
}

// The size of so many items; 0 if MPI does not know it.
inline int64_t bytes_of(MPI_Count count, MPI_Datatype type) {
  MPI_Count size = 0;
  int64_t bytes = 0;
  if (count <= 0 || pmpi().Type_size_x(type, &size) != MPI_SUCCESS ||
      size <= 0 || __builtin_mul_overflow(count, size, &bytes)) {
    return 0;
  }
  return bytes;
}

// A call that moves no data, or ends one that does.
template <class Call>
int io(MPI_File file, Call call) {
  return io_call(
      place_of(file), [](IoCall&, MpiThread&) {}, call);
}

// Calls that move data depend on no other process, also where they are
// collective.
template <class Call>
int io_read(MPI_File file, MPI_Count count, MPI_Datatype type, Call call) {
  return io_call(
      place_of(file),
      [=](IoCall& io, MpiThread&) { io.has_read(bytes_of(count, type)); },
      call);
}

template <class Call>
int io_write(MPI_File file, MPI_Count count, MPI_Datatype type, Call call) {
  return io_call(
      place_of(file),
      [=](IoCall& io, MpiThread&) { io.has_written(bytes_of(count, type)); },
      call);
}

// Collective calls that concern the file as a whole: they may wait for other
// processes, and their clocks do not travel with them.
template <class Call>
int io_meeting(MPI_File file, Call call) {
  return io_call(
      place_of(file),
      [=](IoCall&, MpiThread& thread) {
        if (is_shared(file)) lose_partner(thread);
      },
      call);
}

template <class Call>
int io_open(MPI_Comm comm, const char* name, const MPI_File* file, Call call) {
  return io_call(
      kNoFileSystem,
      [=](IoCall& io, MpiThread& thread) {
        const bool shared = has_others(comm);
        io.is_in(file_opened(*file, name, shared));
        if (shared) lose_partner(thread);
      },
      call);
}

template <class Call>
int io_close(const MPI_File* file, Call call) {
  // Before the call: another thread may be given the same handle directly after
  // it.
  const MPI_File handle = file == nullptr ? MPI_File{} : *file;
  const bool shared = is_shared(handle);
  return io_call(
      file_closes(handle),
      [=](IoCall&, MpiThread& thread) {
        if (shared) lose_partner(thread);
      },
      call);
}

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_CALLS_HANDLERS_H_
