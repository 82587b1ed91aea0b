// What a launcher (mpirun, srun) tells this process by its environment.
#ifndef POPRT_BASE_LAUNCHED_H_
#define POPRT_BASE_LAUNCHED_H_

#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/launchers.h"

namespace poprt {

struct Launched {
  bool by_launcher = false;
  bool is_first = true;  // first process of the job; true without a launcher
  int processes = 1;     // how many were started together, if it tells
};

// `variable` is getenv() or the same for another environment.  The innermost
// launcher counts: srun may have started mpirun.
template <class Variable>
Launched launched_as(Variable variable) {
  for (const LauncherVariables& launcher : kLauncherVariables) {
    if (launcher.rank == nullptr) continue;
    const char* const rank = variable(launcher.rank);
    if (rank == nullptr || *rank == '\0') continue;
    const char* const processes =
        launcher.processes == nullptr ? nullptr : variable(launcher.processes);
    return {true, std::string_view(rank) == "0",
            processes == nullptr ? 1 : std::atoi(processes)};
  }
  return {};
}

// Whether the launcher says that this is the first process of its job on its
// host, or, if it does not say, of its job: true without a launcher.
template <class Variable>
bool is_first_on_host(Variable variable) {
  for (const LauncherVariables& launcher : kLauncherVariables) {
    if (launcher.rank_on_host == nullptr) continue;
    const char* const rank = variable(launcher.rank_on_host);
    if (rank != nullptr && *rank != '\0') return std::string_view(rank) == "0";
  }
  return launched_as(variable).is_first;
}

// A job of which all processes are on this node, as its launcher tells.
struct OneNodeJob {
  int rank = -1;
  int processes = 0;  // 0: there are others elsewhere, or it does not tell
  // Tells its processes from those of other jobs.  Empty: the launcher does not
  // name it.
  std::string name;
};

template <class Variable>
OneNodeJob one_node_job(Variable variable) {
  const auto number = [&](const char* name) {
    const char* const text = variable(name);
    return text == nullptr || *text == '\0' ? -1 : std::atoi(text);
  };
  const auto words = [&](std::initializer_list<const char*> names) {
    std::string all;
    for (const char* const name : names) {
      const char* const text = variable(name);
      if (text != nullptr && *text != '\0') all += std::string(text) + ' ';
    }
    return all;
  };
  const auto if_one_node = [&](const char* rank, const char* processes,
                               int on_node, std::string name) {
    const int all = number(processes);
    return all > 0 && on_node == all
               ? OneNodeJob{number(rank), all, std::move(name)}
               : OneNodeJob{};
  };
  const bool by_hydra =
      number("PMI_RANK") >= 0 && number("MPI_LOCALNRANKS") >= 0;
  const bool by_open_mpi = number("OMPI_COMM_WORLD_RANK") >= 0;
  // One has started the other: which one was last?
  if (by_hydra && by_open_mpi) return {};
  // Open MPI's launchers serve each job by PMIx under a name of its own.
  const auto pmix = words({"PMIX_NAMESPACE", "PMIX_SERVER_URI2",
                           "PMIX_SERVER_URI21", "PMIX_SERVER_URI4"});
  if (by_open_mpi) {
    return if_one_node("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                       number("OMPI_COMM_WORLD_LOCAL_SIZE"), pmix);
  }
  // Hydra tells how many it has started, but gives the job no name.  One proxy
  // may start several groups of processes that the program spawns.
  if (by_hydra) {
    if (number("PMI_SPAWNED") > 0) return {};
    return if_one_node("PMI_RANK", "PMI_SIZE", number("MPI_LOCALNRANKS"), "");
  }
  // A step of Slurm.
  if (number("SLURM_PROCID") < 0) return {};
  const int all = number("SLURM_STEP_NUM_TASKS");
  return if_one_node("SLURM_PROCID", "SLURM_STEP_NUM_TASKS",
                     number("SLURM_STEP_NUM_NODES") == 1 ? all : 0,
                     words({"SLURM_JOB_ID", "SLURM_STEP_ID",
                            "SLURM_RESTART_COUNT", "SLURM_CLUSTER_NAME"}));
}

}  // namespace poprt

#endif  // POPRT_BASE_LAUNCHED_H_
