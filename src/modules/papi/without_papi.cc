// For a build on a machine without PAPI's header.
#include "model/noted.h"
#include "modules/papi/papi_counters.h"

namespace poprt::modules::papi {

void start(const Options& options, Started* started) {
  if (options.counters.empty()) return;
  started->notes.push_back(noted<"counters_not_built">());
}

}  // namespace poprt::modules::papi
