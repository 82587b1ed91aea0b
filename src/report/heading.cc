#include "report/heading.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "document/format.h"
#include "model/judge.h"

namespace poprt {

std::string command_line(const RunContext& context) {
  const std::vector<std::string>& command = context.command;
  // For a script, the words before it belong to its interpreter.
  size_t first = 1;
  for (size_t i = 0; i < command.size(); ++i) {
    const std::string_view word = command[i];
    if (word.substr(word.rfind('/') + 1) != context.program) continue;
    first = i + 1;
    break;
  }
  std::string line = context.program;
  for (size_t i = first; i < command.size(); ++i) line += " " + command[i];
  return printable(line);
}

std::string shape(const JobTotals& totals) {
  const std::string processes =
      counted(totals.processes, totals.has_mpi ? "rank" : "process");
  const std::string hosts =
      counted(static_cast<int64_t>(totals.hosts.size()), "host");
  if (is_unseen(totals, EventLayer::kOpenMp)) {
    return fmt::format("{} x ? threads, {}", processes, hosts);
  }
  const std::string threads =
      totals.threads_min == totals.threads_max
          ? counted(totals.threads_max, "thread")
          : fmt::format("{} to {} threads", totals.threads_min,
                        totals.threads_max);
  return fmt::format("{} x {} = {}, {}", processes, threads,
                     counted(totals.threads, "core"), hosts);
}

std::string threads_of_processes(const JobTotals& totals) {
  if (is_unseen(totals, EventLayer::kOpenMp)) return "unknown";
  return totals.threads_min == totals.threads_max
             ? fmt::format("{}", totals.threads_max)
             : fmt::format("{}-{}", totals.threads_min, totals.threads_max);
}

std::string file_shape(const JobTotals& totals) {
  return fmt::format("{}x{}", totals.processes, threads_of_processes(totals));
}

std::string short_shape(const JobTotals& totals) {
  if (is_unseen(totals, EventLayer::kOpenMp))
    return fmt::format("{}x?", totals.processes);
  std::string text = file_shape(totals);
  const double equal = static_cast<double>(totals.processes) *
                       static_cast<double>(totals.threads_min);
  if (static_cast<double>(totals.threads) != equal) {
    text += fmt::format("={}", totals.threads);
  }
  return text;
}

std::string overhead_words(const JobReport& report) {
  const int64_t core = job_core_ns(report);
  if (core <= 0 || is_imported(report)) return "unknown";
  return "~" + percent(overhead(report)) + " %";
}

}  // namespace poprt
