// The run file.  Keys, their order and their meaning: docs/file_format.md.
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/members.h"
#include "model/metric_table.h"
#include "report/run_file_schema.h"
#include "report/writers.h"

namespace poprt {
namespace {

using Json = nlohmann::ordered_json;
// Places of hosts in JobTotals::hosts, by the key of their names.
using HostIndex = std::map<uint64_t, size_t>;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

template <class Totals, size_t kCount>
void put_members(const Member<Totals> (&members)[kCount], const Totals& totals,
                 Json* object) {
  for (const Member<Totals>& member : members) {
    (*object)[member.name] = totals.*member.value;
  }
}

Json run_of(const JobReport& report) {
  const RunContext& context = report.context;
  const JobTotals& totals = report.totals;
  Json run;
  run["program"] = context.program;
  run["command"] = context.command;
  run["start_time"] = context.start_time;
  run["ranks"] = totals.processes;
  run["threads"] = totals.threads;
  run["threads_per_process"]["min"] = totals.threads_min;
  run["threads_per_process"]["max"] = totals.threads_max;
  run["hosts"] = Json::array();
  for (const HostShare& host : totals.hosts) {
    Json entry;
    entry["name"] = host.name;
    entry["processes"] = host.processes;
    run["hosts"].push_back(std::move(entry));
  }
  run["mpi"] = nullptr;
  if (totals.has_mpi) {
    Json mpi;
    mpi["library"] = context.mpi_library;
    mpi["thread_level"] = context.mpi_thread_level;
    run["mpi"] = std::move(mpi);
  }
  run["openmp"] = nullptr;
  if (totals.has_openmp) {
    Json openmp;
    openmp["runtime"] = context.openmp_runtime;
    run["openmp"] = std::move(openmp);
  }
  run["unseen_openmp"] = totals.has_unseen_openmp;
  run["clock"] = context.clock;
  const bool imported = !context.imported_from.empty();
  run["imported_from"] = imported ? Json(context.imported_from) : Json(nullptr);
  // Keys differ, and there may be many: they are not looked for.
  Json::object_t metadata;
  for (const Metadata& entry : totals.metadata) {
    metadata.emplace_back(entry.key, entry.value);
  }
  run["metadata"] = std::move(metadata);
  return run;
}

Json quality_of(const JobReport& report) {
  const Quality& quality = report.totals.quality;
  const double core_ns = static_cast<double>(job_core_ns(report));
  Json json;
  json["overhead_ns"] = quality.overhead_ns;
  json["overhead_fraction"] =
      number(static_cast<double>(quality.overhead_ns) / core_ns);
  put_members(kQualityMembers, quality, &json);
  json["notes"] = quality.notes;
  return json;
}

HostIndex index_of(const std::vector<HostShare>& hosts) {
  HostIndex index;
  for (size_t i = 0; i < hosts.size(); ++i) {
    index[region_key(hosts[i].name.data(), hosts[i].name.size())] = i;
  }
  return index;
}

// The name of the host with this key; a key of its own where it has none.
std::string host_name(const JobTotals& totals, const HostIndex& index,
                      uint64_t key) {
  const auto found = index.find(key);
  return found == index.end() ? std::to_string(key)
                              : totals.hosts[found->second].name;
}

// Where processes with rows ran, as columns.
Json processes_of(const JobTotals& totals, const HostIndex& index) {
  if (totals.places.empty()) return nullptr;
  Json columns;
  for (const ProcessPlace& place : totals.places) {
    columns["rank"].push_back(place.rank);
    const auto host = index.find(place.host);
    columns["host"].push_back(host == index.end() ? 0 : host->second);
    columns["threads"].push_back(place.threads);
  }
  return columns;
}

Json rows_of(const RegionTotals& region) {
  if (region.rows.empty()) return nullptr;
  Json columns;
  for (const Member<ProcessRow>& member : kRowMembers) {
    Json& column = columns[member.name];
    for (const ProcessRow& row : region.rows) {
      column.push_back(row.*member.value);
    }
  }
  return columns;
}

Json metrics_of_region(const Metrics& metrics) {
  Json json;
  size_t count;
  const Metric* const table = metric_table(&count);
  for (const Metric* metric = table; metric != table + count; ++metric) {
    json[key_of(metric->model)][metric->key] = number(metric->value(metrics));
  }
  return json;
}

Json region_of(const JobTotals& job, const HostIndex& index,
               const RegionReport& region) {
  const RegionTotals& totals = region.totals;
  const auto clock = [&](int64_t ns) {
    return region.clocks_complete ? Json(ns) : Json(nullptr);
  };
  Json json;
  json["name"] = totals.name;
  json["processes"] = totals.processes;
  json["threads"] = totals.threads;
  json["visits"] = totals.visits;
  json["visits_max"] = totals.visits_max;
  json["elapsed_max_ns"] = totals.elapsed_max_ns;
  json["clocks_complete"] = region.clocks_complete;
  json["clocks"]["cue_ns"] = clock(totals.cue_ns);
  json["clocks"]["com_ns"] = clock(totals.com_ns);
  json["clocks"]["comp_ns"] = clock(totals.comp_ns);
  json["clocks"]["coo_ns"] = clock(totals.coo_ns);
  json["clocks"]["all_ns"] = clock(totals.all_ns);

  Json& accumulators = json["accumulators"];
  put_members(kRegionMembers, totals, &accumulators);
  accumulators["nodes"] = Json::array();
  for (const NodeShare& node : totals.nodes) {
    Json entry;
    entry["host"] = host_name(job, index, node.host);
    entry["processes"] = node.processes;
    entry["not_mpi_sum_ns"] = node.not_mpi_sum_ns;
    accumulators["nodes"].push_back(std::move(entry));
  }
  json["rows"] = rows_of(totals);
  json["metrics"] = metrics_of_region(region.metrics);
  return json;
}

Json constructs_of(const JobReport& report, bool tasks) {
  Json list = Json::array();
  for (const ConstructReport& construct : report.constructs) {
    const ConstructTotals& totals = construct.totals;
    if (totals.is_task != tasks) continue;
    const bool rest = totals.module.empty();
    Json json;
    json["location"] = rest ? Json(nullptr) : Json(construct.location);
    json["module"] = rest ? Json(nullptr) : Json(totals.module);
    json["offset"] = rest ? Json(nullptr) : Json(totals.offset);
    if (tasks) {
      json["visits"] = totals.visits;
      json["useful_ns"] = totals.useful_ns;
    } else {
      put_members(kConstructMembers, totals, &json);
      json["contribution"] = number(construct.contribution);
      json["load_balance"] = number(construct.load_balance);
      json["scheduling_efficiency"] = number(construct.scheduling);
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

std::string to_json(const JobReport& report) {
  Json json;
  json["schema"] = kSchema;
  json["schema_version"] =
      std::to_string(kSchemaMajor) + "." + std::to_string(kSchemaMinor);
  json["tool"]["name"] = "poprt";
  json["tool"]["version"] = POPRT_VERSION;
  json["run"] = run_of(report);
  json["quality"] = quality_of(report);
  const HostIndex index = index_of(report.totals.hosts);
  json["processes"] = processes_of(report.totals, index);
  json["regions"] = Json::array();
  for (const RegionReport& region : report.regions) {
    json["regions"].push_back(region_of(report.totals, index, region));
  }
  json["parallel_regions"] = constructs_of(report, false);
  json["task_constructs"] = constructs_of(report, true);
  // Names come from the program and need not be UTF-8.
  return json.dump(1, ' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace) +
         "\n";
}

}  // namespace poprt
