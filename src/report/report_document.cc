#include "report/report_document.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "document/format.h"
#include "document/shown.h"
#include "model/judge.h"
#include "model/present_rows.h"
#include "model/quantities.h"
#include "report/core_time.h"
#include "report/core_use.h"
#include "report/devices.h"
#include "report/energy.h"
#include "report/file_io.h"
#include "report/findings.h"
#include "report/heading.h"
#include "report/light.h"
#include "report/longest_path.h"
#include "report/mpi_calls.h"
#include "report/notes.h"
#include "report/openmp_constructs.h"
#include "report/over_time.h"
#include "report/overview.h"
#include "report/partitions.h"
#include "report/rankings.h"
#include "report/repeated_rows.h"
#include "report/table.h"

namespace poprt {
namespace {

std::vector<std::string> shape_facts(const JobReport& report) {
  const RegionReport* const global = global_region(report);
  if (global == nullptr) return {shape(report.totals)};
  return {shape(report.totals), duration(global->totals.all_ns) + " elapsed",
          "overhead " + overhead_words(report)};
}

// MPI libraries describe themselves in several lines.  Name and version come
// before the first line break.  "MPICH Version: 4.0.2" is "MPICH 4.0.2", which
// leaves room in the line.
std::string first_words(const std::string& library) {
  constexpr std::string_view kVersion = " Version:";
  std::string text = library.substr(0, library.find_first_of(",\n"));
  if (const size_t begin = text.find(kVersion); begin != std::string::npos) {
    const size_t end = text.find_first_not_of(" \t", begin + kVersion.size());
    text.replace(begin, std::min(end, text.size()) - begin, " ");
  }
  return printable(text);
}

int64_t program_threads(const JobReport& report) {
  return amount(report.totals.resources, kProgramThreads.name);
}

// "6 threads of the program (POPRT_THREADS=all)"; empty without any.
std::string thread_facts(const JobReport& report) {
  const int64_t threads = program_threads(report);
  return threads == 0 ? ""
                      : counted(threads, "thread") +
                            " of the program (POPRT_THREADS=all)";
}

std::string mpi_library(const JobReport& report) {
  const RunContext& context = report.context;
  if (!report.totals.has_mpi) return "";
  std::string text = shortened(first_words(context.mpi_library), 30);
  if (!context.mpi_thread_level.empty()) {
    text += ", " + printable(context.mpi_thread_level);
  }
  return text;
}

// What LLVM's runtime has called itself since 2014, in each of its versions.
constexpr std::string_view kAnyLlvm = "LLVM OMP version: 5.0.20140926";

std::string openmp_runtime(const JobReport& report) {
  const std::string& runtime = report.context.openmp_runtime;
  if (report.totals.has_openmp) {
    // Without a runtime it is threads of the program that count as OpenMP's.
    if (program_threads(report) > 0 && runtime.empty()) return "";
    return "OpenMP: " + (runtime.starts_with(kAnyLlvm) ? "LLVM's runtime"
                                                       : first_words(runtime));
  }
  if (!is_unseen(report.totals, EventLayer::kOpenMp)) return "";
  return openmp_has_ended(report) ? "OpenMP: ended, not measured from then on"
                                  : "OpenMP: not seen";
}

// That of each layer that has a software of its own; empty if nothing is known.
std::vector<std::string> software(const JobReport& report) {
  if (is_imported(report)) {
    return {"measured by " + printable(report.context.imported_from)};
  }
  std::vector<std::string> facts = {mpi_library(report),
                                    openmp_runtime(report)};
  std::erase(facts, "");
  return facts;
}

// "Slurm job 81234.0 (solver), 2 nodes of compute"; empty without one.
std::string batch_job(const JobReport& report) {
  const BatchJob& job = report.context.job;
  if (job.id.empty()) return "";
  std::string text = job.system + " job " + job.id;
  if (!job.step.empty()) text += "." + job.step;
  if (!job.name.empty()) text += " (" + shortened(job.name, 20) + ")";
  if (!job.queue.empty()) text += " in " + shortened(job.queue, 20);
  return printable(text);
}

// When and where: the batch job, the date, the first hosts.
std::vector<std::string> launch_facts(const JobReport& report) {
  constexpr size_t kHosts = 2;
  std::vector<std::string> facts;
  if (std::string job = batch_job(report); !job.empty()) {
    facts.push_back(std::move(job));
  }
  if (!report.context.start_time.empty()) {
    facts.push_back(printable(report.context.start_time));
  }
  std::vector<std::string> programs;
  for (const ProgramShare& each : report.totals.programs) {
    programs.push_back(shortened(printable(each.name), 24) + " (" +
                       counted(each.processes, "rank") + ")");
  }
  if (programs.size() > 1) {
    constexpr size_t kPrograms = 4;
    facts.push_back(some_of(programs, kPrograms));
  }
  std::vector<std::string> hosts;
  for (const HostShare& host : report.totals.hosts) {
    hosts.push_back(shortened(printable(host.name), 24));
  }
  std::string names = some_of(hosts, kHosts);
  if (!names.empty() && !is_imported(report)) {
    facts.push_back(std::move(names));
  }
  return facts;
}

std::string joined(const std::vector<std::string>& facts) {
  std::string line;
  for (const std::string& fact : facts) {
    line += (line.empty() ? "" : " | ") + fact;
  }
  return line;
}

// What the program said of itself: "mesh=512x512, solver=cg".
std::string metadata_line(const JobReport& report) {
  constexpr size_t kKeys = 4;
  std::vector<std::string> list;
  for (const Metadata& each : report.totals.metadata) {
    list.push_back(shortened(printable(each.key), 20) + "=" +
                   shortened(printable(each.value), 20));
  }
  return some_of(list, kKeys);
}

// What the run waited for, and how long it would be without some regions.
FactList path_facts(const JobReport& report) {
  FactList list;
  // With a red light no loss is named.
  if (is_red(report)) return list;
  if (std::string text = path_sentence(report); !text.empty()) {
    list.facts.push_back({"Path", std::move(text), Grade::kNone, "", "path"});
  }
  const char* label = "Without";
  for (std::string& text : without_sentences(report)) {
    list.facts.push_back({label, std::move(text), Grade::kNone, "", "path"});
    label = "";
  }
  return list;
}

// Whether a list has numbers, and all are shown as 0.
bool is_of_zeros(const Table& table) {
  if (table.kind != Table::Kind::kList) return false;
  bool has_numbers = false;
  for (const TableRow& row : table.rows) {
    for (const TableCell& cell : row.cells) {
      const std::string number = shown(cell).number;
      if (cell.unit == CellUnit::kText ||
          number.find_first_of("123456789") != std::string::npos) {
        return false;
      }
      has_numbers = has_numbers || number.find('0') != std::string::npos;
    }
  }
  return has_numbers;
}

}  // namespace

FactList note_list(const std::vector<std::string>& notes) {
  FactList list;
  for (const std::string& note : notes) {
    list.facts.push_back({"Note", note, Grade::kNone, "", "note"});
  }
  return list;
}

Document report_document(const JobReport& report,
                         const std::vector<Model>& models,
                         const std::string& run_file,
                         const TableOptions& options) {
  Document document = {command_line(report.context), {shape_facts(report)}};
  for (std::string line :
       {joined(software(report)), thread_facts(report),
        joined(host_facts(report)), joined(launch_facts(report)),
        metadata_line(report)}) {
    if (!line.empty()) document.lines.push_back({std::move(line)});
  }
  std::vector<Block>& blocks = document.blocks;
  const auto add = [&](Table table) {
    if (!table.rows.empty() && !is_of_zeros(table)) {
      blocks.emplace_back(std::move(table));
    }
  };
  std::vector<size_t> of_models;  // places of their tables
  const auto add_model = [&](Model model) {
    Table table = model_table(report, model, options);
    for (const size_t place : of_models) {
      Table& before = std::get<Table>(blocks[place]);
      if (table.rows.empty() || !are_the_same(before, table)) continue;
      before.notes.push_back(name_of(model, shown_metrics(report, model)) +
                             ": the same rows");
      return;
    }
    Table both = take_both_layers(&table, is_red(report));
    of_models.push_back(blocks.size());
    add(std::move(table));
    if (of_models.back() == blocks.size()) of_models.pop_back();
    add(std::move(both));
  };
  if (global_region(report) == nullptr) {
    blocks.emplace_back(Paragraph{"Nothing was measured."});
  }
  if (global_region(report) != nullptr) {
    blocks.emplace_back(light_list(report));
    blocks.emplace_back(
        Findings{main_finding(report),
                 run_file.empty() ? "" : next_step(report, run_file)});
  }
  add(overview(report, options));
  if (job_core_ns(report) > 0) {
    blocks.emplace_back(core_time_bars(report));
    if (std::string loss = loss_among_bars(report); !loss.empty()) {
      blocks.emplace_back(FactList{
          {{"Loss", std::move(loss), Grade::kNone, "", "loss_in_bars"}}});
    }
  }
  if (Bars devices = device_time_bars(report); !devices.bars.empty()) {
    blocks.emplace_back(std::move(devices));
  }
  if (!report.regions.empty()) {
    const auto asked_for = [&](Model model) {
      return std::ranges::find(models, model) != models.end();
    };
    for (const Model model : models) {
      // Without its clock all rows are empty: only a report of this model alone
      // says why.
      const bool is_empty =
          model == Model::kWaiting && !has_waiting_path(report);
      if (is_empty && models.size() > 1) continue;
      add_model(model);
      add(window_range_table(report, model, options));
    }
    for (const Model model : kModels) {
      if (is_shown_unasked(report, model) && !asked_for(model)) {
        add_model(model);
      }
    }
    if (!asked_for(Model::kTalp)) add(device_table(report, options));
    const size_t devices = options.all_rows ? SIZE_MAX : kListedDevices;
    add(device_list(report, devices));
    add(device_launches(report, devices));
  }
  if (report.windows.list.size() == 1) {
    blocks.emplace_back(FactList{
        {{"Windows", one_window(report), Grade::kNone, "", "windows"}}});
  } else if (!report.windows.list.empty()) {
    for (const Model model : models) {
      add(over_time_table(report, model, options));
    }
  }
  constexpr size_t kAll = std::numeric_limits<size_t>::max();
  const size_t systems = options.all_rows ? kAll : kListedFileSystems;
  add(file_system_table(report.totals.mpi_file_systems, "MPI-IO",
                        "mpi_file_systems", systems));
  add(file_system_table(report.totals.file_systems, "POSIX I/O", "file_systems",
                        systems));
  if (const std::string line = energy_line(report); !line.empty()) {
    blocks.emplace_back(
        FactList{{{"Energy", line, Grade::kNone, "", "energy"}}});
  }
  const size_t path_rows = options.all_rows ? kAll : kRankedPathParts;
  add(path_table(report, path_rows));
  add(path_rank_table(report, path_rows));
  if (FactList path = path_facts(report); !path.facts.empty()) {
    blocks.emplace_back(std::move(path));
  }
  const bool all_places = options.all_places;
  const size_t calls = options.all_rows || all_places ? kAll : kRankedCalls;
  // Constructs of one thread lose nothing to another.
  const bool has_teams =
      all_places || report.totals.threads > report.totals.processes;
  for (const RegionReport& region : report.regions) {
    const std::string& name = region.totals.name;
    if (!all_places && name != kGlobalRegion) continue;
    add(call_times(report, name, calls));
    if (all_places) {
      add(call_partners(report, name, calls));
      add(call_traffic(report, name, calls));
    }
    if (has_teams) add(construct_times(report, name, calls));
    if (all_places) add(construct_partners(report, name, calls));
  }
  add(granularity(report, options.all_rows ? kAll : kRankedRegions));
  const size_t constructs = options.all_rows ? kAll : kRankedConstructs;
  add(region_ranking(report, options.all_rows ? kAll : kRankedRegions));
  if (has_teams) {
    add(parallel_region_ranking(report, constructs));
    add(parallel_region_sources(report, constructs));
  }
  for (const std::string& region : options.regions) {
    if (region == kGlobalRegion) continue;
    add(parallel_region_ranking(report, constructs, region));
    add(parallel_region_sources(report, constructs, region));
  }
  add(task_ranking(report, constructs));
  for (const Block& block : options.blocks) blocks.push_back(block);
  blocks.emplace_back(note_list(quality_notes(report)));
  if (!run_file.empty()) {
    FactList file = {{{"Run file", run_file}}};
    file.wraps = false;
    blocks.emplace_back(std::move(file));
  }
  return document;
}

}  // namespace poprt
