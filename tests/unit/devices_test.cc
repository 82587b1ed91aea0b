// Accelerators, which are not measured: who has them, and what is said then.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "model/device_amounts.h"
#include "model/judge.h"
#include "model/largest_loss.h"
#include "report/findings.h"
#include "session/device_runtimes.h"
#include "unit/has.h"
#include "unit/sample_reports.h"

namespace poprt {
namespace {

using Names = std::vector<std::string>;

TEST(DeviceRuntimes, ThatTheProgramOrItsLibrariesLink) {
  EXPECT_EQ(Names({"libcuda.so.1"}),
            device_runtimes_among({{"", {"libsolver.so"}},
                                   {"libsolver.so", {"libcuda.so.1"}},
                                   {"libcuda.so.1", {}}}));
  EXPECT_EQ(Names({"libomptarget.so.19"}),
            device_runtimes_among(
                {{"", {"libomptarget.so.19"}}, {"libomptarget.so.19", {}}}));
  for (const char* const name :
       {"libamdhip64.so.5", "libze_loader.so.1", "libOpenCL.so.1"}) {
    EXPECT_EQ(Names({name}), device_runtimes_among({{"", {name}}, {name, {}}}));
  }
  EXPECT_EQ(Names(), device_runtimes_among({{"", {"libc.so.6"}},
                                            {"libcudart.so.12", {}},
                                            {"libc.so.6", {}}}));
}

TEST(DeviceRuntimes, ThatAreOpened) {
  EXPECT_EQ(Names({"libcuda.so.1"}),
            device_runtimes_among({{"", {}}, {"libcuda.so.1", {}}}));
}

// hwloc, UCX and Open MPI look for devices on behalf of no program.
TEST(DeviceRuntimes, OfPluginsOfMpiDoNotCount) {
  const std::vector<LoadedImage> images = {
      {"", {"libmpi.so.40"}},
      {"libmpi.so.40", {"libhwloc.so.15"}, true},
      {"libhwloc.so.15", {}, true},
      {"hwloc_opencl.so", {"libOpenCL.so.1"}, true},
      {"libuct_cuda.so.0", {"libcuda.so.1"}, true},
      {"mca_accelerator_rocm.so", {"libamdhip64.so.5"}, true},
      {"libOpenCL.so.1", {}},
      {"libcuda.so.1", {}},
      {"libamdhip64.so.5", {}}};
  EXPECT_EQ(Names(), device_runtimes_among(images));
  std::vector<LoadedImage> with_own = images;
  with_own.push_back({"libsolver.so", {"libOpenCL.so.1"}});
  EXPECT_EQ(Names({"libOpenCL.so.1"}), device_runtimes_among(with_own));
}

TEST(DeviceRuntimes, AreOfNoUseWithoutADeviceOrADriver) {
  char name[] = "/tmp/poprt-devices-XXXXXX";
  const std::filesystem::path root = mkdtemp(name);
  EXPECT_TRUE(has_no_accelerator(root));
  for (const char* const file :
       {"dev/nvidia0", "dev/kfd", "dev/dri/renderD128", "dev/accel/accel0",
        "etc/OpenCL/vendors/pocl.icd"}) {
    std::filesystem::create_directories((root / file).parent_path());
    std::ofstream(root / file) << "\n";
    EXPECT_FALSE(has_no_accelerator(root)) << file;
    std::filesystem::remove_all(root / "dev");
    std::filesystem::remove_all(root / "etc");
  }
  std::filesystem::remove_all(root);
}

std::string finding_of(const JobReport& report) {
  std::string text;
  for (const Finding& each : main_finding(report)) text += each.sentence + " ";
  return text;
}

bool names_a_loss(const JobReport& report) {
  return finding_of(report).find("The largest loss") != std::string::npos;
}

TEST(Devices, WithoutThemLossesAreNamed) {
  const JobReport report = test::hybrid_report();
  EXPECT_EQ(0, device_share(report));
  EXPECT_TRUE(names_a_loss(report));
}

TEST(Devices, OfUnknownTimeLeaveNoLossToName) {
  JobReport report = test::hybrid_report();
  set_amount(kDeviceProcesses.name, 1, &report.totals.resources);
  EXPECT_TRUE(std::isnan(device_share(report)));
  EXPECT_FALSE(names_a_loss(report));
  EXPECT_HAS(finding_of(report), "has a runtime of accelerators");
  EXPECT_EQ("", next_step(report, "x.json"));
  EXPECT_FALSE(main_cause(report, *global_region(report)));
}

// A loss is named from the time on that helper threads worked.
TEST(Devices, OfKnownTimeLeaveLargerLosses) {
  JobReport report = test::hybrid_report();
  const RegionReport& global = *global_region(report);
  const double lost = largest_loss(report, global)->metric.value(global.losses);
  const double core_ns = static_cast<double>(job_core_ns(report));
  const auto with = [&](double share) {
    set_amount(kTargetOnHost.name, std::llround(share * core_ns),
               &report.totals.resources);
    return report;
  };
  EXPECT_TRUE(names_a_loss(with(0.9 * lost)));
  EXPECT_FALSE(names_a_loss(with(1.1 * lost)));
  EXPECT_HAS(finding_of(report), "`target nowait`");
}

}  // namespace
}  // namespace poprt
