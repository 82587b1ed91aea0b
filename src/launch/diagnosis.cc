#include "launch/diagnosis.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "document/format.h"

namespace poprt {
namespace {

// Containers have less than this in /dev/shm by default, and MPI's own buffers
// soon need more.
constexpr int64_t kLittleShm = 128 << 20;  // bytes

Diagnosis mpi_finding(const MachineFacts& facts,
                      const Installation& installation, Mpi mpi) {
  const std::string launcher = launcher_for(facts.launchers, mpi);
  const auto found = installation.mpi_libraries.find(mpi);
  const bool has_library = found != installation.mpi_libraries.end();
  Diagnosis finding{name_of(mpi), Health::kGood, "", ""};
  if (has_library && !launcher.empty()) {
    finding.state = launcher + ", " + found->second;
  } else if (has_library) {
    finding.health = Health::kLess;
    finding.state = found->second + "; no mpirun of it in PATH";
    finding.advice =
        "load that MPI's module, or start its mpirun by its full path";
  } else if (!launcher.empty()) {
    finding.health = Health::kLess;
    finding.state = launcher + ", but poprt has no library for it";
    finding.advice = "build poprt with this MPI's mpicc in PATH";
  } else {
    finding.health = Health::kLess;
    finding.state = "not found";
  }
  return finding;
}

Diagnosis openmp_finding(const MachineFacts& facts,
                         const Installation& installation) {
  if (!installation.sees_openmp) {
    return {"OpenMP", Health::kLess,
            "not seen: poprt was built without omp-tools.h",
            "install LLVM's (Debian: libomp-dev) and build poprt again"};
  }
  if (facts.omp_tool_disabled) {
    return {"OpenMP", Health::kLess, "OMP_TOOL=disabled hides it from tools",
            "unset OMP_TOOL"};
  }
  if (facts.libomp.empty()) {
    return {"OpenMP", Health::kLess,
            facts.libgomp.empty()
                ? "no LLVM runtime (libomp) found"
                : "only GCC's runtime (libgomp), which tells tools nothing",
            "install LLVM's (Debian: libomp5), or name it: LD_LIBRARY_PATH, "
            "poprt run --omp=PATH"};
  }
  return {"OpenMP", Health::kGood,
          facts.libomp + (facts.libgomp.empty()
                              ? ""
                              : ", also for programs of GCC (poprt run --omp)"),
          ""};
}

// Whether there is any hope of a counter.
bool may_have_counters(const MachineFacts& facts) {
  return facts.counter_error != ENOENT && facts.counter_error != EOPNOTSUPP;
}

Diagnosis counter_finding(const MachineFacts& facts) {
  Diagnosis finding{"counters", Health::kLess, "", ""};
  const std::string papi = facts.papi.empty() ? "" : "; PAPI: " + facts.papi;
  if (facts.counter_error == 0 && facts.papi.empty()) {
    finding.state = "there are some, but no PAPI to read them";
    finding.advice =
        "install PAPI (Debian: libpapi7.0), or load its module; times need no "
        "counters";
    return finding;
  }
  if (facts.counter_error == 0) {
    finding.health = Health::kGood;
    finding.state =
        "poprt run --counters=default counts instructions and cycles" + papi;
    return finding;
  }
  if (facts.counter_error == EACCES || facts.counter_error == EPERM) {
    finding.state = facts.perf_event_paranoid == kNoParanoidFile
                        ? "the kernel does not allow them"
                        : fmt::format("kernel.perf_event_paranoid is {}",
                                      facts.perf_event_paranoid);
    finding.advice =
        "ask for kernel.perf_event_paranoid of 2 or less; in a container, for "
        "the right to call perf_event_open";
  } else if (!may_have_counters(facts)) {
    finding.state = "this machine shows no hardware counters (virtual?)";
    finding.advice = "none here; times need no counters";
  } else {
    finding.state =
        fmt::format("perf_event_open: {}", std::strerror(facts.counter_error));
    finding.advice = "none here; times need no counters";
  }
  finding.state += papi;
  return finding;
}

Diagnosis cuda_finding(const MachineFacts::Cuda& cuda) {
  // Most machines have no GPU, and need none.
  if (!cuda.has_driver) {
    return {"CUDA", Health::kGood,
            cuda.why_not.empty() ? "there is no driver" : cuda.why_not, ""};
  }
  Diagnosis finding{"CUDA", Health::kLess, "", ""};
  const std::string found =
      cuda.cupti.empty() ? "" : "CUPTI " + cuda.cupti + "; ";
  if (!cuda.why_not.empty()) {
    finding.state = found + cuda.why_not;
    finding.advice =
        "name the libcupti of a CUDA that the driver serves: POPRT_CUPTI=PATH";
  } else if (!cuda.other_tool.empty()) {
    finding.state = found + "another tool has its place: " + cuda.other_tool;
    finding.advice = "run without that tool, or without POPRT_DEVICES=cuda";
  } else {
    finding.health = Health::kGood;
    finding.state =
        found + "POPRT_DEVICES=cuda measures it; not verified on a GPU";
  }
  if (!cuda.driver.empty() &&
      cuda.why_not.find(cuda.driver) == std::string::npos) {
    finding.state += "; driver: " + cuda.driver;
  }
  return finding;
}

Diagnosis counter_sets_finding(const MachineFacts& facts) {
  if (!facts.counter_sets.empty()) {
    return {"counter sets", Health::kGood,
            fmt::format("of {}: {}", facts.processor, facts.counter_sets), ""};
  }
  return {
      "counter sets", Health::kLess,
      fmt::format("{} is in no table: default only",
                  facts.processor.empty() ? "this processor" : facts.processor),
      "docs/counters.md says how to add it (--counter-table)"};
}

Diagnosis posix_io_finding(const MachineFacts& facts) {
  if (facts.table_error == 0) {
    return {"POSIX I/O", Health::kGood, "poprt run --io posix measures it", ""};
  }
  return {"POSIX I/O", Health::kLess,
          fmt::format("not measured: the system does not let a library's table "
                      "of addresses be changed ({})",
                      std::strerror(facts.table_error)),
          "allow mprotect (seccomp, SELinux) where the program runs; MPI-IO is "
          "measured all the same"};
}

Diagnosis energy_finding(const MachineFacts& facts) {
  switch (facts.energy) {
    case MachineFacts::Energy::kReadable:
      return {"energy", Health::kGood, "of the processors, in every report",
              ""};
    case MachineFacts::Energy::kForbidden:
      return {"energy", Health::kLess, "only the administrator may read it",
              "ask for: chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj"};
    case MachineFacts::Energy::kNone:
      break;
  }
  return {"energy", Health::kGood, "this machine does not tell it", ""};
}

Diagnosis sharing_finding(const MachineFacts& facts) {
  if (facts.sharing_error == 0) {
    return {"shared memory", Health::kGood,
            "between processes of one node (memfd, /proc/PID/fd)", ""};
  }
  return {"shared memory", Health::kLess,
          fmt::format("not between processes: {}; clocks go as messages",
                      std::strerror(facts.sharing_error)),
          "allow memfd_create and /proc in the container; what is measured is "
          "the same, it costs more"};
}

Diagnosis shm_finding(const MachineFacts& facts) {
  if (facts.shm_free_bytes < 0) {
    return {"/dev/shm", Health::kLess, "cannot be written; MPI may need it",
            "mount it as a tmpfs that users can write"};
  }
  const int64_t mib = facts.shm_free_bytes >> 20;
  Diagnosis finding{"/dev/shm", Health::kGood, fmt::format("{} MiB free", mib),
                    ""};
  if (facts.shm_free_bytes < kLittleShm) {
    finding.health = Health::kLess;
    finding.advice = "MPI itself may need more; in a container: --shm-size=1g";
  }
  return finding;
}

}  // namespace

std::string launcher_for(const std::vector<FoundLauncher>& launchers, Mpi mpi) {
  for (const FoundLauncher& each : launchers) {
    if (each.launcher->mpi == key_of(mpi)) return each.path;
  }
  return "";
}

FactList fact_list(const std::vector<Diagnosis>& diagnoses) {
  FactList list;
  list.has_marks = true;
  for (const Diagnosis& each : diagnoses) {
    const Grade grade = each.health == Health::kGood   ? Grade::kGood
                        : each.health == Health::kLess ? Grade::kAttention
                                                       : Grade::kPoor;
    list.facts.push_back({each.what, each.state, grade});
    if (!each.advice.empty()) {
      list.facts.push_back({"", each.advice, Grade::kNone, "-> "});
    }
  }
  return list;
}

std::vector<Diagnosis> diagnoses(const MachineFacts& facts,
                                 const Installation& installation) {
  std::vector<Diagnosis> result;
  for (const Mpi mpi : {Mpi::kOpenMpi, Mpi::kMpich}) {
    result.push_back(mpi_finding(facts, installation, mpi));
  }
  if (const auto found = installation.mpi_libraries.find(Mpi::kStandardAbi);
      found != installation.mpi_libraries.end()) {
    result.push_back({"standard ABI", Health::kGood,
                      found->second + ", for programs of any MPI that are "
                                      "linked to libmpi_abi.so",
                      ""});
  }
  for (const FoundLauncher& each : facts.launchers) {
    const std::string name = each.launcher->name;
    if (each.launcher->mpi.empty() && result.back().what != name) {
      result.push_back({name, Health::kGood, each.path, ""});
    }
  }
  if (installation.omp_library.empty()) {
    result.push_back({"no MPI", Health::kBroken,
                      "libpoprt-omp.so is not beside this poprt",
                      "install or build all of poprt"});
  } else {
    result.push_back({"no MPI", Health::kGood, installation.omp_library, ""});
  }
  if (const std::string path = unloadable_library(installation);
      !path.empty()) {
    result.push_back(
        {"preloading", Health::kBroken,
         "the loader takes no path with a blank or a colon: " + path,
         "install poprt in a folder that has none"});
  }
  result.push_back(openmp_finding(facts, installation));
  result.push_back(cuda_finding(facts.cuda));
  result.push_back(counter_finding(facts));
  if (may_have_counters(facts)) result.push_back(counter_sets_finding(facts));
  result.push_back(energy_finding(facts));
  result.push_back(sharing_finding(facts));
  result.push_back(shm_finding(facts));
  result.push_back(posix_io_finding(facts));
  if (installation.locations.empty()) {
    result.push_back({"lines of source", Health::kLess,
                      "no poprt-locations: places are named by function only",
                      "build poprt with elfutils' libdw (Debian: libdw-dev)"});
  } else {
    result.push_back({"lines of source", Health::kGood,
                      installation.locations + ", of programs built with -g",
                      ""});
  }
  if (installation.topology.empty()) {
    result.push_back({"topology", Health::kLess,
                      "no poprt-topology: what a host consists of is not known",
                      "build poprt with hwloc (Debian: libhwloc-dev)"});
  } else {
    result.push_back(
        {"topology", Health::kGood, installation.topology + ", by hwloc", ""});
  }
  if (facts.can_write_here) {
    result.push_back({"run file", Health::kGood,
                      "the working directory can be written", ""});
  } else {
    result.push_back({"run file", Health::kLess,
                      "the working directory cannot be written",
                      "name another place: poprt run --output=DIR/"});
  }
  return result;
}

}  // namespace poprt
