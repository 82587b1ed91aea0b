// Lists of what was done by kind and place, in each region: MPI calls
// (calls.h) and OpenMP constructs (construct_sites.h).
//
// Totals: region, module, offset and time_ns; is_rest(), visits_of(), add() and
// before(), which orders by region first.
#ifndef POPRT_MODEL_SITE_LISTS_H_
#define POPRT_MODEL_SITE_LISTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/constructs.h"

namespace poprt {

// Keeps the `most` entries of each region with the most time; the others are
// added to its rest.  Returns how many those were.
// REQUIRES and keeps the order of before().
template <class Totals>
int64_t keep_heaviest(size_t most, std::vector<Totals>* sites) {
  std::vector<Totals> kept;
  int64_t left_out = 0;
  for (size_t begin = 0; begin < sites->size();) {
    size_t end = begin;
    std::vector<const Totals*> order;
    Totals rest;
    rest.region = (*sites)[begin].region;
    for (; end < sites->size() && (*sites)[end].region == rest.region; ++end) {
      const Totals& each = (*sites)[end];
      if (is_rest(each)) {
        add(&rest, each);
      } else {
        order.push_back(&each);
      }
    }
    std::ranges::sort(order, [](const auto* a, const auto* b) {
      return a->time_ns != b->time_ns ? a->time_ns > b->time_ns : a < b;
    });
    for (size_t i = most; i < order.size(); ++i) {
      add(&rest, *order[i]);
      ++left_out;
    }
    order.resize(std::min(most, order.size()));
    if (visits_of(rest) != 0 || rest.time_ns != 0) kept.push_back(rest);
    std::ranges::sort(order);  // as they were
    for (const Totals* each : order) kept.push_back(*each);
    begin = end;
  }
  *sites = std::move(kept);
  return left_out;
}

// Entries of the same kind and place become one.
template <class Totals>
std::vector<Totals> merged_sites(std::vector<Totals> sites) {
  std::ranges::sort(sites,
                    [](const auto& a, const auto& b) { return before(a, b); });
  std::vector<Totals> result;
  for (Totals& each : sites) {
    if (!result.empty() && !before(result.back(), each)) {
      add(&result.back(), each);
    } else {
      result.push_back(std::move(each));
    }
  }
  return result;
}

// How many entries of each region a process passes on, and a run file has.
inline constexpr size_t kMostSitesOfProcess = 200;
inline constexpr size_t kMostSitesOfReport = 40;

// Of each of these regions, those with the most time first, and last the sum of
// all others, so that the times add up.  Report: totals and their location.
// REQUIRES: the order of before().
template <class Report, class Totals>
std::vector<Report> site_reports(std::vector<Totals> sites,
                                 const std::vector<std::string>& regions,
                                 const Locate& locate) {
  keep_heaviest(kMostSitesOfReport, &sites);
  std::vector<Report> reports;
  for (const std::string& region : regions) {
    const size_t first = reports.size();
    for (Totals& each : sites) {
      if (each.region == region) reports.push_back({std::move(each), ""});
    }
    std::ranges::sort(reports.begin() + static_cast<ptrdiff_t>(first),
                      reports.end(), [](const Report& a, const Report& b) {
                        const auto place = [](const Totals& totals) {
                          return std::make_tuple(is_rest(totals),
                                                 -totals.time_ns);
                        };
                        const auto place_a = place(a.totals);
                        const auto place_b = place(b.totals);
                        return place_a != place_b ? place_a < place_b
                                                  : before(a.totals, b.totals);
                      });
  }
  std::vector<ConstructTotals> places;
  for (const Report& each : reports) {
    ConstructTotals place;
    place.module = each.totals.module;
    place.offset = each.totals.offset;
    if (!each.totals.module.empty()) places.push_back(std::move(place));
  }
  if (locate == nullptr || places.empty()) return reports;
  const std::vector<std::string> names = locate(places);
  size_t next = 0;
  for (Report& each : reports) {
    if (!each.totals.module.empty()) each.location = names[next++];
  }
  return reports;
}

}  // namespace poprt

#endif  // POPRT_MODEL_SITE_LISTS_H_
