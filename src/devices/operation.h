// What a device is told to do, and what it did.  Plain values.
#ifndef POPRT_DEVICES_OPERATION_H_
#define POPRT_DEVICES_OPERATION_H_

#include <cstdint>

namespace poprt {

enum class OperationKind : uint8_t {
  kKernel,
  kCopy,
  kSet,    // fills memory
  kGraph,  // of kernels and copies, as one operation
};

// What a device is busy with.  A device that is busy with several of these at a
// time counts as busy with the first.
enum class Busy : uint8_t { kKernels, kCopies, kGraphs };
inline constexpr int kBusyKinds = 3;

// A call by which the host hands an operation to a device.
struct Launch {
  // Tells this launch from all others of the device that are pending.
  uint64_t id = 0;
  // Operations of one stream are executed in the order of their launches.
  uint64_t stream = 0;
  // Not later than the operation's begin, in nanoseconds of the host's clock.
  int64_t time_ns = 0;
  // Records of the operations in a graph have the id of the graph's launch.  It
  // is pending until it is said to be over.
  bool has_many_records = false;
};

// What is known of an operation when it is over; this may be long after that,
// and in any order.
struct Operation {
  uint64_t launch = 0;  // its id
  OperationKind kind = OperationKind::kKernel;
  // The kernel moves data or waits for other processes: one that was launched
  // inside of MPI, or belongs to a library of collective calls.
  bool moves_data = false;
  // In nanoseconds of the host's clock.
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
};

// Whether the times may be true of an operation of which is heard at `now_ns`.
// Without times are those that have not ended, and those that tools' interfaces
// return with zeros or with stamps of no clock.
constexpr bool has_times(const Operation& operation, int64_t now_ns) {
  return operation.begin_ns > 0 && operation.begin_ns <= operation.end_ns &&
         operation.end_ns <= now_ns;
}

constexpr Busy busy_with(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::kKernel:
      return operation.moves_data ? Busy::kCopies : Busy::kKernels;
    case OperationKind::kGraph:
      return Busy::kGraphs;
    case OperationKind::kCopy:
    case OperationKind::kSet:
      break;
  }
  return Busy::kCopies;
}

}  // namespace poprt

#endif  // POPRT_DEVICES_OPERATION_H_
