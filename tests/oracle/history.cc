#include "oracle/history.h"

#include <algorithm>
#include <iterator>

namespace poprt::oracle {

const char* name_of(Kind kind) {
  static const char* const kNames[] = {
      "thread_begin", "mpi_begin",        "mpi_end",        "send",
      "receive",      "complete",         "receive_late",   "region_open",
      "region_close", "restart",          "parallel_begin", "implicit_begin",
      "implicit_end", "parallel_end",     "barrier_begin",  "barrier_end",
      "task_create",  "task_switch",      "taskwait_begin", "taskwait_end",
      "group_begin",  "group_wait_begin", "group_wait_end", "group_end",
      "lock_wait",    "lock_acquired",    "lock_released",  "own_work"};
  static_assert(std::size(kNames) == static_cast<size_t>(Kind::kOwnWork) + 1);
  return kNames[static_cast<size_t>(kind)];
}

std::string region_name(int region) {
  return region == 0 ? "Global" : "region " + std::to_string(region);
}

std::vector<bool> teams_of_one(const History& history) {
  std::vector<bool> alone(static_cast<size_t>(history.teams), true);
  for (const Action& a : history.actions) {
    if (a.kind == Kind::kImplicitBegin && !a.flag) {
      alone[static_cast<size_t>(a.object)] = false;
    }
  }
  return alone;
}

History truncated(const History& history, size_t count,
                  const std::vector<int64_t>& origin_ns) {
  History part = history;
  part.actions.resize(std::min(count, part.actions.size()));
  if (part.actions.size() == history.actions.size()) return part;
  int64_t now_ns = 0;
  if (!part.actions.empty()) {
    const Action& last = part.actions.back();
    now_ns = last.ns + origin_ns[static_cast<size_t>(last.process)];
  }
  for (size_t p = 0; p < part.processes.size(); ++p) {
    part.processes[p].end_ns =
        std::clamp<int64_t>(now_ns - origin_ns[p], 0, part.processes[p].end_ns);
  }
  return part;
}

std::string to_text(const History& history) {
  std::string text;
  int index = 0;
  for (const Action& a : history.actions) {
    text += std::to_string(index++) + ": process " + std::to_string(a.process) +
            " thread " + std::to_string(a.thread) + " at " +
            std::to_string(a.ns) + " " + name_of(a.kind);
    if (a.object >= 0) text += " " + std::to_string(a.object);
    if (a.other >= 0) text += " " + std::to_string(a.other);
    if (a.flag) text += " *";
    for (const int message : a.messages) text += " m" + std::to_string(message);
    text += "\n";
  }
  for (size_t p = 0; p < history.processes.size(); ++p) {
    text += "process " + std::to_string(p) + " ends at " +
            std::to_string(history.processes[p].end_ns) + "\n";
  }
  return text;
}

}  // namespace poprt::oracle
