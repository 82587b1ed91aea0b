#include "session/batch_job.h"

#include <gtest/gtest.h>

#include <cstring>

namespace poprt {
namespace {

TEST(BatchJob, IsWhatTheVariablesSay) {
  const BatchJob slurm = batch_job([](const char* name) -> const char* {
    if (std::strcmp(name, "SLURM_JOB_ID") == 0) return "81234";
    if (std::strcmp(name, "SLURM_STEP_ID") == 0) return "2";
    if (std::strcmp(name, "SLURM_JOB_NUM_NODES") == 0) return "4";
    if (std::strcmp(name, "SLURM_JOB_CPUS_PER_NODE") == 0) return "64(x4)";
    if (std::strcmp(name, "SLURM_CPUS_PER_TASK") == 0) return "16";
    return nullptr;
  });
  EXPECT_EQ("Slurm", slurm.system);
  EXPECT_EQ("81234", slurm.id);
  EXPECT_EQ("2", slurm.step);
  EXPECT_EQ("", slurm.name);
  EXPECT_EQ("4", slurm.nodes);
  EXPECT_EQ("64(x4)", slurm.cpus_on_nodes);
  EXPECT_EQ("16", slurm.cpus_per_task);
  const BatchJob pbs = batch_job([](const char* name) -> const char* {
    return std::strcmp(name, "PBS_JOBID") == 0 ? "7.server" : nullptr;
  });
  EXPECT_EQ("PBS", pbs.system);
  EXPECT_EQ("7.server", pbs.id);
}

TEST(BatchJob, IsEmptyWithoutThem) {
  const BatchJob job =
      batch_job([](const char*) -> const char* { return nullptr; });
  EXPECT_EQ("", job.system);
  EXPECT_EQ("", job.id);
}

}  // namespace
}  // namespace poprt
