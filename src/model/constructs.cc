#include "model/constructs.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "model/members.h"
#include "model/quantities.h"
#include "model/ratio.h"

namespace poprt {
namespace {

constexpr size_t kShown = 20;  // of each kind

double share(int64_t part, int64_t whole) {
  return ratio(static_cast<double>(part), static_cast<double>(whole));
}

// The value that rows are sorted by.
int64_t cost_ns(const ConstructTotals& c) {
  return c.is_task ? c.useful_ns
                   : bounded_sum(bounded_sum(c.weighted_ns, -c.useful_ns),
                                 -c.accelerator_ns);
}

// The whole to which contributions are shares.
struct Whole {
  int64_t core_ns;
  // Whether what the constructs leave is known.
  bool has_rest;
};

void set_sources(const ConstructTotals& c, int64_t core_ns,
                 ConstructReport* report) {
  const auto lost = [&](int64_t ns) {
    return c.is_task ? kUndefined : share(ns, core_ns);
  };
  const int64_t mpi_inside_ns = bounded_sum(c.mpi_ns, c.mpi_inside_ns);
  int64_t imbalance_ns = cost_ns(c);
  for (const int64_t part_ns : {c.serialised_ns, mpi_inside_ns, c.all_idle_ns,
                                c.not_started_ns, c.accelerator_inside_ns}) {
    imbalance_ns = bounded_sum(imbalance_ns, -part_ns);
  }
  report->lost_imbalance = lost(imbalance_ns);
  report->lost_serialised = lost(c.serialised_ns);
  report->lost_mpi_inside = lost(mpi_inside_ns);
  report->lost_scheduling = lost(c.all_idle_ns);
  report->lost_not_started = lost(c.not_started_ns);
  report->lost_accelerator_inside = lost(c.accelerator_inside_ns);
}

ConstructReport report_of(const ConstructTotals& c, const Whole& whole) {
  ConstructReport report;
  report.totals = c;
  report.contribution = report.useful = kUndefined;
  report.load_balance = report.scheduling = kUndefined;
  if (c.module.empty() && !c.is_task && !whole.has_rest) {
    set_sources(c, 0, &report);
    return report;
  }
  set_sources(c, whole.core_ns, &report);
  if (c.is_task) return report;
  report.contribution = share(cost_ns(c), whole.core_ns);
  report.useful = share(c.useful_ns, c.weighted_ns);
  // What remains is idle time through imbalance.
  const int64_t busy =
      bounded_sum(bounded_sum(c.useful_ns, c.mpi_ns), c.accelerator_ns);
  const int64_t balanced = bounded_sum(busy, c.scheduling_ns);
  report.load_balance = share(balanced, c.weighted_ns);
  report.scheduling = share(busy, balanced);
  return report;
}

// The most expensive constructs of a kind, and a row with the sum of the
// others.
void add_kind(bool tasks, std::vector<ConstructTotals> constructs,
              ConstructTotals rest, const Whole& whole,
              std::vector<ConstructReport>* reports) {
  std::erase_if(constructs,
                [&](const ConstructTotals& c) { return c.is_task != tasks; });
  std::sort(constructs.begin(), constructs.end(),
            [](const ConstructTotals& a, const ConstructTotals& b) {
              return std::make_tuple(-cost_ns(a), a.module, a.offset) <
                     std::make_tuple(-cost_ns(b), b.module, b.offset);
            });
  size_t shown = 0;
  for (const ConstructTotals& c : constructs) {
    if (!c.module.empty() && shown < kShown) {
      ++shown;
      reports->push_back(report_of(c, whole));
    } else {
      combine_members(kConstructMembers, &rest, c);
    }
  }
  if (rest.visits > 0 || rest.weighted_ns != 0 || rest.useful_ns != 0) {
    rest.is_task = tasks;
    reports->push_back(report_of(rest, whole));
  }
}

}  // namespace

std::vector<ConstructTotals> constructs_in(
    const std::vector<ConstructTotals>& constructs, const std::string& region) {
  std::vector<ConstructTotals> inside;
  std::ranges::copy_if(
      constructs, std::back_inserter(inside),
      [&](const ConstructTotals& c) { return c.region == region; });
  return inside;
}

ConstructTotals all_constructs_in(const RegionTotals& region) {
  ConstructTotals all;
  all.useful_ns = region.useful_sum_ns - region.serial_sum_ns;
  all.weighted_ns = region.openmp_weighted_ns;
  all.mpi_ns = amount(region, kMpiInside);
  all.mpi_inside_ns = amount(region, kOpenMpMpiInside);
  all.accelerator_ns = amount(region, kAcceleratorInside);
  all.accelerator_inside_ns = amount(region, kOpenMpAcceleratorInside);
  all.serialised_ns = amount(region, kOpenMpSerialised);
  all.not_started_ns = amount(region, kOpenMpNotStarted);
  all.all_idle_ns = amount(region, kOpenMpScheduling);
  return all;
}

std::vector<ConstructReport> construct_reports(
    const std::vector<ConstructTotals>& constructs, const RegionTotals& region,
    int64_t core_ns) {
  std::vector<ConstructReport> reports;
  if (constructs.empty()) return reports;
  // OpenMP time outside parallel regions is all that the constructs do not
  // have.
  ConstructTotals outside = all_constructs_in(region);
  outside.region = constructs.front().region;
  // What threads do in no construct is known of the job (number 0), and follows
  // from the totals of one of its regions.
  const bool has_rest = outside.region.empty();
  if (has_rest) outside.useful_ns = 0;
  for (const ConstructTotals& c : constructs) {
    if (c.is_task) continue;
    if (!has_rest) outside.useful_ns -= c.useful_ns;
    outside.weighted_ns -= c.weighted_ns;
    outside.mpi_ns -= c.mpi_ns;
    outside.mpi_inside_ns -= c.mpi_inside_ns;
    outside.accelerator_ns -= c.accelerator_ns;
    outside.accelerator_inside_ns -= c.accelerator_inside_ns;
    outside.serialised_ns -= c.serialised_ns;
    outside.not_started_ns -= c.not_started_ns;
    outside.all_idle_ns -= c.all_idle_ns;
  }
  const Whole whole = {core_ns, !works_off_the_line(region)};
  add_kind(false, constructs, outside, whole, &reports);
  add_kind(true, constructs, {}, whole, &reports);

  return reports;
}

void locate_constructs(const Locate& locate,
                       std::vector<ConstructReport>* reports) {
  std::vector<ConstructTotals> to_locate;
  for (const ConstructReport& report : *reports) {
    if (!report.totals.module.empty()) to_locate.push_back(report.totals);
  }
  if (locate == nullptr || to_locate.empty()) return;
  const std::vector<std::string> names = locate(to_locate);
  size_t next = 0;
  for (ConstructReport& report : *reports) {
    if (!report.totals.module.empty()) report.location = names[next++];
  }
}

}  // namespace poprt
