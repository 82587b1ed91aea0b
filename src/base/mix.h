// A hash of 64 bits.
#ifndef POPRT_BASE_MIX_H_
#define POPRT_BASE_MIX_H_

#include <cstdint>

namespace poprt {

// Different for different values; each bit depends on all bits.
inline uint64_t mix(uint64_t value) {
  value = (value ^ (value >> 31)) * 0x7FB5D329728EA185u;
  value = (value ^ (value >> 27)) * 0x81DADEF4BC2DD44Du;
  return value ^ (value >> 33);
}

// Of two numbers, in this order.
inline uint64_t mix(uint64_t one, uint64_t other) {
  return mix(mix(one) + other);
}

}  // namespace poprt

#endif  // POPRT_BASE_MIX_H_
