// Where CUPTI and the driver are found, and which of them are refused.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "devices/cuda/cupti_library.h"
#include "devices/cuda/driver.h"
#include "devices/cuda/probe.h"

namespace poprt::cuda {
namespace {

// In a process that begins with this LD_LIBRARY_PATH.  Its state is the
// environment's: what it is to find, and where.
bool passes_with(const std::string& folders, const std::string& test) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("LD_LIBRARY_PATH", folders.c_str(), 1);
    const std::string filter = "--gtest_filter=CudaSearch.DISABLED_" + test;
    execl("/proc/self/exe", "cuda_library_test", filter.c_str(),
          "--gtest_also_run_disabled_tests", nullptr);
    _exit(98);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

constexpr const char* kFolder = POPRT_FAKE_CUDA;  // with a driver, and no CUPTI

std::string fake(const char* file) { return std::string(kFolder) + file; }

TEST(CudaSearch, FindsWhatIsNamed) {
  EXPECT_TRUE(passes_with(kFolder, "Named"));
}
TEST(CudaSearch, DISABLED_Named) {
  const LoadedCupti missing = load_cupti({"/none/libcupti.so", ""});
  EXPECT_EQ("/none/libcupti.so (POPRT_CUPTI) cannot be loaded",
            missing.why_not);
  EXPECT_EQ(nullptr, dlerror());
  const LoadedCupti wrong = load_cupti({fake("/libcuda.so.1"), ""});
  EXPECT_EQ(fake("/libcuda.so.1") + " lacks functions of CUPTI 11 or newer",
            wrong.why_not);
  const std::string path = fake("/cupti/libcupti.so.13");
  const LoadedCupti loaded = load_cupti({path, ""});
  EXPECT_EQ("", loaded.why_not);
  EXPECT_EQ(path, loaded.path);
  EXPECT_EQ(fake("/libcuda.so.1"), loaded.driver);
  EXPECT_EQ(130001u, loaded.version);
  EXPECT_NE(nullptr, loaded.functions.subscribe_v2);
  EXPECT_EQ("CUPTI_ERROR_NOT_INITIALIZED", loaded.functions.error(15));
}

TEST(CudaSearch, LooksInTheFolderOfCuda) {
  EXPECT_TRUE(passes_with(kFolder, "Home"));
}
TEST(CudaSearch, DISABLED_Home) {
  const LoadedCupti none = load_cupti({"", ""});
  if (none.why_not.empty()) GTEST_SKIP() << "the loader finds " << none.path;
  EXPECT_NE(std::string::npos, none.why_not.find("POPRT_CUPTI"));
  EXPECT_EQ(fake("/home/extras/CUPTI/lib64/libcupti.so.13"),
            load_cupti({"", fake("/home")}).path);
}

TEST(CudaSearch, PrefersOneThatIsThereAlready) {
  EXPECT_TRUE(passes_with(kFolder, "Loaded"));
}
TEST(CudaSearch, DISABLED_Loaded) {
  const std::string path = fake("/cupti/libcupti.so.13");
  ASSERT_NE(nullptr, dlopen(path.c_str(), RTLD_NOW));
  EXPECT_EQ(path, load_cupti({"", fake("/home")}).path);
}

TEST(CudaSearch, LooksBesideTheProgramsRuntime) {
  EXPECT_TRUE(passes_with(kFolder, "BesideRuntime"));
}
TEST(CudaSearch, DISABLED_BesideRuntime) {
  ASSERT_NE(nullptr,
            dlopen(fake("/runtime/libcudart.so.13").c_str(), RTLD_NOW));
  EXPECT_EQ(fake("/runtime/libcupti.so.13"),
            load_cupti({"", fake("/home")}).path);
}

TEST(CudaSearch, LooksWhereTheLoaderDoes) {
  EXPECT_TRUE(passes_with(fake("/cupti:") + kFolder, "Loader"));
}
TEST(CudaSearch, DISABLED_Loader) {
  EXPECT_EQ(fake("/cupti/libcupti.so.13"), load_cupti({"", "/none"}).path);
}

// A library to link with, which is in the path by mistake.
TEST(CudaSearch, RefusesADriverToLinkWith) {
  EXPECT_TRUE(passes_with(fake("/stubs:") + kFolder, "Stubs"));
}
TEST(CudaSearch, DISABLED_Stubs) {
  const LoadedCupti loaded = load_cupti({fake("/cupti/libcupti.so.13"), ""});
  EXPECT_EQ(0u, loaded.why_not.find(fake("/stubs/libcuda.so.1")))
      << loaded.why_not;
  EXPECT_NE(std::string::npos, loaded.why_not.find("LD_LIBRARY_PATH"));
  EXPECT_EQ(0u, loaded.version);  // CUPTI was not loaded
}

// As `poprt doctor` does.
TEST(CudaSearch, AProbeLeavesThePlaceFree) {
  EXPECT_TRUE(passes_with(kFolder, "Probe"));
}
TEST(CudaSearch, DISABLED_Probe) {
  const CuptiPlaces places = {fake("/cupti/libcupti.so.13"), ""};
  for (int i = 0; i < 2; ++i) {
    const CuptiProbe probe = probe_cupti(places);
    EXPECT_TRUE(probe.has_driver);
    EXPECT_EQ("", probe.why_not);
    EXPECT_EQ("", probe.other_tool);
    EXPECT_EQ("13.0.1 (" + places.named + ")", probe.cupti);
    EXPECT_EQ(fake("/libcuda.so.1") + ", for CUDA 13.0 or older", probe.driver);
  }
  EXPECT_FALSE(probe_cupti({"/none/libcupti.so", ""}).why_not.empty());
}

TEST(CudaSearch, TheDriverKnowsItsDevices) {
  EXPECT_TRUE(passes_with(kFolder, "Driver"));
}
TEST(CudaSearch, DISABLED_Driver) {
  EXPECT_EQ("", identity_of(0).unit);  // it is not loaded
  ASSERT_NE(nullptr, dlopen("libcuda.so.1", RTLD_NOW));
  EXPECT_EQ("GPU-00112233-4455-6677-8899-aabbccddeeff", identity_of(0).unit);
  EXPECT_EQ("Pretended GPU", identity_of(0).name);
  EXPECT_EQ("Other GPU", identity_of(1).name);
  EXPECT_EQ("", identity_of(2).unit);
  EXPECT_EQ("", identity_of(2).name);
}

}  // namespace
}  // namespace poprt::cuda
