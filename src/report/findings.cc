#include "report/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "report/format.h"

namespace poprt {
namespace {

constexpr size_t kBarWidth = 40;
constexpr size_t kRankingMax = 10;
constexpr size_t kNotesShown = 10;

// What the job's core time was spent on.
struct Share {
  const char* label;
  double part;  // of the job's core time, in [0, 1]
};

double in_bounds(double part) {
  return part > 0 ? std::min(part, 1.0) : 0;  // NaN is 0
}

std::vector<Share> core_time_shares(const JobReport& report) {
  const RegionTotals& t = global_region(report)->totals;
  const double core = static_cast<double>(job_core_ns(report));
  const double omp = static_cast<double>(t.omp_sum_ns) / core;
  // OpenMP's time is known in parts per process, as means over its threads:
  // exact where all processes have as many threads.
  const double omp_parts = static_cast<double>(t.talp_omp_serial_ns) +
                           static_cast<double>(t.talp_omp_load_balance_ns) +
                           static_cast<double>(t.talp_omp_scheduling_ns);
  const auto omp_part = [&](int64_t ns) {
    return omp_parts > 0 ? omp * static_cast<double>(ns) / omp_parts : 0;
  };
  std::vector<Share> shares;
  shares.push_back({"useful", static_cast<double>(t.useful_sum_ns) / core});
  if (report.totals.has_mpi) {
    const double mpi = static_cast<double>(t.mpi_sum_ns) / core;
    const double io = static_cast<double>(t.mpi_io_sum_ns) / core;
    const bool shown = io >= kLeastShown;
    shares.push_back({"MPI", shown ? mpi - io : mpi});
    if (shown) shares.push_back({"MPI-IO", io});
  }
  if (report.totals.has_openmp) {
    shares.push_back({"OpenMP serial", omp_part(t.talp_omp_serial_ns)});
    shares.push_back(
        {"OpenMP imbalance", omp_part(t.talp_omp_load_balance_ns)});
    shares.push_back({"OpenMP scheduling", omp_part(t.talp_omp_scheduling_ns)});
  }
  double rest = 1;
  for (Share& share : shares) {
    share.part = in_bounds(share.part);
    rest -= share.part;
  }
  if (rest >= kLeastShown) {
    shares.push_back({"not started or ended", rest});
  }
  return shares;
}

// Whole numbers that add up to `total`, in proportion to the shares, if these
// add up to 1; the first is `first`, so that it is the number that is shown
// elsewhere.
std::vector<int> apportioned(const std::vector<Share>& shares, int total,
                             int first) {
  std::vector<int> result = {first};
  std::vector<std::pair<double, size_t>> remainders;
  for (size_t i = 1; i < shares.size(); ++i) {
    const double exact = shares[i].part * total;
    result.push_back(static_cast<int>(exact));
    remainders.push_back({exact - std::floor(exact), i});
  }
  std::sort(remainders.rbegin(), remainders.rend());
  int left_over = total - std::accumulate(result.begin(), result.end(), 0);
  for (size_t i = 0; left_over > 0 && i < remainders.size(); ++i, --left_over) {
    ++result[remainders[i].second];
  }
  return result;
}

// What a note says, without the names in it.
std::string without_names(const std::string& note) {
  std::string result;
  bool in_name = false;
  for (const char c : note) {
    if (c == '\'') in_name = !in_name;
    if (!in_name) result += c;
  }
  return result;
}

// Each thing that is noted once, with how often it is noted of other names.
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

// Files whose functions have no names, as far as their places are shown.
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
  constexpr size_t kNamed = 3;
  std::string list;
  for (size_t i = 0; i < std::min(files.size(), kNamed); ++i) {
    list += (i > 0 ? ", " : "") + shortened(printable(files[i]), 30);
  }
  if (files.size() > kNamed) {
    list += fmt::format(" and {} more", files.size() - kNamed);
  }
  return list;
}

std::string incomplete_regions(const JobReport& report) {
  constexpr size_t kNamed = 5;
  if (is_imported(report)) return "";
  std::vector<std::string> names;
  for (const RegionReport& region : report.regions) {
    if (!region.clocks_complete) names.push_back(region.totals.name);
  }
  if (names.empty()) return "";
  std::string list;
  for (size_t i = 0; i < std::min(names.size(), kNamed); ++i) {
    list += (i > 0 ? ", " : "") + shortened(printable(names[i]), 30);
  }
  if (names.size() > kNamed) {
    list += fmt::format(" and {} more", names.size() - kNamed);
  }
  return fmt::format(
      "more than 64 regions: the clocks of {} are incomplete, and rows that "
      "need them are '-'.",
      list);
}

}  // namespace

std::string core_seconds(int64_t ns) {
  std::string text = duration(ns);
  return text.insert(text.find(' ') + 1, "core-");
}

double share_of_job(const JobReport& report, int64_t ns) {
  return static_cast<double>(ns) / static_cast<double>(job_core_ns(report));
}

std::string core_time_bars(const JobReport& report) {
  if (job_core_ns(report) <= 0) return "";
  const RegionTotals& global = global_region(report)->totals;
  const std::vector<Share> shares = core_time_shares(report);
  const double useful = shares.front().part;
  const std::vector<int> tenths =
      apportioned(shares, 1000, std::lround(useful * 1000));
  const std::vector<int> bars =
      apportioned(shares, kBarWidth, std::lround(useful * kBarWidth));
  std::string result = fmt::format(
      " Where {} x {} = {} went\n", counted(global.threads, "core"),
      duration(job_core_ns(report) / std::max<int64_t>(1, global.threads)),
      core_seconds(job_core_ns(report)));
  for (size_t i = 0; i < shares.size(); ++i) {
    std::string line = fmt::format("   {:<22}{:>3}.{} %  ", shares[i].label,
                                   tenths[i] / 10, tenths[i] % 10);
    line.append(static_cast<size_t>(std::max(0, bars[i])), '#');
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

std::string region_ranking(const JobReport& report) {
  if (report.regions.size() < 2 || job_core_ns(report) <= 0) return "";
  constexpr size_t kNameWidth = 32;
  std::string result = left(" Regions by core time lost", kNameWidth + 1) +
                       "    visits    longest  core time lost  % of job\n";
  double lost_sum = 0;  // of many nested regions: may exceed an integer
  size_t shown = 0;
  for (const RegionReport& region : report.regions) {
    const RegionTotals& t = region.totals;
    if (&region == global_region(report)) continue;
    lost_sum += static_cast<double>(lost_core_ns(t));
    if (++shown > kRankingMax) continue;
    result += " " + left(shortened(printable(t.name), kNameWidth), kNameWidth) +
              fmt::format("{:>10} {:>10} {:>15} {:>9}\n", t.visits,
                          duration(t.elapsed_max_ns), duration(lost_core_ns(t)),
                          percent(share_of_job(report, lost_core_ns(t))));
  }
  if (shown > kRankingMax) result += more_in_run_file(shown - kRankingMax);
  const int64_t lost = lost_core_ns(global_region(report)->totals);
  if (lost_sum > static_cast<double>(lost)) {
    result += " (regions overlap: their losses do not add up)\n";
  }
  return result;
}

std::string quality_notes(const JobReport& report) {
  const Quality& quality = report.totals.quality;
  std::vector<std::string> notes;
  const auto note_if = [&](int64_t count, std::string_view noun,
                           std::string_view what) {
    if (count > 0)
      notes.push_back(counted(count, noun) + " " + std::string(what));
  };
  note_if(quality.lost_clocks, "message",
          "came without clocks: serialisation and transfer are less exact.");
  if (quality.foreign_threads > 0) {
    notes.push_back(fmt::format(
        "{} unknown to OpenMP spent {} in MPI, which is in no figure here.",
        counted(quality.foreign_threads, "thread"),
        duration(quality.foreign_mpi_ns)));
  }
  if (quality.closure_error_ns != 0) {
    notes.push_back(fmt::format(
        "the states of a thread differ from its elapsed time by {}: please "
        "report this with the run file.",
        duration(quality.closure_error_ns)));
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
  std::string result;
  for (const std::string& note : notes) result += wrapped(" Note  ", note);
  return result;
}

}  // namespace poprt
