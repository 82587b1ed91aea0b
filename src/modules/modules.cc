#include "modules/modules.h"

#include "modules/calls/calls.h"
#include "modules/cores/core_use.h"
#include "modules/energy/node_energy.h"
#include "modules/papi/papi_counters.h"
#include "modules/posix_io/posix_io.h"
#include "modules/threads/threads.h"

namespace poprt::modules {
namespace {

// At the end they are asked in this order: energy first, because that of what
// the others do then is not the program's.
constexpr void (*kModules[])(const Options&, Started*) = {
    energy::start, calls::start,    cores::start,
    papi::start,   posix_io::start, threads::start};

}  // namespace

Started start(const Options& options) {
  Started started;
  for (const auto start_module : kModules) start_module(options, &started);
  return started;
}

bool has_unknown_threads() { return cores::has_unknown_threads(); }

void watch_threads(bool (*start_measurement)()) {
  threads::watch(start_measurement);
}

}  // namespace poprt::modules
