#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

#include "model/members.h"
#include "model/totals.h"
#include "unit/test_jobs.h"

namespace poprt {
namespace {

void expect_same(const std::vector<FileSystem>& a,
                 const std::vector<FileSystem>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].mount_point, b[i].mount_point);
    EXPECT_EQ(a[i].type, b[i].type);
    for (const auto& m : kFileSystemMembers) {
      EXPECT_EQ(a[i].*m.value, b[i].*m.value);
    }
  }
}

// Member by member, so that one that is written and read wrongly in the same
// way is noticed too.
void expect_equal(const JobTotals& a, const JobTotals& b) {
  for (const auto& m : kJobMembers) EXPECT_EQ(a.*m.value, b.*m.value);
  EXPECT_EQ(a.threads_min, b.threads_min);
  EXPECT_EQ(a.has_mpi, b.has_mpi);
  EXPECT_EQ(a.has_openmp, b.has_openmp);
  ASSERT_EQ(a.hosts.size(), b.hosts.size());
  for (size_t i = 0; i < a.hosts.size(); ++i) {
    EXPECT_EQ(a.hosts[i].name, b.hosts[i].name);
    EXPECT_EQ(a.hosts[i].processes, b.hosts[i].processes);
    EXPECT_EQ(a.hosts[i].cpus, b.hosts[i].cpus);
    EXPECT_EQ(a.hosts[i].allotted, b.hosts[i].allotted);
    EXPECT_EQ(a.hosts[i].quota, b.hosts[i].quota);
    EXPECT_EQ(a.hosts[i].topology, b.hosts[i].topology);
    EXPECT_EQ(a.hosts[i].peak_memory_sum_bytes,
              b.hosts[i].peak_memory_sum_bytes);
    EXPECT_EQ(a.hosts[i].energy_uj, b.hosts[i].energy_uj);
    EXPECT_EQ(a.hosts[i].energy_is_least, b.hosts[i].energy_is_least);
    ASSERT_EQ(a.hosts[i].users.size(), b.hosts[i].users.size());
    for (size_t k = 0; k < a.hosts[i].users.size(); ++k) {
      EXPECT_EQ(a.hosts[i].users[k].cpu, b.hosts[i].users[k].cpu);
      EXPECT_EQ(a.hosts[i].users[k].rank, b.hosts[i].users[k].rank);
      EXPECT_EQ(a.hosts[i].users[k].threads, b.hosts[i].users[k].threads);
    }
    ASSERT_EQ(a.hosts[i].numa_memory.size(), b.hosts[i].numa_memory.size());
    for (size_t k = 0; k < a.hosts[i].numa_memory.size(); ++k) {
      EXPECT_EQ(a.hosts[i].numa_memory[k].node, b.hosts[i].numa_memory[k].node);
      EXPECT_EQ(a.hosts[i].numa_memory[k].bytes,
                b.hosts[i].numa_memory[k].bytes);
    }
  }
  EXPECT_EQ(a.devices, b.devices);
  expect_same(a.file_systems, b.file_systems);
  expect_same(a.mpi_file_systems, b.mpi_file_systems);
  ASSERT_EQ(a.topologies.size(), b.topologies.size());
  for (size_t i = 0; i < a.topologies.size(); ++i) {
    EXPECT_EQ(a.topologies[i].id, b.topologies[i].id);
    EXPECT_EQ(a.topologies[i].id, topology_id(b.topologies[i]));
  }
  ASSERT_EQ(a.places.size(), b.places.size());
  for (size_t i = 0; i < a.places.size(); ++i) {
    EXPECT_EQ(a.places[i].rank, b.places[i].rank);
    EXPECT_EQ(a.places[i].host, b.places[i].host);
    EXPECT_EQ(a.places[i].threads, b.places[i].threads);
    EXPECT_EQ(a.places[i].cpus, b.places[i].cpus);
    EXPECT_EQ(a.places[i].ran_on, b.places[i].ran_on);
    EXPECT_EQ(a.places[i].resources, b.places[i].resources);
  }
  ASSERT_EQ(a.regions.size(), b.regions.size());
  for (size_t i = 0; i < a.regions.size(); ++i) {
    const RegionTotals& left = a.regions[i];
    const RegionTotals& right = b.regions[i];
    EXPECT_EQ(left.name, right.name);
    EXPECT_EQ(left.key, right.key);
    for (const auto& m : kRegionMembers) {
      EXPECT_EQ(left.*m.value, right.*m.value) << m.name;
    }
    ASSERT_EQ(left.nodes.size(), right.nodes.size());
    for (size_t k = 0; k < left.nodes.size(); ++k) {
      EXPECT_EQ(left.nodes[k].host, right.nodes[k].host);
      for (const auto& member : kNodeMembers) {
        EXPECT_EQ(left.nodes[k].*member.value, right.nodes[k].*member.value);
      }
    }
    EXPECT_EQ(left.amounts, right.amounts);
    ASSERT_EQ(left.rows.size(), right.rows.size());
    for (size_t k = 0; k < left.rows.size(); ++k) {
      for (const auto& m : kRowMembers) {
        EXPECT_EQ(left.rows[k].*m.value, right.rows[k].*m.value) << m.name;
      }
      EXPECT_EQ(left.rows[k].amounts, right.rows[k].amounts);
    }
  }
  for (const auto& m : kQualityMembers) {
    EXPECT_EQ(a.quality.*m.value, b.quality.*m.value) << m.name;
  }
  EXPECT_EQ(a.quality.notes, b.quality.notes);
  EXPECT_EQ(a.window_marks, b.window_marks);
}

TEST(Serialise, ComesBackAsItWas) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const JobTotals totals = test::random_totals(&random);
    JobTotals back;
    ASSERT_TRUE(deserialise(serialise(totals), &back));
    expect_equal(totals, back);
  }
  JobTotals back;
  EXPECT_TRUE(deserialise(serialise(JobTotals()), &back));
  expect_equal(JobTotals(), back);
}

TEST(Serialise, KeepsNegativeNumbersAndAnyBytesInNames) {
  JobTotals totals;
  totals.hosts = {{std::string("a\0\xff\n", 4), -1}};
  totals.quality.overhead_ns = INT64_MIN;
  JobTotals back;
  ASSERT_TRUE(deserialise(serialise(totals), &back));
  expect_equal(totals, back);
}

TEST(Deserialise, RejectsEveryTruncation) {
  std::mt19937 random(2);
  const std::string bytes = serialise(test::random_totals(&random));
  JobTotals totals;
  totals.processes = 42;
  for (size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_FALSE(deserialise(bytes.substr(0, size), &totals)) << size;
  }
  EXPECT_FALSE(deserialise(bytes + "x", &totals));
  EXPECT_EQ(42, totals.processes) << "a failure leaves the totals alone";
}

TEST(Deserialise, RejectsEveryByteThatIsNotTheOneWritten) {
  std::mt19937 random(3);
  const std::string bytes = serialise(test::random_totals(&random));
  JobTotals totals;
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string wrong = bytes;
    wrong[i] = static_cast<char>(wrong[i] ^ (1 << i % 8));
    ASSERT_FALSE(deserialise(wrong, &totals)) << i;
  }
}

// With a valid hash, only the checks of the contents can refuse it.
TEST(Deserialise, NeitherReadsNorAllocatesBeyondTheBytesOfAForgery) {
  std::mt19937 random(4);
  const std::string bytes = serialise(test::random_totals(&random));
  const auto sealed = [](std::string forged) {
    forged.resize(forged.size() - sizeof(uint64_t));
    const uint64_t hash = text_hash(forged.data(), forged.size());
    forged.append(reinterpret_cast<const char*>(&hash), sizeof hash);
    return forged;
  };
  JobTotals totals;
  ASSERT_TRUE(deserialise(sealed(bytes), &totals));
  for (size_t i = 8; i + 16 <= bytes.size(); ++i) {
    std::string forged = bytes;
    std::memset(&forged[i], 0xff, 8);  // a length or a number
    deserialise(sealed(forged), &totals);
    std::string cut = bytes;
    cut.erase(i, 8);
    EXPECT_FALSE(deserialise(sealed(cut), &totals)) << i;
  }
}

TEST(Deserialise, RejectsListsThatCombineCouldNotMerge) {
  JobTotals totals;
  totals.regions.resize(2);
  totals.regions[0].key = 2;
  totals.regions[1].key = 1;
  JobTotals back;
  EXPECT_FALSE(deserialise(serialise(totals), &back));
}

}  // namespace
}  // namespace poprt
