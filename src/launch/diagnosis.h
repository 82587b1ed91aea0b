// Judges what poprt finds on a machine: values in, values out.
#ifndef POPRT_LAUNCH_DIAGNOSIS_H_
#define POPRT_LAUNCH_DIAGNOSIS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "document/document.h"
#include "launch/launcher/launcher.h"
#include "launch/plan.h"

namespace poprt {

enum class Health { kGood, kLess, kBroken };

struct Diagnosis {
  std::string what;
  Health health = Health::kGood;
  std::string state;
  std::string advice;  // what to do; empty if there is nothing to do
};

// A launcher found in PATH.
struct FoundLauncher {
  std::string path;
  const Launcher* launcher = nullptr;
};

// The facts of a machine.
struct MachineFacts {
  std::vector<FoundLauncher> launchers;
  std::string libomp;   // paths; "" for none
  std::string libgomp;  // name
  std::string papi;     // name
  bool omp_tool_disabled = false;
  int perf_event_paranoid = 0;  // a large number if the file does not exist
  int counter_error = 0;        // errno of opening a counter; 0 if it counts
  // What this processor is; and the sets of counters that the table has for it,
  // "" if it is in no table.
  std::string processor;
  std::string counter_sets;
  // CUDA's driver and CUPTI, as texts for people
  struct Cuda {
    bool has_driver = false;
    std::string driver;      // where it is, and what it serves
    std::string cupti;       // version and path; "": it was not loaded
    std::string why_not;     // "": it can be used
    std::string other_tool;  // the one that has CUPTI's place; "": none
  };
  Cuda cuda;
  // errno of making a library's table of addresses writable, as POPRT_IO=posix
  // does
  int table_error = 0;
  // of the processors' packages, by the kernel's counters
  enum class Energy { kNone, kForbidden, kReadable };
  Energy energy = Energy::kNone;
  int sharing_error = 0;  // errno of sharing memory between two processes
  // free space of /dev/shm; negative if it cannot be written
  int64_t shm_free_bytes = 0;
  bool can_write_here = false;  // in the working directory
};

inline constexpr int kNoParanoidFile = 99;

// What it is and how it is; with a mark if not good, and what to do.
FactList fact_list(const std::vector<Diagnosis>& diagnoses);

// One each for the MPIs, OpenMP, counters, energy, memory, I/O and files.
std::vector<Diagnosis> diagnoses(const MachineFacts& facts,
                                 const Installation& installation);

// The first of these launchers that belongs to the MPI; "" for none.
std::string launcher_for(const std::vector<FoundLauncher>& launchers, Mpi mpi);

}  // namespace poprt

#endif  // POPRT_LAUNCH_DIAGNOSIS_H_
