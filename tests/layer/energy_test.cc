// The energy of a node, from folders like the kernel's.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "measure/process.h"
#include "measure/time_source.h"
#include "modules/energy/node_energy.h"
#include "modules/energy/powercap.h"

namespace poprt::modules::energy {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

class Powercap : public testing::Test {
 protected:
  Powercap() {
    char name[] = "/tmp/poprt-powercap-XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~Powercap() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& file, const std::string& text) {
    const std::filesystem::path path = folder_ + "/" + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  }
  void package(int number, int64_t energy_uj, int64_t limit_uw = 200'000'000) {
    const std::string zone = "intel-rapl:" + std::to_string(number);
    write(zone + "/name", "package-" + std::to_string(number));
    write(zone + "/energy_uj", std::to_string(energy_uj));
    write(zone + "/max_energy_range_uj", "262143328850");
    if (limit_uw > 0) {
      write(zone + "/constraint_0_power_limit_uw", std::to_string(limit_uw));
    }
  }

  std::string folder_;
};

TEST_F(Powercap, IsOfThePackagesOnly) {
  EXPECT_TRUE(read_packages(folder_).empty());
  EXPECT_TRUE(read_packages(folder_ + "/none").empty());
  package(0, 5);
  package(1, 7, 0);
  write("intel-rapl:0:0/name", "dram");
  write("intel-rapl:2/name", "psys");
  write("intel-rapl:3/energy_uj", "9");
  write("intel-rapl-mmio:0/name", "package-0");
  write("dtpm/name", "package-0");
  int64_t sum = 0;
  for (const PackageReading& each : read_packages(folder_)) {
    sum += each.energy_uj;
    EXPECT_EQ(262143328850, each.range_uj);
    EXPECT_EQ(each.zone == "intel-rapl:0" ? 200'000'000 : 0, each.limit_uw);
  }
  EXPECT_EQ(2u, read_packages(folder_).size());
  EXPECT_EQ(12, sum);
  write("intel-rapl:1/energy_uj", "much");
  for (const PackageReading& each : read_packages(folder_)) {
    EXPECT_EQ(each.zone == "intel-rapl:1" ? -1 : 5, each.energy_uj);
  }
}

TEST(Energy, IsTheSumOfPackages) {
  const Energy energy =
      energy_between({{"a", 100, 1000, 0}, {"b", 50, 1000, 0}},
                     {{"b", 60, 1000, 0}, {"a", 103, 1000, 0}}, 1);
  EXPECT_EQ(13, energy.uj);
  EXPECT_EQ(nullptr, energy.why);
}

constexpr int64_t kLimit = 200'000'000;  // 200 W: the range in 1310 s

TEST(Energy, OfACounterThatHasBegunAnew) {
  constexpr int64_t kRange = 262'000'000'000;  // 262 kJ
  const auto energy = [&](int64_t then, int64_t now, int64_t s,
                          int64_t limit = kLimit) {
    return energy_between({{"a", then, kRange, limit}},
                          {{"a", now, kRange, limit}}, s * kSecond);
  };
  EXPECT_EQ(3'000'000, energy(kRange - 1'000'000, 2'000'000, 100).uj);
  EXPECT_EQ(nullptr, energy(5, 6, 1309).why);
  EXPECT_NE(nullptr, energy(5, 6, 1311).why);
  // No limit, or none that means anything: 1000 W.
  for (const int64_t limit : {int64_t{0}, int64_t{4'000'000'000'000}}) {
    EXPECT_EQ(nullptr, energy(5, 6, 261, limit).why);
    EXPECT_NE(nullptr, energy(5, 6, 263, limit).why);
  }
  // Without a range a counter cannot begin anew.
  EXPECT_NE(nullptr, energy_between({{"a", 9}}, {{"a", 8}}, 1).why);
}

TEST(Energy, IsNotKnownWhereItCannotBeRead) {
  for (const auto& after :
       std::vector<std::vector<PackageReading>>{{}, {{"b", 1}}, {{"a", -1}}}) {
    const Energy energy = energy_between({{"a", 1}}, after, 1);
    EXPECT_NE(nullptr, energy.why);
    EXPECT_EQ(0, energy.uj);
  }
  EXPECT_NE(nullptr, energy_between({}, {}, 1).why);
}

TEST_F(Powercap, IsInTheTotalsOfTheHost) {
  package(0, 262143328850 - 1'000'000);
  package(1, 10);
  // A part lives as long as the process.
  static Started& started = *new Started;
  start_in(folder_, {}, &started);
  ASSERT_EQ(1u, started.parts.size());
  EXPECT_TRUE(started.notes.empty());
  const auto energy_after = [&](int64_t ns, JobTotals* job) {
    job->hosts = {{.name = "node1", .processes = 1}};
    started.parts[0]->add_to({}, now_ns() + ns, job);
    return job->hosts[0].energy_uj;
  };
  package(0, 2'000'000);
  package(1, 4'000'010);
  JobTotals job;
  EXPECT_EQ(7'000'000, energy_after(kSecond, &job));
  EXPECT_TRUE(job.quality.notes.empty());
  EXPECT_EQ(0, energy_after(5000 * kSecond, &job));
  ASSERT_EQ(1u, job.quality.notes.size());
  EXPECT_EQ(0u, job.quality.notes[0].find("no energy of node1: its counter"));
  // Measurement begins again.
  started.parts[0]->restart({});
  package(0, 3'000'000);
  EXPECT_EQ(1'000'000, energy_after(kSecond, &job));
}

TEST_F(Powercap, IsAskedForInVain) {
  for (const bool asks : {false, true}) {
    Options options;
    options.energy = asks;
    Started started;
    start_in(folder_, options, &started);
    EXPECT_TRUE(started.parts.empty());
    EXPECT_EQ(asks ? 1u : 0u, started.notes.size());
  }
  package(0, 5);
  write("intel-rapl:0/energy_uj", "");  // as if it could not be read
  Options options;
  options.energy = true;
  Started started;
  start_in(folder_, options, &started);
  EXPECT_TRUE(started.parts.empty());
  ASSERT_EQ(1u, started.notes.size());
  EXPECT_NE(std::string::npos, started.notes[0].find("only the administrator"));
}

}  // namespace
}  // namespace poprt::modules::energy
