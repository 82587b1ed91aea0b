#include "report/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "document/format.h"
#include "report/core_use.h"
#include "report/file_io.h"
#include "report/incomplete.h"
#include "report/unknown_threads.h"

namespace poprt {
namespace {

constexpr size_t kNotesShown = 10;

// The text of a note without the names in it.
std::string without_names(const std::string& note) {
  std::string result;
  bool in_name = false;
  for (const char c : note) {
    if (c == '\'') in_name = !in_name;
    if (!in_name) result += c;
  }
  return result;
}

// Each kind of note once, with the number of further names.
std::vector<std::string> grouped(const std::vector<std::string>& notes) {
  struct Group {
    std::string kind;
    std::string first;
    size_t count;
  };
  std::vector<Group> groups;
  for (const std::string& note : notes) {
    const std::string kind = without_names(note);
    const auto found =
        std::find_if(groups.begin(), groups.end(),
                     [&](const Group& group) { return group.kind == kind; });
    if (found != groups.end()) {
      ++found->count;
    } else {
      groups.push_back({kind, printable(note), 1});
    }
  }
  std::vector<std::string> lines;
  for (const Group& group : groups) {
    lines.push_back(group.count == 1
                        ? group.first
                        : fmt::format("{} (and {} more of this kind)",
                                      group.first, group.count - 1));
  }
  return lines;
}

// "a, b, c and 4 more".
std::string some_names(std::vector<std::string> names, size_t most) {
  for (std::string& name : names) name = shortened(printable(name), 30);
  return some_of(names, most);
}

// The files among the places shown whose functions have no names.
std::string files_without_names(const JobReport& report) {
  std::vector<std::string> files;
  for (const ConstructReport& construct : report.constructs) {
    const std::string& module = construct.totals.module;
    const std::string file = module.substr(module.rfind('/') + 1);
    const bool has_no_name = construct.location.starts_with("near ") ||
                             construct.location.starts_with(file + "+0x");
    if (!has_no_name || file.empty() ||
        std::find(files.begin(), files.end(), file) != files.end()) {
      continue;
    }
    files.push_back(file);
  }
  return some_names(files, 3);
}

// Processes of the job of which nothing is known.
std::string unmeasured_processes(const JobReport& report) {
  const int64_t missing = report.totals.unmeasured_processes;
  if (missing == 0) return "";
  const int64_t measured = report.totals.processes;
  return fmt::format(
      "only {} of {} processes had poprt's library: the others are in no "
      "figure here, no clocks have travelled, and rows that need them are "
      "'-'. Preload it into every program of the job.",
      measured, measured + missing);
}

std::string incomplete_regions(const JobReport& report) {
  if (is_imported(report) || report.totals.unmeasured_processes > 0) return "";
  std::vector<std::string> names;
  for (const RegionReport& region : report.regions) {
    if (!region.clocks_complete) names.push_back(region.totals.name);
  }
  if (names.empty()) return "";
  return fmt::format(
      "more than 64 regions: the clocks of {} are incomplete, and rows that "
      "need them are '-'.",
      some_names(names, 5));
}

}  // namespace

std::vector<std::string> quality_notes(const JobReport& report) {
  const Quality& quality = report.totals.quality;
  std::vector<std::string> notes;
  if (std::string line = incomplete_note(report.context); !line.empty()) {
    notes.push_back(std::move(line));
  }
  for (std::string& line : core_notes(report)) notes.push_back(std::move(line));
  if (std::string warning = file_io_warning(report); !warning.empty()) {
    notes.push_back(std::move(warning));
  }
  const auto note_if = [&](int64_t count, std::string_view noun,
                           std::string_view what) {
    if (count > 0)
      notes.push_back(counted(count, noun) + " " + std::string(what));
  };
  note_if(quality.lost_clocks, "MPI call",
          "without clocks of other processes: serialisation and transfer are "
          "less exact.");
  if (quality.foreign_threads > 0) {
    notes.push_back(fmt::format(
        "{} unknown to OpenMP spent {} in MPI, which is in no figure here.",
        counted(quality.foreign_threads, "thread"),
        duration(quality.foreign_mpi_ns)));
  }
  if (std::string others = unknown_threads_note(report); !others.empty()) {
    notes.push_back(std::move(others));
  }
  if (quality.closure_error_ns != 0) {
    notes.push_back(fmt::format(
        "the states of a thread differ from its elapsed time by {}: please "
        "report this with the run file.",
        duration(quality.closure_error_ns)));
  }
  if (std::string line = unmeasured_processes(report); !line.empty()) {
    notes.push_back(std::move(line));
  }
  const std::string incomplete = incomplete_regions(report);
  if (!incomplete.empty()) notes.push_back(incomplete);
  const std::string stripped = files_without_names(report);
  if (!stripped.empty()) {
    notes.push_back("no names of functions in " + stripped +
                    ": install their debug symbols (Debian: packages -dbgsym), "
                    "or build with -g and do not strip, to see places in the "
                    "source.");
  }
  note_if(
      quality.regions_dropped, "start",
      "of a region refused: no name, no valid handle, or too many regions.");
  note_if(quality.stops_without_start, "stop",
          "of a region not started: ignored.");
  note_if(quality.starts_without_stop, "region",
          "still open at the end: closed there.");
  note_if(quality.shared_starts, "region",
          "started by several threads at once: started once.");
  note_if(
      quality.metadata_dropped, "call",
      "of pop_metadata refused: no key, a text too long, or too many keys.");
  const std::vector<std::string> lines = grouped(quality.notes);
  for (size_t i = 0; i < lines.size() && i < kNotesShown; ++i) {
    notes.push_back(lines[i]);
  }
  if (lines.size() > kNotesShown) {
    notes.push_back(fmt::format("{} more notes are in the run file.",
                                lines.size() - kNotesShown));
  }
  return notes;
}

}  // namespace poprt
