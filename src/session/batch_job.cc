#include "session/batch_job.h"

#include <string>

namespace poprt {
namespace {

// The variables of a batch system; "" where it has none.
struct Variables {
  const char* system;
  const char* id;
  const char* step;
  const char* name;
  const char* queue;
  const char* nodes;
  const char* cpus_on_nodes;
  const char* cpus_per_task;
};
constexpr Variables kSystems[] = {
    {"Slurm", "SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_JOB_NAME",
     "SLURM_JOB_PARTITION", "SLURM_JOB_NUM_NODES", "SLURM_JOB_CPUS_PER_NODE",
     "SLURM_CPUS_PER_TASK"},
    {"PBS", "PBS_JOBID", "", "PBS_JOBNAME", "PBS_QUEUE", "PBS_NUM_NODES", "",
     ""},
    {"LSF", "LSB_JOBID", "LSB_JOBINDEX", "LSB_JOBNAME", "LSB_QUEUE",
     "LSB_DJOB_NUMHOST", "", ""},
    {"Flux", "FLUX_JOB_ID", "", "", "FLUX_JOB_QUEUE", "FLUX_JOB_NNODES", "",
     ""},
};

}  // namespace

BatchJob batch_job(const char* (*variable)(const char*)) {
  const auto value = [&](const char* name) {
    const char* const text = *name == '\0' ? nullptr : variable(name);
    return std::string(text == nullptr ? "" : text);
  };
  for (const Variables& each : kSystems) {
    const std::string id = value(each.id);
    if (id.empty()) continue;
    return {each.system,
            id,
            value(each.step),
            value(each.name),
            value(each.queue),
            value(each.nodes),
            value(each.cpus_on_nodes),
            value(each.cpus_per_task)};
  }
  return {};
}

}  // namespace poprt
