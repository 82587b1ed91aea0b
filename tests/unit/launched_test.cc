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
  // No variable of theirs is known that has the number of processes.
  is(launched({{"PALS_RANKID", "3"}}), false, 1);
  is(launched({{"ALPS_APP_PE", "0"}}), true, 1);
  is(launched({{"MV2_COMM_WORLD_RANK", "1"}, {"MV2_COMM_WORLD_SIZE", "4"}}),
     false, 4);
  is(launched({{"JSM_NAMESPACE_RANK", "0"}, {"JSM_NAMESPACE_SIZE", "6"}}), true,
     6);
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

OneNodeJob one_node(const std::map<std::string, std::string>& environment) {
  return one_node_job([&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(OneNodeJob, IsNotKnownWithoutALauncher) {
  EXPECT_EQ(0, one_node({}).processes);
}

TEST(OneNodeJob, HasAllProcessesHere) {
  std::map<std::string, std::string> environment = {
      {"OMPI_COMM_WORLD_RANK", "3"},
      {"OMPI_COMM_WORLD_SIZE", "4"},
      {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
      {"PMIX_NAMESPACE", "17"},
      {"PMIX_SERVER_URI2", "a"}};
  const OneNodeJob job = one_node(environment);
  EXPECT_EQ(3, job.rank);
  EXPECT_EQ(4, job.processes);
  // Processes that it spawns.
  environment["PMIX_NAMESPACE"] = "18";
  EXPECT_NE(job.name, one_node(environment).name);
  environment["OMPI_COMM_WORLD_LOCAL_SIZE"] = "2";
  EXPECT_EQ(0, one_node(environment).processes);
}

TEST(OneNodeJob, HasNoNameFromHydra) {
  std::map<std::string, std::string> environment = {
      {"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MPI_LOCALNRANKS", "2"}};
  const OneNodeJob job = one_node(environment);
  EXPECT_EQ(2, job.processes);
  EXPECT_EQ("", job.name);
  environment["PMI_SPAWNED"] = "1";
  EXPECT_EQ(0, one_node(environment).processes);
}

TEST(OneNodeJob, IsNotKnownWhereOneLauncherHasStartedAnother) {
  EXPECT_EQ(0, one_node({{"PMI_RANK", "1"},
                         {"PMI_SIZE", "2"},
                         {"MPI_LOCALNRANKS", "2"},
                         {"OMPI_COMM_WORLD_RANK", "0"},
                         {"OMPI_COMM_WORLD_SIZE", "2"},
                         {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                         {"PMIX_NAMESPACE", "17"}})
                   .processes);
}

TEST(OneNodeJob, IsAStepOfSlurm) {
  std::map<std::string, std::string> environment = {
      {"SLURM_PROCID", "1"},         {"SLURM_STEP_NUM_TASKS", "2"},
      {"SLURM_STEP_NUM_NODES", "1"}, {"SLURM_JOB_ID", "5"},
      {"SLURM_STEP_ID", "0"},        {"PMI_RANK", "1"}};
  const OneNodeJob job = one_node(environment);
  EXPECT_EQ(1, job.rank);
  EXPECT_EQ(2, job.processes);
  environment["SLURM_STEP_ID"] = "1";
  EXPECT_NE(job.name, one_node(environment).name);
  environment["SLURM_STEP_NUM_NODES"] = "2";
  EXPECT_EQ(0, one_node(environment).processes);
}

}  // namespace
}  // namespace poprt
