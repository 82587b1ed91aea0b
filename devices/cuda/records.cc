#include "devices/cuda/records.h"

#include <cstddef>
#include <cstring>

namespace poprt::cuda {
namespace {

// Where the members of a record lie, in bytes from its begin.
struct Places {
  RecordKind record;
  OperationKind operation;
  size_t begin;
  size_t end;
  size_t device;
  size_t context;
  size_t correlation;
};

constexpr Places kPlaces[] = {
    {RecordKind::kKernel, OperationKind::kKernel, 16, 24, 40, 44, 92},
    {RecordKind::kCopy, OperationKind::kCopy, 16, 24, 32, 36, 44},
    {RecordKind::kPeerCopy, OperationKind::kCopy, 16, 24, 32, 36, 60},
    {RecordKind::kSet, OperationKind::kSet, 16, 24, 32, 36, 44},
    {RecordKind::kGraph, OperationKind::kGraph, 8, 16, 24, 32, 4},
};

template <class T>
T at(const uint8_t* record, size_t place) {
  T value;
  std::memcpy(&value, record + place, sizeof value);
  return value;
}

}  // namespace

bool read_record(const uint8_t* record, Record* read) {
  const auto kind = static_cast<RecordKind>(at<uint32_t>(record, 0));
  for (const Places& places : kPlaces) {
    if (places.record != kind) continue;
    read->kind = places.operation;
    read->begin = at<uint64_t>(record, places.begin);
    read->end = at<uint64_t>(record, places.end);
    read->device = at<uint32_t>(record, places.device);
    read->context = at<uint32_t>(record, places.context);
    read->correlation = at<uint32_t>(record, places.correlation);
    return true;
  }
  return false;
}

}  // namespace poprt::cuda
