#include "model/topology_text.h"

#include <gtest/gtest.h>

#include <string>

namespace poprt {
namespace {

constexpr char kHost[] =
    "model\tFast CPU\n"
    "cpus\t0-7\n"
    "core\t1,5\ncore\t0,4\ncore\t2,6\ncore\t3,7\n"
    "socket\t2-3,6-7\nsocket\t0-1,4-5\n"
    "memory\t0-7\nmemory\t0-1,4-5\nmemory\t2-3,6-7\nmemory\t2-3,6-7\n"
    "what a newer program says\t0\n"
    "end\n";

TEST(ParsedTopology, IsSorted) {
  const Topology topology = parse_topology(kHost);
  EXPECT_EQ("Fast CPU", topology.cpu_model);
  EXPECT_EQ("0-7", cpu_list(topology.cpus));
  EXPECT_EQ("0,4 1,5 2,6 3,7", cpu_lists(topology.cores));
  EXPECT_EQ("0-1,4-5 2-3,6-7", cpu_lists(topology.sockets));
  EXPECT_EQ(topology_id(topology), topology.id);
}

TEST(ParsedTopology, HasNumaNodesOfTheirOwnProcessors) {
  EXPECT_EQ("0-1,4-5 2-3,6-7", cpu_lists(parse_topology(kHost).numa_nodes));
}

TEST(ParsedTopology, IsNotKnownFromAnotherText) {
  const std::string whole = kHost;
  for (size_t size = 0; size + 4 < whole.size(); ++size) {
    EXPECT_EQ("", parse_topology(whole.substr(0, size)).id) << size;
  }
  EXPECT_EQ("", parse_topology("cpus\t0-\nend\n").id);
  EXPECT_EQ("", parse_topology("core\t0\nend\n").id);
}

}  // namespace
}  // namespace poprt
