#include "exchange/talp_import.h"

#include <algorithm>
#include <utility>

#include "document/format.h"
#include "exchange/talp_times.h"
#include "model/noted.h"
#include "run_file/json_document.h"

namespace poprt {
namespace {

// The largest machines have some ten thousand nodes, and each region has a list
// of them.
constexpr int64_t kMostNodes = 250000;

// Larger values could overflow 64 bits in poprt's formulas.
constexpr double kLargest = static_cast<double>(kLargestInteger);

int64_t count_or(const Cursor& region, const char* key, int64_t otherwise) {
  return region.has(key) ? region[key].count() : otherwise;
}

// The least MPI time per CPU of a process or node, from the load balance that
// results from it; for files of versions of TALP that did not write it.
int64_t mpi_normd_of(const TalpTimes& times, double balance) {
  const double whole = times.average();
  const double not_mpi =
      whole - static_cast<double>(times.mpi) / static_cast<double>(times.cpus);
  const double largest = balance > 0 ? not_mpi / balance : whole;
  return static_cast<int64_t>(whole - std::clamp(largest, 0.0, whole));
}

int64_t read_mpi_normd(const Cursor& region, const char* key,
                       const char* balance, const TalpTimes& times) {
  if (!region.has(key)) {
    return mpi_normd_of(times, region[balance].number());
  }
  const double value = region[key].number();
  region[key].expect(value >= 0 && value <= static_cast<double>(times.elapsed),
                     "is not between 0 and elapsedTime");
  return region.ok() ? static_cast<int64_t>(value) : 0;
}

TalpTimes read_times(const Cursor& region) {
  TalpTimes t;
  t.processes = std::max<int64_t>(region["numMpiRanks"].count(), 1);
  t.cpus = region["numCpus"].count(t.processes);
  t.nodes =
      std::clamp<int64_t>(count_or(region, "numNodes", 1), 1, t.processes);
  t.measurements = count_or(region, "numMeasurements", 1);
  t.elapsed = region["elapsedTime"].count();
  t.useful = region["usefulTime"].count();
  t.mpi = region["mpiTime"].count();
  t.mpi_worker_idle = count_or(region, "mpiWorkerIdleTime", 0);
  t.omp_load_imbalance = region["ompLoadImbalanceTime"].count();
  t.omp_scheduling = region["ompSchedulingTime"].count();
  t.omp_serialization = region["ompSerializationTime"].count();
  t.gpu_runtime = count_or(region, "gpuRuntimeTime", 0);
  const double sum = static_cast<double>(t.useful) +
                     static_cast<double>(t.mpi) +
                     static_cast<double>(t.mpi_worker_idle) +
                     static_cast<double>(t.omp_load_imbalance) +
                     static_cast<double>(t.omp_scheduling) +
                     static_cast<double>(t.omp_serialization) +
                     static_cast<double>(t.gpu_runtime);
  const double core =
      static_cast<double>(t.cpus) * static_cast<double>(t.elapsed);
  region.expect(sum < kLargest && core < kLargest, "has times out of range");
  if (!region.ok()) return t;
  t.min_mpi_normd_proc =
      read_mpi_normd(region, "minMpiNormdProc", "mpiLoadBalance", t);
  t.min_mpi_normd_node =
      read_mpi_normd(region, "minMpiNormdNode", "mpiLoadBalanceOut", t);
  return t;
}

// Whether a paradigm was used: it was called, or in files without numbers of
// calls, it has times.
bool called(const Cursor& region, const char* calls, int64_t time) {
  return region.has(calls) ? region[calls].count() > 0 : time > 0;
}

// TALP does not write the program's name, so the file's name is used.
std::string program_of(const std::string& name) {
  const std::string base = name.substr(name.rfind('/') + 1);
  const size_t end = base.rfind(".json");
  return end == std::string::npos || end == 0 ? base : base.substr(0, end);
}

void describe_job(const TalpTimes& global, JobTotals* totals) {
  totals->processes = global.processes;
  totals->threads = global.cpus;
  totals->threads_min = global.cpus / global.processes;
  totals->threads_max = (global.cpus + global.processes - 1) / global.processes;
  for (int64_t n = 0; n < global.nodes; ++n) {
    totals->hosts.push_back(
        {talp_node_name(n),
         talp_node_processes(global.processes, global.nodes, n)});
  }
  // TALP has no clocks on messages, so no clock is complete.
  totals->full_tables = 1;
}

}  // namespace

std::optional<JobReport> parse_talp(std::string_view text,
                                    const std::string& name,
                                    std::string* complaint) {
  std::string what;
  const auto complain = [&](std::string_view separator) {
    // Names of regions are from the file and may contain anything.
    *complaint = printable(name) + std::string(separator) +
                 shortened(printable(what), 200);
    return std::nullopt;
  };
  const std::optional<Json> json = parse_json(text, &what);
  if (!json) return complain(":");

  const Cursor file(*json, &what);
  file.expect(file.has("dlbVersion"), "is not a JSON file of TALP");
  if (!file.ok()) return complain(": ");
  RunContext context;
  context.program = program_of(name);
  context.imported_from = "TALP " + file["dlbVersion"].string();
  if (file.has("timestamp")) {
    context.start_time = file["timestamp"].string();
  }
  JobTotals totals;
  const Cursor regions = file["Application"];
  regions.expect(regions.has(kGlobalRegion), "has no region Global");
  int64_t nodes = 0;
  regions.for_each_member(
      [&](const std::string& region_name, const Cursor& region) {
        const bool global = region_name == kGlobalRegion;
        const bool entered = count_or(region, "numMeasurements", 1) > 0;
        if (!entered && !global) return;
        const TalpTimes times = read_times(region);
        region.expect(!region_name.empty(), "is a region without a name");
        region.expect((nodes += times.nodes) <= kMostNodes,
                      "has more nodes than can be imported");
        if (!region.ok()) return;
        totals.has_mpi |= called(region, "numMpiCalls", times.mpi);
        totals.has_openmp |=
            called(region, "numOmpParallels", times.omp()) || times.omp() > 0;
        totals.has_devices |= times.gpu_runtime > 0;
        if (global) describe_job(times, &totals);
        totals.regions.push_back(region_of(region_name, times));
      });
  if (!file.ok()) return complain(": ");
  totals.quality.notes = {noted<"imported">(context.imported_from)};
  return make_report(std::move(context), std::move(totals));
}

}  // namespace poprt
