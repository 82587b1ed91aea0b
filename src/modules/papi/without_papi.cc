// For a build on a machine without PAPI's header.
#include "modules/papi/papi_counters.h"

namespace poprt::modules::papi {

void start(const Options& options, Started* started) {
  if (options.counters.empty()) return;
  started->notes.push_back(
      "no counters: this poprt was built without PAPI (Debian: libpapi-dev)");
}

}  // namespace poprt::modules::papi
