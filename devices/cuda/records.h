// Activity records of CUPTI: how an operation's times are read from one.
//
// The few members that are needed lie at the same places in the records of
// CUPTI 11 to 13, however much was added behind them, so no header of CUDA is
// needed.  How long a record is knows CUPTI alone, which also walks through a
// buffer of them.
#ifndef POPRT_DEVICES_CUDA_RECORDS_H_
#define POPRT_DEVICES_CUDA_RECORDS_H_

#include <cstdint>

#include "devices/operation.h"

namespace poprt::cuda {

// Kinds of records, by CUPTI's numbers.
enum class RecordKind : uint32_t {
  kCopy = 1,
  kSet = 2,
  kKernel = 10,    // of kernels that may run beside others
  kPeerCopy = 22,  // between two devices
  kGraph = 51,     // of a graph as one operation
};
// The kinds that are asked for.  Those of graphs would take the place of the
// records of the kernels and copies in them.
inline constexpr RecordKind kKindsAsked[] = {
    RecordKind::kKernel, RecordKind::kCopy, RecordKind::kPeerCopy,
    RecordKind::kSet};

// A record of an operation.  Values as CUPTI tells them: a device may be none,
// and an operation without times has zeros, or an end before its begin.
struct Record {
  OperationKind kind = OperationKind::kKernel;
  uint64_t begin = 0;  // in CUPTI's clock
  uint64_t end = 0;
  uint32_t device = 0;
  uint32_t context = 0;
  uint32_t correlation = 0;  // the id of the call that launched it
};

// False: it is of another kind.  `record` is the begin of a record, which need
// not be aligned.
bool read_record(const uint8_t* record, Record* read);

}  // namespace poprt::cuda

#endif  // POPRT_DEVICES_CUDA_RECORDS_H_
