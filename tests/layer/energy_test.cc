// The energy of a node, from folders like the kernel's.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "measure/due_work.h"
#include "measure/process.h"
#include "measure/time_source.h"
#include "modules/energy/node_energy.h"
#include "modules/energy/powercap.h"
#include "noted.h"

namespace poprt::modules::energy {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kRounds = 262'143'328'850;

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
    write(zone + "/max_energy_range_uj", std::to_string(kRounds));
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
    EXPECT_EQ(kRounds, each.range_uj);
    EXPECT_EQ(each.zone == "intel-rapl:0" ? 200'000'000 : 0, each.limit_uw);
  }
  EXPECT_EQ(2u, read_packages(folder_).size());
  EXPECT_EQ(12, sum);
  write("intel-rapl:1/energy_uj", "much");
  for (const PackageReading& each : read_packages(folder_)) {
    EXPECT_EQ(each.zone == "intel-rapl:1" ? -1 : 5, each.energy_uj);
  }
}

constexpr int64_t kLimit = 200'000'000;      // 200 W: the range in 1310 s
constexpr int64_t kRange = 262'000'000'000;  // 262 kJ

TEST(Energy, OfACounterThatHasBegunAnew) {
  const auto energy = [&](int64_t then, int64_t now, int64_t s,
                          int64_t limit = kLimit) {
    return energy_since({"a", then, kRange, limit}, now, s * kSecond);
  };
  EXPECT_EQ(3'000'000, energy(kRange - 1'000'000, 2'000'000, 100).uj);
  EXPECT_FALSE(energy(5, 6, 1309).is_least);
  EXPECT_TRUE(energy(5, 6, 1311).is_least);
  // No limit, or none that means anything: 1000 W.
  for (const int64_t limit : {int64_t{0}, int64_t{4'000'000'000'000}}) {
    EXPECT_FALSE(energy(5, 6, 261, limit).is_least);
    EXPECT_TRUE(energy(5, 6, 263, limit).is_least);
  }
  EXPECT_EQ(1310 * kSecond, round_ns({"a", 0, kRange, kLimit}));
  // Without a range a counter cannot begin anew.
  EXPECT_EQ(INT64_MAX, round_ns({"a", 0, 0, kLimit}));
  EXPECT_NE(nullptr, energy_since({"a", 9}, 8, 1).why);
  EXPECT_FALSE(energy_since({"a", 8}, 9, INT64_MAX).is_least);
}

TEST(Energy, IsNotKnownWhereItCannotBeRead) {
  for (const auto& [then, now] : {std::pair{1, -1}, {-1, 1}}) {
    const Interval energy = energy_since({"a", then}, now, 1);
    EXPECT_NE(nullptr, energy.why);
    EXPECT_EQ(0, energy.uj);
  }
}

// Packages of 100 and 50 W, whose counters begin anew at the range: the first
// one three times in 8000 s.
TEST_F(Powercap, OfALongRunIsReadInBetween) {
  const auto draw = [&](int64_t s) {
    package(0, (kRounds - 1 + s * 100'000'000) % kRounds);
    package(1, s * 50'000'000 % kRounds);
  };
  draw(0);
  EnergySum sum(folder_, 0);
  EXPECT_EQ(kRounds / 200'000 * 1'000'000 / 4, sum.period_ns());
  EnergySum seldom = sum;
  for (int64_t s = 300; s <= 8000; s += 300) {
    draw(s);
    sum.read(s * kSecond);
  }
  draw(8000);
  sum.read(8000 * kSecond);
  EXPECT_EQ(8000 * 150'000'000LL, sum.sum().uj);
  EXPECT_FALSE(sum.sum().is_least);
  seldom.read(8000 * kSecond);
  EXPECT_TRUE(seldom.sum().is_least);
  EXPECT_EQ((8000 * 150'000'000LL) - (3 * kRounds) - kRounds, seldom.sum().uj);
  // A reading that comes late makes no former one wrong.
  seldom.read(7000 * kSecond);
  seldom.restart(8000 * kSecond);
  draw(8100);
  seldom.read(8100 * kSecond);
  EXPECT_EQ(100 * 150'000'000LL, seldom.sum().uj);
  EXPECT_FALSE(seldom.sum().is_least);
  // Not readable any more, and again.
  write("intel-rapl:1/energy_uj", "");
  seldom.read(8200 * kSecond);
  draw(8300);
  seldom.read(8300 * kSecond);
  EXPECT_NE(nullptr, seldom.sum().why);
}

TEST_F(Powercap, IsInTheTotalsOfTheHost) {
  package(0, kRounds - 1'000'000);
  package(1, 10);
  // A part lives as long as the process.
  static Started& started = *new Started;
  start_in(folder_, {}, &started);
  ASSERT_EQ(1u, started.parts.size());
  EXPECT_TRUE(started.notes.empty());
  EXPECT_NOT_NOTED("energy_not_there", started.notes);
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
  EXPECT_FALSE(job.hosts[0].energy_is_least);
  EXPECT_EQ(7'000'000, energy_after(5000 * kSecond, &job));
  EXPECT_TRUE(job.hosts[0].energy_is_least);
  EXPECT_TRUE(job.quality.notes.empty());
  // Measurement begins again.
  started.parts[0]->restart({});
  package(0, 3'000'000);
  EXPECT_EQ(1'000'000, energy_after(5000 * kSecond, &job));
  EXPECT_FALSE(job.hosts[0].energy_is_least);
  // Read by an event in between, so that no round is missed.
  package(0, 1'500'000);
  look_for_due_work(now_ns() + 400 * kSecond);
  package(0, 4'000'000);
  EXPECT_EQ(kRounds + 2'000'000, energy_after(kSecond, &job));
  EXPECT_NOT_NOTED("energy_of_node", job.quality.notes);
  // And so on.
  package(0, 1'000'000);
  look_for_due_work(now_ns() + 800 * kSecond);
  package(0, 5'000'000);
  EXPECT_EQ(2 * kRounds + 3'000'000, energy_after(kSecond, &job));
  write("intel-rapl:1/energy_uj", "");  // as if it could not be read
  EXPECT_EQ(0, energy_after(2 * kSecond, &job));
  EXPECT_NOTED("energy_of_node", job.quality.notes);
}

TEST_F(Powercap, IsAskedForInVain) {
  for (const bool asks : {false, true}) {
    Options options;
    options.energy = asks;
    Started started;
    start_in(folder_, options, &started);
    EXPECT_TRUE(started.parts.empty());
    EXPECT_EQ(asks ? 1u : 0u, started.notes.size());
    if (asks) {
      EXPECT_NOTED("energy_not_there", started.notes);
    } else {
      EXPECT_NOT_NOTED("energy_not_there", started.notes);
    }
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
