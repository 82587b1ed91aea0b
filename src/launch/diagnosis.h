// What poprt finds on a machine, judged: values in, values out.
#ifndef POPRT_LAUNCH_DIAGNOSIS_H_
#define POPRT_LAUNCH_DIAGNOSIS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "launch/launcher.h"
#include "launch/plan.h"

namespace poprt {

enum class Health { kGood, kLess, kBroken };

struct Finding {
  std::string what;
  Health health = Health::kGood;
  std::string state;
  std::string advice;  // what to do; empty where there is nothing
};

// A launcher that PATH has.
struct FoundLauncher {
  std::string path;
  Launcher launcher = Launcher::kNone;
};

// The facts of a machine.
struct MachineFacts {
  std::vector<FoundLauncher> launchers;
  std::string libomp;   // paths; "" for none
  std::string libgomp;  // name
  std::string papi;     // name
  bool omp_tool_disabled = false;
  int perf_event_paranoid = 0;  // above the highest: no such file
  int counter_error = 0;        // errno of opening one; 0: it counts
  int sharing_error = 0;        // errno of memory that two processes share
  int64_t shm_free_bytes = 0;   // in /dev/shm; negative: it cannot be written
  bool can_write_here = false;  // in the working directory
};

inline constexpr int kNoParanoidFile = 99;

// Some lines, with a mark: '!' what is less than it could be, 'x' what does
// not work.
std::string to_text(const Finding& finding);

// One for each: the MPIs, OpenMP, counters, memory, files.
std::vector<Finding> findings(const MachineFacts& facts,
                              const Installation& installation);

// The first of these that is for that MPI; "" for none.
std::string launcher_for(const std::vector<FoundLauncher>& launchers, Mpi mpi);

}  // namespace poprt

#endif  // POPRT_LAUNCH_DIAGNOSIS_H_
