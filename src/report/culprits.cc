#include "report/culprits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "document/format.h"
#include "report/meanings.h"
#include "report/site_tables.h"

namespace poprt {
namespace {

// Less than this times the mean is no reason to look at somebody.
constexpr double kStandsOut = 1.1;
// As much as the largest.
constexpr double kAlike = 0.95;
// Of a time; two that are nearly equal do not have most of it.
constexpr double kMost = 0.6;
constexpr size_t kNames = 3;

bool is_unequal_work(const Metric& loss, Layer layer) {
  const std::string_view key = loss.key;
  return (loss.layer == layer || loss.layer == Layer::kAny) &&
         key.ends_with("load_balance");
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// How many times the mean the largest is.
double excess_of(const std::vector<double>& values) {
  return *std::ranges::max_element(values) / mean_of(values);
}

// Which of them are the largest; none if nobody stands out.
std::vector<size_t> largest_of(const std::vector<double>& values) {
  std::vector<size_t> places;
  if (values.size() < 2 || !(excess_of(values) >= kStandsOut)) return places;
  const double most = *std::ranges::max_element(values);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= kAlike * most) places.push_back(i);
  }
  if (places.size() > kNames || 2 * places.size() > values.size()) return {};
  return places;
}

std::string times_of_mean(const std::string& who, double times,
                          const char* whose) {
  return fmt::format("{} did {:.1f} times the useful work of the mean {}.", who,
                     times, whose);
}

// In a sentence; tables have all of it.
std::string place(const std::string& location) {
  return shortened(printable(location), 50);
}

// What the threads of a rank did, by number.
using Team = std::vector<double>;

}  // namespace

std::string slow_ranks(const JobReport& report, const Metric& loss) {
  const std::vector<ProcessRow>& rows = global_region(report)->totals.rows;
  if (!is_unequal_work(loss, Layer::kMpi) ||
      static_cast<int64_t>(rows.size()) != report.totals.processes) {
    return "";
  }
  // By their busiest threads, as the load balance of processes does.
  std::vector<double> work;
  for (const ProcessRow& row : rows) {
    work.push_back(static_cast<double>(row.useful_max_ns));
  }
  std::vector<std::string> names;
  for (const size_t place : largest_of(work)) {
    names.push_back(fmt::format("{}", rows[place].rank));
  }
  if (names.empty()) return "";
  return times_of_mean((names.size() == 1 ? "Rank " : "Ranks ") + listed(names),
                       excess_of(work), "rank");
}

std::string slow_node(const JobReport& report, const Metric& loss) {
  if (!is_unequal_work(loss, Layer::kMpi)) return "";
  const std::vector<NodeShare>& nodes = global_region(report)->totals.nodes;
  std::vector<double> work;
  for (const NodeShare& node : nodes) {
    if (node.threads <= 0) return "";
    work.push_back(static_cast<double>(node.useful_sum_ns) /
                   static_cast<double>(node.threads));
  }
  const std::vector<size_t> places = largest_of(work);
  if (places.size() != 1) return "";
  for (const HostShare& host : report.totals.hosts) {
    if (text_hash(host.name.data(), host.name.size()) !=
        nodes[places[0]].host) {
      continue;
    }
    return times_of_mean(
        "Node " + shortened(printable(host.name), 40) + "'s threads",
        excess_of(work), "node's");
  }
  return "";
}

std::string slow_thread(const JobReport& report, const Metric& loss) {
  const std::vector<ThreadRow>& rows =
      global_region(report)->totals.thread_rows;
  if (!is_unequal_work(loss, Layer::kOpenMp) ||
      static_cast<int64_t>(rows.size()) != report.totals.threads) {
    return "";
  }
  std::map<int64_t, Team> teams;  // by rank; rows are sorted
  for (const ThreadRow& row : rows) {
    teams[row.rank].push_back(static_cast<double>(row.useful_ns));
  }
  double most = 0;
  double mean = 0;
  int64_t thread = -1;
  for (const auto& [rank, team] : teams) {
    const std::vector<size_t> places = largest_of(team);
    if (places.size() != 1) return "";
    const auto place = static_cast<int64_t>(places[0]);
    if (thread >= 0 && thread != place) return "";
    thread = place;
    most += team[places[0]];
    mean += mean_of(team);
  }
  if (thread < 0) return "";
  return times_of_mean(fmt::format("Thread {}{}", thread,
                                   teams.size() > 1 ? " of each rank" : ""),
                       most / mean, "thread");
}

std::string heaviest_call(const JobReport& report, const Metric& loss) {
  // Of communication it is not known which of the two it was.
  if (loss.layer != Layer::kMpi ||
      loss.key == std::string_view("mpi_communication_efficiency")) {
    return "";
  }
  const bool is_transfer = is_mpi_itself(loss);
  const auto ns_of = [&](const CallTotals& call) {
    return is_transfer ? call.transfer_ns() : call.waiting_ns;
  };
  int64_t all_ns = 0;
  const CallReport* most = nullptr;
  for (const CallReport& each : report.calls) {
    if (each.totals.region != kGlobalRegion) continue;
    // What is not known to be the other may be this.
    all_ns += ns_of(each.totals) + each.totals.unknown_ns;
    if (is_rest(each.totals)) continue;
    if (most == nullptr || ns_of(each.totals) > ns_of(most->totals)) {
      most = &each;
    }
  }
  if (most == nullptr || all_ns <= 0) return "";
  const CallTotals& call = most->totals;
  const auto is_most = [](int64_t part_ns, int64_t whole_ns) {
    return static_cast<double>(part_ns) > kMost * static_cast<double>(whole_ns);
  };
  if (!is_most(ns_of(call), all_ns)) return "";
  std::string text =
      fmt::format("Most of the {} in MPI is in {}",
                  is_transfer ? "transfer" : "waiting", call.function);
  if (!most->location.empty()) text += ", " + place(most->location);
  if (const std::vector<LateRank> late = latest_of(call.late);
      !is_transfer && !late.empty() &&
      is_most(late[0].waiting_ns - late[0].error_ns, call.waiting_ns)) {
    text += fmt::format(", most of it for rank {}", late[0].rank);
  }
  return text + ".";
}

std::string heaviest_parallel_region(const JobReport& report,
                                     const Metric& loss) {
  if (loss.layer != Layer::kOpenMp) return "";
  const double lost = loss.value(global_region(report)->losses);
  const bool is_balance = is_unequal_work(loss, Layer::kOpenMp);
  for (const ConstructReport& each : report.constructs) {
    if (each.totals.is_task || each.location.empty()) continue;
    const double own = is_balance ? each.lost_imbalance
                                  : each.contribution - each.lost_imbalance;
    if (own > kMost * lost) {
      return fmt::format("Most of it is in the parallel region {}.",
                         place(each.location));
    }
  }
  return "";
}

}  // namespace poprt
