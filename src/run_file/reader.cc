#include "run_file/reader.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "model/members.h"
#include "report/format.h"
#include "report/run_file_schema.h"
#include "run_file/input.h"
#include "run_file/json_document.h"
#include "run_file/rows.h"

namespace poprt {
namespace {

using HostNames = std::set<std::string>;

// Constructs are what a report shows, 20 of each kind and a rest.
using Place = std::tuple<std::string, uint64_t, bool>;
using Locations = std::map<Place, std::string>;

Place place_of(const ConstructTotals& c) {
  return {c.module, c.offset, c.is_task};
}

// The minor version, or nullopt and a complaint.
std::optional<int> minor_version(const Cursor& file) {
  file.expect(file.has("schema"), "is not a run file of poprt");
  if (!file.ok()) return std::nullopt;
  file["schema"].expect(file["schema"].string() == kSchema,
                        "is not \"poprt.run\": not a run file of poprt");
  const Cursor version = file["schema_version"];
  const std::string text = version.string();
  int major = 0;
  int minor = 0;
  const char* const end = text.data() + text.size();
  const auto dot = std::from_chars(text.data(), end, major);
  const bool has_minor =
      dot.ec == std::errc() && dot.ptr != end && *dot.ptr == '.';
  const auto rest = has_minor ? std::from_chars(dot.ptr + 1, end, minor) : dot;
  version.expect(has_minor && rest.ec == std::errc() && rest.ptr == end,
                 "is not a version (\"" + std::to_string(kSchemaMajor) + "." +
                     std::to_string(kSchemaMinor) + "\")");
  version.expect(major == kSchemaMajor,
                 "is " + std::to_string(major) + "." + std::to_string(minor) +
                     "; this poprt reads 1.x: use a newer one");
  return file.ok() ? std::optional(minor) : std::nullopt;
}

void read_run(const Cursor& run, int minor, RunContext* context,
              JobTotals* totals) {
  context->program = run["program"].string();
  run["command"].for_each([&](const Cursor& argument) {
    context->command.push_back(argument.string());
  });
  context->start_time = run["start_time"].string();
  context->clock = run["clock"].string();
  totals->processes = run["ranks"].count();
  totals->threads = run["threads"].count();
  totals->threads_min = run["threads_per_process"]["min"].count();
  totals->threads_max = run["threads_per_process"]["max"].count();
  run["hosts"].for_each([&](const Cursor& host) {
    totals->hosts.push_back({host["name"].string(), host["processes"].count()});
  });
  totals->has_mpi = !run["mpi"].is_null();
  if (totals->has_mpi) {
    context->mpi_library = run["mpi"]["library"].string();
    context->mpi_thread_level = run["mpi"]["thread_level"].string();
  }
  totals->has_openmp = !run["openmp"].is_null();
  if (totals->has_openmp) {
    context->openmp_runtime = run["openmp"]["runtime"].string();
  }
  if (minor >= 3) totals->has_unseen_openmp = run["unseen_openmp"].boolean();
  if (minor >= 4) {
    run["metadata"].for_each_member(
        [&](const std::string& key, const Cursor& value) {
          totals->metadata.push_back({key, value.string(), 0});
        });
  }
  if (minor >= 4 && !run["imported_from"].is_null()) {
    context->imported_from = run["imported_from"].string();
  }
}

void read_quality(const Cursor& json, int minor, Quality* quality) {
  for (const Member<Quality>& member : kQualityMembers) {
    const bool since_1_4 = member.value == &Quality::metadata_dropped;
    if (since_1_4 && minor < 4) continue;
    quality->*member.value = json[member.name].count();
  }
  json["notes"].for_each(
      [&](const Cursor& note) { quality->notes.push_back(note.string()); });
}

// The key of a host, which the file has by name; where no host has that name,
// it is the key itself.
uint64_t host_key(const std::string& name, const HostNames& hosts) {
  uint64_t key = 0;
  const char* const end = name.data() + name.size();
  const bool known = hosts.count(name) > 0;
  const auto number = std::from_chars(name.data(), end, key);
  if (!known && number.ec == std::errc() && number.ptr == end) return key;
  return region_key(name.data(), name.size());
}

// What the model computes with must be as the library writes it: a region has
// threads, and its core time is a number.
void expect_computable(const RegionTotals& region, const Cursor& accumulators) {
  const auto largest = static_cast<double>(kLargestInteger);
  accumulators.expect(
      static_cast<double>(region.threads) * static_cast<double>(region.all_ns) <
          largest,
      "has a core time (threads x all_ns) out of range");
  accumulators.expect(static_cast<double>(region.useful_sum_ns) +
                              static_cast<double>(region.mpi_sum_ns) +
                              static_cast<double>(region.omp_sum_ns) <
                          largest,
                      "has a core time (useful, MPI and OpenMP) out of range");
  accumulators.expect(region.mpi_io_sum_ns <= region.mpi_sum_ns,
                      "has more mpi_io_sum_ns than mpi_sum_ns");
}

// The time of MPI's callers was weighed by threads, which is the same where all
// processes have as many, and COM counted MPI inside parallel regions.
void read_before_1_5(const Cursor& accumulators, RegionTotals* region) {
  const auto weighted = static_cast<long double>(
      accumulators["mpi_callers_outside_weighted_ns"].count());
  const auto threads =
      static_cast<long double>(std::max<int64_t>(region->threads, 1));
  region->mpi_callers_outside_sum_ns = static_cast<int64_t>(
      weighted * static_cast<long double>(region->processes) / threads);
  region->comp_ns = region->com_ns;
}

RegionTotals read_region(const Cursor& json, int minor, const JobTotals& job,
                         const HostNames& hosts) {
  RegionTotals region;
  region.name = json["name"].string();
  json["name"].expect(!region.name.empty(), "is empty");
  region.key = region_key(region.name.data(), region.name.size());
  const Cursor accumulators = json["accumulators"];
  for (const Member<RegionTotals>& member : kRegionMembers) {
    const bool since_1_1 = member.value == &RegionTotals::mpi_io_sum_ns;
    if (since_1_1 && minor < 1) continue;
    const bool since_1_5 =
        member.value == &RegionTotals::mpi_callers_outside_sum_ns ||
        member.value == &RegionTotals::comp_ns;
    if (since_1_5 && minor < 5) continue;
    region.*member.value = accumulators[member.name].count();
  }
  accumulators["processes"].count(1);
  accumulators["threads"].count(region.processes);
  if (minor < 5) read_before_1_5(accumulators, &region);
  accumulators["nodes"].for_each([&](const Cursor& node) {
    region.nodes.push_back({host_key(node["host"].string(), hosts),
                            node["processes"].count(),
                            node["not_mpi_sum_ns"].count()});
  });
  expect_computable(region, accumulators);
  if (minor >= kRowsSince) read_rows(json["rows"], job, &region);
  return region;
}

// The file tells which clocks are complete by a flag; the model, by how many
// full tables had the region.
void read_regions(const Cursor& list, int minor, JobTotals* totals) {
  std::vector<Cursor> flags;
  HostNames hosts;
  for (const HostShare& host : totals->hosts) hosts.insert(host.name);
  list.for_each([&](const Cursor& json) {
    totals->regions.push_back(read_region(json, minor, *totals, hosts));
    flags.push_back(json["clocks_complete"]);
    const int64_t in_full_tables = totals->regions.back().in_full_tables;
    totals->full_tables = std::max(totals->full_tables, in_full_tables);
  });
  const bool none_complete =
      std::none_of(flags.begin(), flags.end(),
                   [](const Cursor& flag) { return flag.boolean(); });
  if (none_complete && !flags.empty()) ++totals->full_tables;
  for (size_t i = 0; i < flags.size(); ++i) {
    flags[i].expect(
        clocks_complete(*totals, totals->regions[i]) == flags[i].boolean(),
        "contradicts in_full_tables");
  }
}

// Sums that the model makes of these numbers stay inside 64 bits.
void expect_computable(const std::vector<ConstructTotals>& constructs,
                       const Cursor& file) {
  double sum = 0;
  for (const ConstructTotals& construct : constructs) {
    for (const Member<ConstructTotals>& member : kConstructMembers) {
      sum += static_cast<double>(std::abs(construct.*member.value));
    }
  }
  file.expect(sum < static_cast<double>(kLargestInteger),
              "has parallel regions and tasks with times out of range");
}

void read_constructs(const Cursor& file, bool tasks, JobTotals* totals,
                     Locations* locations) {
  file[tasks ? "task_constructs" : "parallel_regions"].for_each(
      [&](const Cursor& json) {
        ConstructTotals c;
        c.is_task = tasks;
        const bool rest = json["module"].is_null();
        if (!rest) {
          c.module = json["module"].string();
          json["module"].expect(!c.module.empty(), "is empty");
          c.offset = json["offset"].address();
        }
        for (const Member<ConstructTotals>& member : kConstructMembers) {
          const bool of_tasks = member.value == &ConstructTotals::visits ||
                                member.value == &ConstructTotals::useful_ns;
          // A rest is a difference: it may be below 0.
          if (!tasks || of_tasks) {
            c.*member.value = json[member.name].integer();
          }
        }
        if (!rest) (*locations)[place_of(c)] = json["location"].string();
        totals->constructs.push_back(std::move(c));
      });
}

}  // namespace

std::optional<JobReport> parse_run_file(std::string_view text,
                                        const std::string& name,
                                        std::string* complaint) {
  std::string what;
  const auto complain = [&](std::string_view separator) {
    *complaint = printable(name) + std::string(separator) + what;
    return std::nullopt;
  };
  const std::optional<Json> json = parse_json(text, &what);
  if (!json) return complain(":");

  const Cursor file(*json, &what);
  RunContext context;
  JobTotals totals;
  Locations locations;
  const std::optional<int> minor = minor_version(file);
  if (minor) {
    read_run(file["run"], *minor, &context, &totals);
    read_quality(file["quality"], *minor, &totals.quality);
    if (*minor >= kRowsSince) read_places(file["processes"], &totals);
    read_regions(file["regions"], *minor, &totals);
    if (!totals.regions.empty()) file["run"]["ranks"].count(1);
  }
  if (minor && *minor >= 2) {
    read_constructs(file, false, &totals, &locations);
    read_constructs(file, true, &totals, &locations);
    expect_computable(totals.constructs, file);
  }
  if (!file.ok()) return complain(": ");

  const auto locate = [&](const std::vector<ConstructTotals>& constructs) {
    std::vector<std::string> names;
    for (const ConstructTotals& c : constructs) {
      names.push_back(locations[place_of(c)]);
    }
    return names;
  };
  return make_report(std::move(context), std::move(totals), locate);
}

std::optional<JobReport> read_run_file(const std::string& path,
                                       std::string* complaint) {
  const auto text = read_input(path, complaint);
  if (!text) return std::nullopt;
  return parse_run_file(*text, input_name(path), complaint);
}

}  // namespace poprt
