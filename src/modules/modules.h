// The measuring modules: what is measured besides times and clocks, each in a
// folder of its own.  `cores` and `energy` always run, and read the kernel at
// the start and at the end.  All others are started only if the user asks for
// them; until then they load nothing and cost nothing.
#ifndef POPRT_MODULES_MODULES_H_
#define POPRT_MODULES_MODULES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/options.h"
#include "measure/counters.h"
#include "measure/process.h"

namespace poprt::modules {

// What a module has to offer when it has started.
struct Started {
  // These live as long as the process.
  CounterSource* counters = nullptr;
  std::vector<const TotalsPart*> parts;
  // What could not be had and why, one line each, for the report.
  std::vector<std::string> notes;
};

// Starts the modules that the options ask for.  To be called once, before the
// first event.
Started start(const Options& options);

// Less time on a core is that of threads of MPI and other libraries, which
// mostly sleep.
inline constexpr int64_t kLeastThreadWorkNs = 10'000'000;

// Whether threads live that are not measured and that MPI has not made when it
// started, or threads that are not measured have worked.  Reads a folder: not
// in a signal handler.
bool has_unknown_threads();

// Calls `start_measurement` when the program creates a thread.  To be called
// before start(), where the options ask for all threads.
void watch_threads(bool (*start_measurement)());

}  // namespace poprt::modules

#endif  // POPRT_MODULES_MODULES_H_
