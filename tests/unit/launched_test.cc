#include "base/launched.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace poprt {
namespace {

Launched launched(const std::map<std::string, std::string>& environment) {
  return launched_as([&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(Launched, IsNotKnownWithoutALauncher) {
  EXPECT_FALSE(launched({}).by_launcher);
  EXPECT_TRUE(launched({}).is_first);
  EXPECT_EQ(1, launched({}).processes);
}

TEST(Launched, HasTheSizeOfItsLauncher) {
  const auto is = [](const Launched& found, bool first, int processes) {
    EXPECT_TRUE(found.by_launcher);
    EXPECT_EQ(first, found.is_first);
    EXPECT_EQ(processes, found.processes);
  };
  is(launched({{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}}),
     false, 4);
  is(launched({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}}), true, 2);
  is(launched({{"PMIX_RANK", "1"}}), false, 1);
  is(launched({{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "8"}}), true, 8);
  // mpirun inside a Slurm job.
  is(launched({{"OMPI_COMM_WORLD_RANK", "0"},
               {"OMPI_COMM_WORLD_SIZE", "1"},
               {"SLURM_PROCID", "1"},
               {"SLURM_STEP_NUM_TASKS", "2"}}),
     true, 1);
}

TEST(Launched, InABatchScriptIsOneProcess) {
  EXPECT_EQ(1,
            launched({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}).processes);
}

}  // namespace
}  // namespace poprt
