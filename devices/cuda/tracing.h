// CUDA through CUPTI: calls of the program to CUDA become states of its
// threads, and what devices did comes as records, in buffers, some time later.
//
// CUPTI has one place for a tool in a process, so this starts only where the
// user asks for it, and gives way to a tool that is there already.  It is not
// left before the process ends: other threads may be in a callback.
//
// Invariants:
//  1. The outermost call of a thread counts: the runtime calls the driver.
//  2. In a callback nothing of CUDA is called, and nothing waits for a device:
//     the caller may hold the locks of CUDA's runtime.  One exception: before a
//     context is destroyed its records are asked for.
//  3. CUPTI is asked for records only if something was launched, and to give
//     back those of operations that still run only at the end of measurement:
//     these never get their times.
//  4. In the child of a fork() CUPTI is never called.
//
// All functions may be called by any thread.
#ifndef POPRT_DEVICES_CUDA_TRACING_H_
#define POPRT_DEVICES_CUDA_TRACING_H_

#include <cstdint>
#include <string>

#include "devices/cuda/cupti_library.h"
#include "devices/cuda/operation_sink.h"

namespace poprt::cuda {

struct TraceOptions {
  CuptiPlaces places;
  // CUDA_INJECTION64_PATH: a tool that CUDA will load, which wants CUPTI.
  std::string injected_tool;
  // Lets that much time pass.  Null: it sleeps.
  void (*pause)(int64_t ns) = nullptr;
};

struct TraceStart {
  enum class Outcome : uint8_t {
    kTracing,
    kOtherTool,  // `why` is its name, as far as it is known
    kNotThere,   // `why` is the reason
  };
  Outcome outcome = Outcome::kTracing;
  std::string why;
  std::string cupti;  // its version and path, if it was loaded
};

// Starts tracing, once: later calls return what the first one did.  `sink`
// lives as long as the process.
const TraceStart& start_tracing(const TraceOptions& options,
                                OperationSink& sink);
bool is_tracing();

// Hands over the operations of which CUPTI has told.  Does nothing if another
// thread does so just now.
void harvest();
// Asks CUPTI for the records of what is over, and hands these over.  Not in a
// callback, and not on the path of events: CUPTI may take its time.
void catch_up();
// At the end of measurement: hands over all operations that are over, waiting
// for those that are not for kEndPatienceNs at most.  Then CUPTI's place is
// free again.
inline constexpr int64_t kEndPatienceNs = 200'000'000;
void finish_tracing();

// What is not known of the operations.
struct TraceGaps {
  int64_t dropped = 0;     // records that CUPTI or this layer had no memory for
  int64_t unreadable = 0;  // buffers with something that is no record
  int64_t no_device = 0;   // of a device that is none, as of host memory
  int64_t clock_jumps = 0;
};
TraceGaps trace_gaps();

}  // namespace poprt::cuda

#endif  // POPRT_DEVICES_CUDA_TRACING_H_
