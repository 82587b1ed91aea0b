// Writes MPI calls and OpenMP constructs by place for spreadsheets and scripts.
#include "report/places_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "document/format.h"
#include "model/members.h"
#include "report/site_tables.h"
#include "report/table_options.h"

namespace poprt {
namespace {

bool is_shown(const std::string& region, const TableOptions& options) {
  return options.regions.empty() ||
         std::ranges::find(options.regions, region) != options.regions.end();
}

std::string place_fields(const std::string& location, const std::string& module,
                         uint64_t offset) {
  if (module.empty()) return ",,";
  return fmt::format("{},{},{}", csv_field(location), csv_field(module),
                     offset);
}

// Those that were waited for longest, as far as they are known.
std::string late_fields(const LateRanks& late) {
  if (late.ranks.empty()) return ",,";
  const LateRank most = latest_of(late).front();
  return fmt::format("{},{},{}", most.rank, most.waiting_ns, most.error_ns);
}

// Numbers that only one of both kinds has.
bool is_of_both(std::string_view member) {
  return member == "time_ns" || member == "waiting_ns";
}

template <class Totals, class Members>
std::string own_fields(const Totals* totals, const Members& members) {
  std::string text;
  for (const auto& member : members) {
    if (is_of_both(member.name)) continue;
    text += ",";
    if (totals != nullptr) text += fmt::format("{}", totals->*member.value);
  }
  return text;
}

std::string own_headings() {
  std::string text;
  const auto add = [&](const auto& members) {
    for (const auto& member : members) {
      if (!is_of_both(member.name)) text += std::string(",") + member.name;
    }
  };
  add(kCallMembers);
  add(kConstructSiteMembers);
  return text;
}

}  // namespace

bool has_places(const JobReport& report) {
  return !report.calls.empty() || !report.construct_sites.empty();
}

std::string places_csv_heading() {
  return "file,region,layer,name,lock,location,module,offset,"
         "time_ns,waiting_ns,late,late_waiting_ns,late_error_ns" +
         own_headings() + "\n";
}

std::string places_csv(const JobReport& report, const std::string& file,
                       const TableOptions& options) {
  std::string text;
  const auto add = [&](const char* layer, const std::string& name,
                       const std::string& lock, const auto& site,
                       const std::string& own) {
    if (!is_shown(site.totals.region, options)) return;
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{}{}\n", csv_field(file),
        csv_field(site.totals.region), layer, name, csv_field(lock),
        place_fields(site.location, site.totals.module, site.totals.offset),
        site.totals.time_ns, site.totals.waiting_ns,
        late_fields(site.totals.late), own);
  };
  constexpr const CallTotals* kNoCall = nullptr;
  constexpr const ConstructSiteTotals* kNoConstruct = nullptr;
  for (const CallReport& call : report.calls) {
    add("mpi", call.totals.function, "", call,
        own_fields(&call.totals, kCallMembers) +
            own_fields(kNoConstruct, kConstructSiteMembers));
  }
  for (const ConstructSiteReport& site : report.construct_sites) {
    add("openmp", site.totals.construct, site.totals.lock, site,
        own_fields(kNoCall, kCallMembers) +
            own_fields(&site.totals, kConstructSiteMembers));
  }
  return text;
}

}  // namespace poprt
