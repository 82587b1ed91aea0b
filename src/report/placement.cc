#include "report/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "document/format.h"
#include "model/quantities.h"
#include "report/drawn_hosts.h"

namespace poprt {
namespace {

// How many processes are listed.
constexpr size_t kPlacesListed = 16;

struct TakenLine {
  const Resource* resource;
  const char* label;
  CellUnit unit;
};
constexpr TakenLine kTaken[] = {
    {&kUserTime, "CPU, program", CellUnit::kNs},
    {&kSystemTime, "CPU, kernel", CellUnit::kNs},
    {&kWaitedForCore, "waited for a core", CellUnit::kNs},
    {&kVoluntarySwitches, "switches, waiting", CellUnit::kAmount},
    {&kInvoluntarySwitches, "switches, forced", CellUnit::kAmount},
    {&kMemorySum, "memory, bytes", CellUnit::kAmount},
    {&kPeakMemorySum, "peak, bytes", CellUnit::kAmount},
};

const HostShare* host_of(const JobTotals& job, const ProcessPlace& place) {
  for (const HostShare& host : job.hosts) {
    if (text_hash(host.name.data(), host.name.size()) == place.host) {
      return &host;
    }
  }
  return nullptr;
}

// The numbers of the parts that have any of these processors: "0,2-3".
std::string parts_with(const CpuSet& cpus, const std::vector<CpuSet>& parts) {
  CpuSet numbers;
  for (size_t i = 0; i < parts.size() && i < CpuSet::kMost; ++i) {
    if (parts[i].meets(cpus)) numbers.add(static_cast<int>(i));
  }
  return numbers.size() > 0 ? cpu_list(numbers) : "?";
}

// Of NUMA nodes, by the system's numbers.
std::string numa_nodes_with(const CpuSet& cpus, const Topology& topology) {
  CpuSet numbers;
  for (const MemoryNode& each : topology.memory) {
    const bool is_known = each.node >= 0 && each.node < CpuSet::kMost;
    if (is_known && each.cpus.meets(cpus) &&
        std::ranges::find(topology.numa_nodes, each.cpus) !=
            topology.numa_nodes.end()) {
      numbers.add(static_cast<int>(each.node));
    }
  }
  return numbers.size() > 0 ? cpu_list(numbers) : "?";
}

Table taken_of(const JobTotals& job) {
  Table table;
  table.title = "Taken of hosts";
  table.columns = {{"sum"}, {"mean"}, {"least"}, {"rank"}, {"most"}, {"rank"}};
  for (const TakenLine& line : kTaken) {
    const auto value = [&](const ProcessPlace& place) {
      return amount(place.resources, line.resource->name);
    };
    // Of some processes it may not be known: then the sum is not known either.
    std::vector<const ProcessPlace*> known;
    for (const ProcessPlace& each : job.places) {
      if (has_amount(each.resources, line.resource->name))
        known.push_back(&each);
    }
    if (known.empty()) continue;
    const auto [least, most] = std::ranges::minmax(
        known, {}, [&](const ProcessPlace* each) { return value(*each); });
    if (value(*most) == 0) continue;
    double sum = known.size() < job.places.size() ? kUndefined : 0;
    for (const ProcessPlace* const each : known) {
      sum += static_cast<double>(value(*each));
    }
    const auto cell = [&](double number) {
      return TableCell{line.unit, number};
    };
    const auto rank = [](const ProcessPlace& place) {
      return TableCell{CellUnit::kCount, static_cast<double>(place.rank)};
    };
    table.rows.push_back(
        {line.label,
         {cell(sum), cell(sum / static_cast<double>(job.places.size())),
          cell(static_cast<double>(value(*least))), rank(*least),
          cell(static_cast<double>(value(*most))), rank(*most)}});
  }
  return table;
}

Table places_table(const JobTotals& job) {
  Table table;
  table.title = "Places";
  table.key = "places";
  table.columns = {{"rank"},
                   {"threads"},
                   {"cores", "that its threads might use"},
                   {"last on", "where its threads were at the end"},
                   {"socket"},
                   {"NUMA", "node"}};
  for (size_t i = 0; i < job.places.size() && i < kPlacesListed; ++i) {
    const ProcessPlace& place = job.places[i];
    const HostShare* const host = host_of(job, place);
    const Topology* const topology =
        host == nullptr ? nullptr : topology_of(job, *host);
    const auto text = [](std::string words) {
      return TableCell{.text = std::move(words)};
    };
    table.rows.push_back(
        {host == nullptr ? "?" : host->name,
         {{CellUnit::kCount, static_cast<double>(place.rank)},
          {CellUnit::kCount, static_cast<double>(place.threads)},
          text(cpu_list(place.cpus)),
          text(cpu_list(place.ran_on)),
          text(topology == nullptr ? "?"
                                   : parts_with(place.cpus, topology->sockets)),
          text(topology == nullptr ? "?"
                                   : numa_nodes_with(place.cpus, *topology))}});
  }
  if (job.places.size() > kPlacesListed) {
    table.more = fmt::format("{} more", job.places.size() - kPlacesListed);
  }
  return table;
}

}  // namespace

std::vector<Block> placement_blocks(const JobReport& report) {
  const JobTotals& job = report.totals;
  std::vector<Block> blocks;
  const bool known = std::ranges::any_of(
      job.places,
      [](const ProcessPlace& place) { return place.cpus.size() > 0; });
  if (!known) return blocks;
  blocks.emplace_back(taken_of(job));
  blocks.emplace_back(places_table(job));
  FactList cores = drawn_hosts(job);
  if (!cores.facts.empty()) blocks.emplace_back(std::move(cores));
  return blocks;
}

std::string csv_placement_heading() {
  std::string text = ",cpus,ran_on";
  for (const Resource* resource : kResources) {
    if (is_of_one_process(*resource)) text += "," + row_name(resource->name);
  }
  return text;
}

std::string csv_placement(const JobReport& report, int64_t rank) {
  const std::vector<ProcessPlace>& places = report.totals.places;
  const auto place =
      std::lower_bound(places.begin(), places.end(), rank,
                       [](const ProcessPlace& each, int64_t wanted) {
                         return each.rank < wanted;
                       });
  if (place == places.end() || place->rank != rank) return "";
  std::string text = "," + csv_field(cpu_list(place->cpus)) + "," +
                     csv_field(cpu_list(place->ran_on));
  for (const Resource* resource : kResources) {
    if (!is_of_one_process(*resource)) continue;
    text += ",";
    if (!has_amount(place->resources, resource->name)) continue;
    text += fmt::format("{}", amount(place->resources, resource->name));
  }
  return text;
}

}  // namespace poprt
