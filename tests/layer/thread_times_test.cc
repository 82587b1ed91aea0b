// What the kernel says of the threads of a process, and of its host.
#include "modules/cores/thread_times.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "measure/cpu_clock.h"
#include "modules/cores/bindings.h"
#include "modules/cores/cgroup.h"
#include "modules/cores/numa_memory.h"

namespace poprt::modules::cores {
namespace {

CpuSet cpus(std::string_view text) {
  CpuSet set;
  EXPECT_TRUE(parse_cpu_set(text, &set)) << text;
  return set;
}

TEST(ThreadTimes, AreReadFromTheKernelsText) {
  EXPECT_EQ(45, parse_waited("123 45 6"));
  for (const char* const text :
       {"", "x", "12", "12 ", "12 y", "-1 2 3", "0 0 0"}) {
    EXPECT_EQ(-1, parse_waited(text)) << text;
  }
}

TEST(ThreadTimes, HaveThisThread) {
  const std::map<int, ThreadTimes> threads = thread_times();
  ASSERT_EQ(1u, threads.count(getpid()));
  EXPECT_GT(threads.at(getpid()).on_core_ns, 0);
}

TEST(LastCpu, IsTheField39) {
  std::string stat = "7 (a) b (c) S";
  for (int field = 4; field <= 52; ++field) {
    stat += " " + std::to_string(field == 39 ? 17 : 1000 + field);
  }
  EXPECT_EQ(17, parse_last_cpu(stat));
  for (const char* const text : {"", "7 (a) S 1 2", "7"}) {
    EXPECT_EQ(-1, parse_last_cpu(text)) << text;
  }
  EXPECT_GE(last_cpu(getpid()), 0);
}

std::string users_text(std::vector<CpuSet> bound) {
  std::string text;
  for (const CoreUser& user : core_users(std::move(bound))) {
    text += std::to_string(user.cpu) + "x" + std::to_string(user.threads) + " ";
  }
  return text;
}

TEST(CoreUsers, AreThreadsThatFillWhereTheyAreBound) {
  EXPECT_EQ("3x1 ", users_text({cpus("3")}));
  EXPECT_EQ("0x1 1x1 ", users_text({cpus("0-1"), cpus("0-1")}));
  EXPECT_EQ("0x1 1x1 ", users_text({cpus("1"), cpus("0")}));
  EXPECT_EQ("", users_text({cpus("0-7"), cpus("0-7")}));  // free to move
  EXPECT_EQ("0x2 ", users_text({cpus("0"), cpus("0")}));
  EXPECT_EQ("0x2 1x2 ", users_text({cpus("0-1"), cpus("0-1"), cpus("0-1")}));
}

constexpr uint64_t kPage = 4096;
constexpr char kMaps[] =
    "00400000-00500000 r-xp 00000000 08:01 17      /bin/program\n"
    "00500000-00501000 rw-p 00100000 08:01 17      /bin/program\n"
    "10000000-10004000 rw-p 00000000 00:00 0       [heap]\n"
    "20000000-20010000 ---p 00000000 00:00 0 \n"
    "30000000-30010000 rw-s 00000000 00:01 99      /dev/shm/x\n"
    "40000000-40004000 rw-p 00000000 00:00 0       [stack]\n";

TEST(SampleOfPages, IsSpreadOverTheProcesssOwnMemory) {
  const PageSample all = sample_of_pages(kMaps, kPage, 100);
  EXPECT_EQ(
      (std::vector<uint64_t>{0x10000000, 0x10001000, 0x10002000, 0x10003000,
                             0x40000000, 0x40001000, 0x40002000, 0x40003000}),
      all.addresses);
  EXPECT_EQ(4096, all.bytes_each);
  const PageSample few = sample_of_pages(kMaps, kPage, 3);
  EXPECT_EQ((std::vector<uint64_t>{0x10001000, 0x40000000, 0x40003000}),
            few.addresses);
  EXPECT_EQ(3 * 4096, few.bytes_each);
  for (const char* const text : {"", "x", "1-2 rw-p", "\n\n"}) {
    EXPECT_TRUE(sample_of_pages(text, kPage, 3).addresses.empty()) << text;
  }
}

TEST(PlacementOfMemory, IsWhereTheThreadsAre) {
  const std::vector<NumaNode> nodes = {{0, cpus("0-3")}, {1, cpus("4-7")}};
  const auto misplaced = [&](std::vector<NumaMemory> memory,
                             const std::vector<CpuSet>& bound) {
    return placement_of(memory, nodes, bound).misplaced_bytes;
  };
  // Two threads on each node, and all memory on one of them.
  const std::vector<CpuSet> both = {cpus("0"), cpus("1"), cpus("4"), cpus("5")};
  EXPECT_EQ(500, misplaced({{0, 1000}}, both));
  EXPECT_EQ(0, misplaced({{0, 500}, {1, 500}}, both));
  // Threads that may run everywhere.
  EXPECT_EQ(300, misplaced({{0, 800}, {1, 200}}, {cpus("0-7")}));
  // All threads on one node, some memory on the other one.
  EXPECT_EQ(200, misplaced({{0, 800}, {1, 200}}, {cpus("0-3"), cpus("2")}));
  // Memory of a node without processors is there because somebody wants it.
  EXPECT_EQ(0, misplaced({{0, 10}, {2, 900}}, {cpus("0")}));
  EXPECT_EQ(10, placement_of({{0, 10}, {2, 900}}, nodes, {}).all_bytes);
  EXPECT_EQ(0, misplaced({{1, 10}}, {}));
}

TEST(NumaMemory, IsThatOfThisProcessIfTheKernelTells) {
  const std::vector<NumaMemory> memory = numa_memory();
  for (const NumaMemory& each : memory) EXPECT_GT(each.bytes, 0);
}

// Files of a kernel in a folder of its own.
class KernelFiles : public testing::Test {
 protected:
  KernelFiles() {
    char name[] = "/tmp/poprt-kernel-XXXXXX";
    root_ = mkdtemp(name);
  }
  ~KernelFiles() override { std::filesystem::remove_all(root_); }
  void put(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }
  std::string root_;
};

TEST_F(KernelFiles, GiveNodesThatHaveProcessors) {
  EXPECT_TRUE(numa_nodes(root_).empty());
  const std::string node = "/sys/devices/system/node/";
  put(node + "online", "0-2");
  put(node + "node0/cpulist", "0-1,4-5");
  put(node + "node1/cpulist", "");  // memory only
  put(node + "node2/cpulist", "2-3,6-7");
  std::string text;
  for (const NumaNode& each : numa_nodes(root_)) {
    text += std::to_string(each.number) + ":" + cpu_list(each.cpus) + " ";
  }
  EXPECT_EQ("0:0-1,4-5 2:2-3,6-7 ", text);
}

TEST_F(KernelFiles, MayBeMissing) {
  EXPECT_EQ(0, allotted_cpus(root_).size());
  put("/sys/devices/system/cpu/online", "0-1");
  EXPECT_EQ("0-1", cpu_list(allotted_cpus(root_)));
}

TEST_F(KernelFiles, GiveTheCpusetOfTheNearestGroup) {
  put("/sys/devices/system/cpu/online", "0-63");
  put("/proc/self/cgroup", "0::/slurm/job_1/step_0");
  put("/sys/fs/cgroup/slurm/job_1/cpuset.cpus.effective", "8-15");
  EXPECT_EQ("8-15", cpu_list(allotted_cpus(root_)));
  put("/proc/self/cgroup", "4:memory:/m\n3:cpuset:/job\n0::/slurm");
  put("/sys/fs/cgroup/cpuset/job/cpuset.effective_cpus", "4");
  EXPECT_EQ("4", cpu_list(allotted_cpus(root_)));
}

TEST_F(KernelFiles, GiveTheLeastQuotaOfTheGroups) {
  EXPECT_EQ(CpuQuota(), cpu_quota(root_));
  put("/proc/self/cgroup", "0::/a/b/c");
  EXPECT_EQ(CpuQuota(), cpu_quota(root_));
  put("/sys/fs/cgroup/a/b/c/cpu.max", "max 100000");
  EXPECT_EQ(CpuQuota(), cpu_quota(root_));
  put("/sys/fs/cgroup/a/b/cpu.max", "150000 100000");
  const CpuQuota limited = cpu_quota(root_);
  EXPECT_EQ(1500, limited.millicores);
  EXPECT_NE(0, limited.group);
  // The job's is larger than that of a part of it.
  put("/sys/fs/cgroup/a/cpu.max", "800000 100000");
  EXPECT_EQ(limited, cpu_quota(root_));
  // The first version of groups.
  put("/proc/self/cgroup", "5:cpu,cpuacct:/job\n3:cpuset:/x\n0::/a/b/c");
  put("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1");
  put("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "50000");
  EXPECT_EQ(CpuQuota(), cpu_quota(root_));
  put("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "200000");
  EXPECT_EQ(4000, cpu_quota(root_).millicores);
}

}  // namespace
}  // namespace poprt::modules::cores
