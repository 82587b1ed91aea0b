// TALP's JSON: names, order and units are those of DLB's talp_output.c.
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "document/escaped_json.h"
#include "exchange/formats.h"
#include "exchange/run_name.h"
#include "exchange/talp_times.h"
#include "report/heading.h"
#include "run_file/json_document.h"

namespace poprt {
namespace {

// TALP-Pages accepts only versions of TALP that it knows.
constexpr char kDlbVersion[] = "3.5.3";

// "2026-01-02T03:04:05Z" without the Z.  TALP writes none, and TALP-Pages
// cannot order times with and without it.
std::string timestamp(const std::string& start_time) {
  std::string text = start_time;
  if (!text.empty() && text.back() == 'Z') text.pop_back();
  return text;
}

// A lower bound: the number of threads that called MPI.
int64_t mpi_calls(const RegionTotals& region) {
  return std::max<int64_t>(region.mpi_callers, region.mpi_sum_ns > 0 ? 1 : 0);
}

// How many instances of parallel regions, or of tasks, the whole run had.
int64_t instances(const JobReport& report, bool tasks) {
  int64_t sum = 0;
  for (const ConstructReport& construct : report.constructs) {
    if (construct.totals.is_task == tasks) sum += construct.totals.visits;
  }
  return sum;
}

Json region_json(const JobReport& report, const RegionReport& region) {
  const TalpTimes times = talp_times_of(region.totals);
  const TalpMetrics metrics = talp_program_metrics(times);
  const bool global = &region == global_region(report);
  const JobTotals& job = report.totals;
  Json json;
  json["numCpus"] = times.cpus;
  json["numOmpThreads"] = job.has_openmp ? times.cpus : 0;
  json["numMpiRanks"] = job.has_mpi ? times.processes : 0;
  json["numNodes"] = times.nodes;
  json["avgCpus"] = static_cast<double>(times.cpus);
  json["numGpus"] = 0;
  json["cycles"] = 0;
  json["instructions"] = 0;
  json["numMeasurements"] = times.measurements;
  json["numMpiCalls"] = job.has_mpi ? mpi_calls(region.totals) : 0;
  json["numOmpParallels"] = global ? instances(report, false) : 0;
  json["numOmpTasks"] = global ? instances(report, true) : 0;
  json["numGpuRuntimeCalls"] = times.gpu_runtime > 0 ? 1 : 0;
  json["elapsedTime"] = times.elapsed;
  json["usefulTime"] = times.useful;
  json["mpiTime"] = times.mpi;
  json["mpiWorkerIdleTime"] = times.mpi_worker_idle;
  json["ompLoadImbalanceTime"] = times.omp_load_imbalance;
  json["ompSchedulingTime"] = times.omp_scheduling;
  json["ompSerializationTime"] = times.omp_serialization;
  json["gpuRuntimeTime"] = times.gpu_runtime;
  json["minMpiNormdProc"] = times.min_mpi_normd_proc;
  json["minMpiNormdNode"] = times.min_mpi_normd_node;
  for (const char* const key :
       {"gpuUsefulTime", "gpuCommunicationTime", "gpuInactiveTime",
        "maxGpuUsefulTime", "maxGpuActiveTime"}) {
    json[key] = 0;
  }
  json["parallelEfficiency"] = metrics.parallel_efficiency;
  json["mpiParallelEfficiency"] = metrics.mpi_parallel_efficiency;
  json["mpiCommunicationEfficiency"] = metrics.mpi_communication_efficiency;
  json["mpiLoadBalance"] = metrics.mpi_load_balance;
  json["mpiLoadBalanceIn"] = metrics.mpi_load_balance_in;
  json["mpiLoadBalanceOut"] = metrics.mpi_load_balance_out;
  json["ompParallelEfficiency"] = metrics.openmp_parallel_efficiency;
  json["ompLoadBalance"] = metrics.openmp_load_balance;
  json["ompSchedulingEfficiency"] = metrics.openmp_scheduling_efficiency;
  json["ompSerializationEfficiency"] = metrics.openmp_serialization_efficiency;
  json["deviceOffloadEfficiency"] = metrics.device_offload_efficiency;
  for (const char* const key :
       {"gpuParallelEfficiency", "gpuLoadBalance", "gpuCommunicationEfficiency",
        "gpuOrchestrationEfficiency"}) {
    json[key] = 0;
  }
  return json;
}

}  // namespace

std::string to_talp(const JobReport& report) {
  const JobTotals& job = report.totals;
  Json json;
  json["dlbVersion"] = kDlbVersion;
  if (!report.context.start_time.empty()) {
    json["timestamp"] = timestamp(report.context.start_time);
  }
  Json& resources = json["resources"];
  resources["numCpus"] = job.threads;
  resources["numAvailableCpus"] = job.threads;
  resources["numNodes"] = job.hosts.size();
  resources["numMpiRanks"] = job.has_mpi ? job.processes : 0;
  resources["numGpus"] = 0;
  for (const RegionReport& region : report.regions) {
    json["Application"][region.totals.name] = region_json(report, region);
  }
  // Names come from the program and need not be UTF-8.
  return escaped_json(json.dump(2, ' ', /*ensure_ascii=*/false,
                                Json::error_handler_t::replace)) +
         "\n";
}

std::vector<ExportedFile> talp_files(const std::vector<JobReport>& reports) {
  std::vector<ExportedFile> files;
  for (const JobReport& report : reports) {
    files.push_back({file_name_of(report.context) + "/poprt/talp_" +
                         file_shape(report.totals) + ".json",
                     to_talp(report)});
  }
  return files;
}

}  // namespace poprt
