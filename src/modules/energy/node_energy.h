// The energy that the processors of this node took while the program was
// measured, where the kernel allows it to be read: at the start, at the end,
// and in between before a counter begins anew, if there are events then.
#ifndef POPRT_MODULES_ENERGY_NODE_ENERGY_H_
#define POPRT_MODULES_ENERGY_NODE_ENERGY_H_

#include <string>

#include "base/options.h"
#include "modules/modules.h"

namespace poprt::modules::energy {

// A note says why there is no energy only if the user has asked for it.
void start(const Options& options, Started* started);
// As start(); `folder` is that of read_packages().
void start_in(const std::string& folder, const Options& options,
              Started* started);

}  // namespace poprt::modules::energy

#endif  // POPRT_MODULES_ENERGY_NODE_ENERGY_H_
