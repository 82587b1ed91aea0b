// The time in tests of the layers: what the calling thread of the test says.
#ifndef TESTS_LAYER_FAKE_TIME_H_
#define TESTS_LAYER_FAKE_TIME_H_

#include <cstdint>

namespace poprt {

extern thread_local constinit int64_t t_fake_now_ns;

}  // namespace poprt

#endif  // TESTS_LAYER_FAKE_TIME_H_
