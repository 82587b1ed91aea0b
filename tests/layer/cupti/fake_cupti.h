// A pretended libcupti with pretended devices behind it.  The test is the
// program and owns the clock: it says when a call begins and ends, and when the
// operation that the call launches will have run.
//
// Records are in buffers, in the order of launches.  A plain flush gives back
// the buffers of which all operations are over; a full one goes back when that
// is so and CUPTI's worker looks.  A forced flush gives back all, and the times
// of what still runs never come.
#ifndef POPRT_TESTS_LAYER_CUPTI_FAKE_CUPTI_H_
#define POPRT_TESTS_LAYER_CUPTI_FAKE_CUPTI_H_

#include <cstddef>
#include <cstdint>

#define FAKE_CUPTI __attribute__((visibility("default")))

namespace fake_cupti {

struct Settings {
  uint32_t version = 130001;
  int subscribe_result = 0;
  const char* other_tool = "";   // that the newer subscribe names
  int enable_result = 0;         // of the kinds of records
  bool takes_clock = true;       // the callback for time stamps
  bool walks_back = false;       // over the records of a buffer
  size_t kernel_bytes = 216;     // of CUPTI 13
  int64_t (*clock)() = nullptr;  // of the system; CUPTI's own without another
};

struct Counts {
  int subscribes = 0;
  int unsubscribes = 0;
  int flushes = 0;
  int forced_flushes = 0;
  int clocks = 0;   // registered
  int buffers = 0;  // asked for
  int enabled_kinds = 0;
  int clock_after_kinds = 0;
  int finalizes = 0;
};

FAKE_CUPTI Settings& settings();
FAKE_CUPTI const Counts& counts();

// A call of the program.
struct Call {
  const char* name = "cudaLaunchKernel_v7000";
  int domain = 2;        // the runtime
  uint32_t context = 1;  // 0: the thread has none; device = context - 1
  const char* symbol = nullptr;
  const void* arguments = nullptr;
  // Set by enter().
  uint64_t of_call = 0x5a5a5a5a;
  uint32_t correlation = 0;
  uint32_t id = 0;
};
FAKE_CUPTI void enter(Call* call);
FAKE_CUPTI void leave(Call* call, int result = 0);
// The stream or context is synchronised, in a call.
FAKE_CUPTI void synchronized();
FAKE_CUPTI void destroy_context(uint32_t context);

enum class Kind : uint32_t {
  kCopy = 1,
  kSet = 2,
  kKernel = 10,
  kPeerCopy = 22
};
struct Operation {
  Kind kind = Kind::kKernel;
  uint64_t begin = 0;  // in CUPTI's clock
  uint64_t end = 0;
  uint32_t device = 0;
  uint32_t context = 1;
  uint32_t correlation = 0;
  bool has_times = true;  // else they are zero, however late it is
};
// Begins a record of it, in the buffer of the calling thread.
FAKE_CUPTI void run(const Operation& operation);
// CUPTI drops that many records.
FAKE_CUPTI void drop(size_t records);
// CUPTI's worker, on the calling thread.
FAKE_CUPTI void work();

}  // namespace fake_cupti

#endif  // POPRT_TESTS_LAYER_CUPTI_FAKE_CUPTI_H_
