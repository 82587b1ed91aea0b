// What a launcher (mpirun, srun) has told this process by its environment.
#ifndef POPRT_RUNTIME_LAUNCHED_H_
#define POPRT_RUNTIME_LAUNCHED_H_

#include <cstdlib>
#include <string_view>

namespace poprt {

struct Launched {
  bool by_launcher = false;
  bool is_first = true;  // of the job; also without a launcher
  int processes = 1;     // that were started together, as far as it tells
};

// `variable` is getenv(), or the same of another environment.  The innermost
// launcher counts: mpirun may have been started by srun.
template <class Variable>
Launched launched_as(Variable variable) {
  struct Variables {
    const char* rank;
    const char* processes;
  };
  // PMIx has no variable for the size.  Slurm's are those of a step: in a batch
  // script, whose programs srun has not started, there is no number of tasks.
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

}  // namespace poprt

#endif  // POPRT_RUNTIME_LAUNCHED_H_
