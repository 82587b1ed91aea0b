#include "report/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>

#include "document/format.h"
#include "model/noted.h"
#include "model/quantities.h"
#include "report/allotment.h"
#include "report/core_sharing.h"
#include "report/core_use.h"
#include "report/file_io.h"
#include "report/incomplete.h"
#include "report/light.h"
#include "report/misplaced_memory.h"
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

std::vector<std::string> shown_names(std::vector<std::string> names) {
  for (std::string& name : names) name = shortened(printable(name), 30);
  return names;
}

// The files among the places shown whose functions have no names.
std::vector<std::string> files_without_names(const JobReport& report) {
  std::vector<std::string> files;
  // Then it is not the files that lack names.
  if (std::ranges::any_of(report.totals.quality.notes,
                          is_noted<"no_locations">)) {
    return files;
  }
  const auto add = [&](const auto& places) {
    for (const auto& place : places) {
      const std::string& module = place.totals.module;
      const std::string file = module.substr(module.rfind('/') + 1);
      const bool has_no_name = place.location.starts_with("near ") ||
                               place.location.starts_with(file + "+0x");
      if (has_no_name && !file.empty() &&
          std::find(files.begin(), files.end(), file) == files.end()) {
        files.push_back(file);
      }
    }
  };
  add(report.constructs);
  add(report.calls);
  add(report.construct_sites);
  return shown_names(std::move(files));
}

// What OMP_NUM_THREADS says for the first level; 0 if it says no number.
int64_t threads_asked_for(const JobReport& report) {
  int64_t threads = 0;
  for (const Metadata& each : report.context.environment) {
    if (each.key != "OMP_NUM_THREADS") continue;
    std::from_chars(each.value.data(), each.value.data() + each.value.size(),
                    threads);
  }
  return threads;
}

// More than the clocks of messages have room for.
std::vector<std::string> regions_without_clocks(const JobReport& report) {
  std::vector<std::string> names;
  if (is_imported(report) || report.totals.unmeasured_processes > 0) {
    return names;
  }
  for (const RegionReport& region : report.regions) {
    if (!region.clocks_complete) names.push_back(region.totals.name);
  }
  return shown_names(std::move(names));
}

using List = std::vector<std::string>(const JobReport&);

template <List& kList>
bool any(const JobReport& report) {
  return !kList(report).empty();
}

// Some of the list and what is said of it.
template <List& kList, size_t kMost = 3>
std::string of(const JobReport& report, std::string_view separator,
               std::string_view noun) {
  return some_of(kList(report), kMost, separator, noun);
}

template <int64_t Quality::*kCount>
bool is_counted(const JobReport& report) {
  return report.totals.quality.*kCount != 0;
}

template <int64_t Quality::*kCount, Text kNoun, Text kRest>
std::string counted_words(const JobReport& report) {
  return counted(report.totals.quality.*kCount, kNoun.value) + kRest.value;
}

int64_t crowded_processes(const JobReport& report) {
  return amount(report.totals.resources, kCrowdedProcesses.name);
}

bool share_cores(const JobReport& report) {
  return took_turns(report) && any<cramped_ranks>(report);
}

bool are_crowded(const JobReport& report) {
  return took_turns(report) && crowded_processes(report) > 0;
}

std::string cores_of_report(const JobReport& report) {
  return counted(report.totals.threads, "core");
}

std::string idle_words(const JobReport& report) {
  const IdleCores idle = idle_cores(report);
  const std::string& each = report.context.job.cpus_per_task;
  const auto hosts = static_cast<int64_t>(idle.hosts.size());
  return fmt::format(
      "the job's {} on {} could use {} there{}: {} had nothing to do. The {} "
      "of this report are those of its threads, and idle ones are in no "
      "figure; OMP_NUM_THREADS and the number of ranks choose how many are "
      "used.",
      counted(idle.threads, "thread"),
      hosts == 1 ? idle.hosts.front() : counted(hosts, "host"),
      counted(idle.usable, "core"),
      each.empty() ? ""
                   : fmt::format(" ({} gave {} to each task)",
                                 printable(report.context.job.system),
                                 shortened(printable(each), 10)),
      counted(idle.usable - idle.threads, "core"), cores_of_report(report));
}

constexpr Sentence<JobReport> kNotes[] = {
    {"incomplete",
     [](const JobReport& report) { return is_incomplete(report.context); },
     [](const JobReport& report) { return incomplete_note(report.context); }},
    {"crowded_processes", are_crowded,
     [](const JobReport& report) {
       return fmt::format(
           "{} of {} had more threads than cores to run on, so that threads "
           "took turns, which makes useful time longer, or shows as OpenMP "
           "load imbalance and transfer. {}",
           crowded_processes(report),
           counted(report.totals.processes, "process"),
           first_said(kHowToGetCores, report));
     }},
    {"shared_cores", share_cores,
     [](const JobReport& report) {
       return fmt::format("{}: their threads take turns there. {}",
                          of<cramped_ranks>(report, "; ", "group of ranks"),
                          first_said(kHowToGetCores, report));
     }},
    {"crowded_hosts",
     [](const JobReport& report) {
       return any<crowded_hosts>(report) && !are_crowded(report) &&
              !share_cores(report);
     },
     [](const JobReport& report) {
       return fmt::format(
           "there were more threads than cores that they might use ({}).",
           of<crowded_hosts>(report, ", ", "host"));
     }},
    {"bound_siblings", any<bound_siblings>,
     [](const JobReport& report) {
       return fmt::format(
           "{}: two share what a core can do. Bind one thread to a core (Open "
           "MPI: mpirun --map-by slot:PE={}; srun: --hint=nomultithread; "
           "OMP_PLACES=cores).",
           of<bound_siblings>(report, "; ", "group of ranks"),
           threads_of_each(report));
     }},
    {"full_cores", any<full_cores>,
     [](const JobReport& report) {
       return fmt::format(
           "several hardware threads of a core are used ({}): threads that "
           "share a core are slower than alone, which shows in useful time and "
           "in scaling, not in these efficiencies.",
           of<full_cores>(report, ", ", "host"));
     }},
    {"cores_by_word",
     [](const JobReport& report) {
       const int64_t cpus = cpus_by_word(report);
       return cpus > 0 && cpus != report.totals.threads;
     },
     [](const JobReport& report) {
       return fmt::format(
           "{} gave the job {} on its hosts, and it has {}; nothing keeps it "
           "to them (no cpuset), so which they were is not known.",
           printable(report.context.job.system),
           counted(cpus_by_word(report), "processor"),
           counted(report.totals.threads, "thread"));
     }},
    {"unused_cores", any<unused_cores>,
     [](const JobReport& report) {
       return fmt::format(
           "the job had {}, where none of its threads might run: the {} of "
           "this report are those of its threads, and what was not used is in "
           "no figure.",
           of<unused_cores>(report, ", ", "host"), cores_of_report(report));
     }},
    {"one_thread",
     [](const JobReport& report) {
       return threads_asked_for(report) > 1 &&
              report.totals.threads == report.totals.processes &&
              !report.totals.has_unseen_openmp &&
              !have_unknown_threads_worked(report);
     },
     [](const JobReport& report) {
       return fmt::format(
           "OMP_NUM_THREADS is {}, and OpenMP told of one thread in each "
           "process, no more.",
           threads_asked_for(report));
     }},
    {"idle_cores",
     [](const JobReport& report) { return !idle_cores(report).hosts.empty(); },
     idle_words},
    {"misplaced_memory", is_memory_misplaced, misplaced_memory},
    {"slept", has_slept,
     [](const JobReport& report) {
       return fmt::format(
           "in at least {} % of the useful time threads neither had a core nor "
           "waited for one: they slept, or waited for a file, a device or "
           "another program.",
           percent(slept_share(report)));
     }},
    {"file_io", any<regions_of_file_io>,
     [](const JobReport& report) {
       return fmt::format(
           "file I/O takes much of the core time of {}: it is in load balance, "
           "communication and useful time, which may be better or worse than "
           "they are without it. The model io takes it apart.",
           of<regions_of_file_io>(report, ", ", ""));
     }},
    {"lost_clocks", is_counted<&Quality::lost_clocks>,
     counted_words<&Quality::lost_clocks, "MPI call",
                   " or more without clocks of other processes: serialisation "
                   "and transfer "
                   "are less exact.">},
    {"foreign_threads", is_counted<&Quality::foreign_threads>,
     [](const JobReport& report) {
       return fmt::format(
           "{} unknown to OpenMP spent {} in MPI, which is in no figure here.",
           counted(report.totals.quality.foreign_threads, "thread"),
           duration(report.totals.quality.foreign_mpi_ns));
     }},
    {"unknown_threads", have_unknown_threads_worked, unknown_threads_note},
    {"closure_error", is_counted<&Quality::closure_error_ns>,
     [](const JobReport& report) {
       return fmt::format(
           "the states of a thread differ from its elapsed time by {}: please "
           "report this with the run file.",
           duration(report.totals.quality.closure_error_ns));
     }},
    {"unmeasured_processes",
     [](const JobReport& report) {
       return report.totals.unmeasured_processes > 0;
     },
     [](const JobReport& report) {
       return fmt::format(
           "only {} of {} processes had poprt's library: the others are in no "
           "figure here, no clocks have travelled, and rows that need them are "
           "'-'. Preload it into every program of the job.",
           report.totals.processes,
           report.totals.processes + report.totals.unmeasured_processes);
     }},
    {"regions_without_clocks", any<regions_without_clocks>,
     [](const JobReport& report) {
       return fmt::format(
           "not all messages had room for the clocks of all regions: those of "
           "{} are incomplete, and rows that need them are '-'.",
           of<regions_without_clocks, 5>(report, ", ", ""));
     }},
    {"no_names", any<files_without_names>,
     [](const JobReport& report) {
       return fmt::format(
           "no names of functions in {}: install their debug symbols (Debian: "
           "packages -dbgsym), or build with -g and do not strip, to see "
           "places in the source.",
           of<files_without_names>(report, ", ", ""));
     }},
    {"regions_dropped", is_counted<&Quality::regions_dropped>,
     counted_words<
         &Quality::regions_dropped, "start",
         " of a region refused: no name, no valid handle, or too many "
         "regions.">},
    {"stops_without_start", is_counted<&Quality::stops_without_start>,
     counted_words<&Quality::stops_without_start, "stop",
                   " of a region not started: ignored.">},
    {"starts_without_stop", is_counted<&Quality::starts_without_stop>,
     counted_words<&Quality::starts_without_stop, "region",
                   " still open at the end: closed there.">},
    {"shared_starts", is_counted<&Quality::shared_starts>,
     counted_words<&Quality::shared_starts, "region",
                   " started by several threads at once: started once.">},
    {"metadata_dropped", is_counted<&Quality::metadata_dropped>,
     counted_words<
         &Quality::metadata_dropped, "call",
         " of pop_metadata refused: no key, a text too long, or too many "
         "keys.">},
};

}  // namespace

std::span<const Sentence<JobReport>> notes() { return kNotes; }

std::vector<std::string> quality_notes(const JobReport& report) {
  std::vector<std::string> result = causes_left_to_notes(report);
  std::ranges::move(said(notes(), report), std::back_inserter(result));
  // What was noted while it was measured.
  const std::vector<std::string> lines = grouped(report.totals.quality.notes);
  for (size_t i = 0; i < lines.size() && i < kNotesShown; ++i) {
    result.push_back(lines[i]);
  }
  if (lines.size() > kNotesShown) {
    result.push_back(fmt::format("{} more notes are in the run file.",
                                 lines.size() - kNotesShown));
  }
  return result;
}

}  // namespace poprt
