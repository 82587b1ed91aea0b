#include "model/topology_text.h"

#include <gtest/gtest.h>

#include <string>

#include "model/totals.h"

namespace poprt {
namespace {

constexpr char kHost[] =
    "model\tFast CPU\n"
    "cpus\t0-7\n"
    "core\t1,5\ncore\t0,4\ncore\t2,6\ncore\t3,7\n"
    "socket\t2-3,6-7\nsocket\t0-1,4-5\n"
    "memory\t0-7\t4\t5000\tCXL-DRAM\nmemory\t0-1,4-5\t0\t100\t\n"
    "memory\t2-3,6-7\t3\t9\tHBM\nmemory\t2-3,6-7\t1\t100\tDRAM\n"
    "die\t0-1,4-5\ndie\t2-3,6-7\n"
    "cache\t0,4\t1\t32\ncache\t2-3,6-7\t3\t512\ncache\t0-1,4-5\t3\t512\n"
    "cache\t0-1,4-5\t2\t512\n"
    "kind\t2-3\t1\tBig\nkind\t0-1,4-7\t0\t\n"
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

TEST(ParsedTopology, HasAllMemory) {
  std::string text;
  for (const MemoryNode& each : parse_topology(kHost).memory) {
    text += std::to_string(each.node) + " " + each.kind + " " +
            std::to_string(each.bytes) + " " + cpu_list(each.cpus) + "; ";
  }
  EXPECT_EQ(
      "0  100 0-1,4-5; 1 DRAM 100 2-3,6-7; 3 HBM 9 2-3,6-7; "
      "4 CXL-DRAM 5000 0-7; ",
      text);
}

TEST(ParsedTopology, HasCachesThatCoresShareAndKindsThatDiffer) {
  Topology topology = parse_topology(kHost);
  ASSERT_EQ(2u, topology.caches.size());
  EXPECT_EQ(2, topology.caches[0].level);
  EXPECT_EQ(3, topology.caches[1].level);
  EXPECT_EQ(512, topology.caches[1].bytes);
  EXPECT_EQ("0-1,4-5 2-3,6-7", cpu_lists(topology.caches[1].shared));
  ASSERT_EQ(2u, topology.core_kinds.size());
  EXPECT_EQ("Big", topology.core_kinds[1].name);
  EXPECT_EQ("2-3", cpu_list(topology.core_kinds[1].cpus));
  EXPECT_TRUE(topology.dies.empty()) << "as many as sockets";
  topology =
      parse_topology("cpus\t0-1\nkind\t0-1\t0\tA\ndie\t0\ndie\t1\nend\n");
  EXPECT_TRUE(topology.core_kinds.empty());
  EXPECT_EQ("0 1", cpu_lists(topology.dies));
}

TEST(HostsOfOneKind, MayDifferInHowMuchMemoryTheyHave) {
  JobTotals jobs[2];
  for (int64_t i = 0; i < 2; ++i) {
    jobs[i].topologies = {parse_topology(kHost)};
    jobs[i].topologies[0].memory[1].bytes += i;
    EXPECT_EQ(jobs[0].topologies[0].id, topology_id(jobs[i].topologies[0]));
  }
  for (const JobTotals& both :
       {combine(jobs[0], jobs[1]), combine(jobs[1], jobs[0])}) {
    ASSERT_EQ(1u, both.topologies.size());
    EXPECT_EQ(101, both.topologies[0].memory[1].bytes);
  }
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
