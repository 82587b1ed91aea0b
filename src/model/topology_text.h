// What a host consists of, as the program says that asks hwloc.
#ifndef POPRT_MODEL_TOPOLOGY_TEXT_H_
#define POPRT_MODEL_TOPOLOGY_TEXT_H_

#include <string_view>

#include "model/topology.h"

namespace poprt {

// What poprt-topology writes: a line for each part of the host, a word for what
// it is, its processors and what else is known of it, with tabs between them;
// "end" in the last one.  Without id if it is no such text.
Topology parse_topology(std::string_view text);

}  // namespace poprt

#endif  // POPRT_MODEL_TOPOLOGY_TEXT_H_
