// What a launcher (mpirun, srun) tells this process by its environment.
#ifndef POPRT_BASE_LAUNCHED_H_
#define POPRT_BASE_LAUNCHED_H_

#include <cstdlib>
#include <string_view>

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
  struct Variables {
    const char* rank;
    const char* processes;
  };
  // PMIx has no variable for the number of processes.  Slurm's variables are
  // those of a step: in a batch script, which srun has not started, there is no
  // number of tasks.
  constexpr Variables kLaunchers[] = {
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
      {"PMI_RANK", "PMI_SIZE"},
      {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
      {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  for (const Variables& launcher : kLaunchers) {
    const char* const rank = variable(launcher.rank);
    if (rank == nullptr || *rank == '\0') continue;
    const char* const processes = variable(launcher.processes);
    return {true, std::string_view(rank) == "0",
            processes == nullptr ? 1 : std::atoi(processes)};
  }
  return {};
}

// Whether the launcher says that this is the first process of its job on its
// host.  True as well if it does not say.
template <class Variable>
bool is_first_on_host(Variable variable) {
  for (const char* const name :
       {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK",
        "PALS_LOCAL_RANKID", "FLUX_TASK_LOCAL_ID", "SLURM_LOCALID"}) {
    const char* const rank = variable(name);
    if (rank != nullptr && *rank != '\0') return std::string_view(rank) == "0";
  }
  return true;
}

}  // namespace poprt

#endif  // POPRT_BASE_LAUNCHED_H_
