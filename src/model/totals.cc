#include "model/totals.h"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

#include "model/construct_sites.h"
#include "model/members.h"
#include "model/noted.h"
#include "model/quantities.h"
#include "model/thread_rows.h"

namespace poprt {
namespace {

constexpr size_t kProgramsMax = 100;
// A job of 10^5 processes that all misuse the API still has notes of one page.
constexpr size_t kNotesMax = 50;
// If each process names keys of its own, they fit into about a megabyte.
constexpr size_t kMetadataMax = 1024;  // as the note says

void add(NodeShare* a, const NodeShare& b) {
  combine_members(kNodeMembers, a, b);
}

void add(CoreUser* a, const CoreUser& b) { a->threads += b.threads; }

void add(NumaMemory* a, const NumaMemory& b) { a->bytes += b.bytes; }

void add(FileSystem* a, const FileSystem& b) {
  combine_members(kFileSystemMembers, a, b);
}

void add(ProgramShare* a, const ProgramShare& b) {
  a->processes = bounded_sum(a->processes, b.processes);
}

void add(UnwrappedCall* a, const UnwrappedCall& b) {
  a->processes = bounded_sum(a->processes, b.processes);
  a->is_wrapped |= b.is_wrapped;
}

// Hosts of one kind have the same id, and so the same content.
void add(Topology* a, const Topology& b) {
  // The rest is the same, as the id says.
  const size_t nodes = std::min(a->memory.size(), b.memory.size());
  for (size_t i = 0; i < nodes; ++i) {
    a->memory[i].bytes = std::max(a->memory[i].bytes, b.memory[i].bytes);
  }
}

void add(ProcessRow* a, const ProcessRow& b);
void add(ThreadRow* a, const ThreadRow& b);

void add(HostShare* a, const HostShare& b);
void add(ProcessPlace* a, const ProcessPlace& b);

bool before(const NodeShare& a, const NodeShare& b) { return a.host < b.host; }
bool before(const Amount& a, const Amount& b) { return a.name < b.name; }
bool before(const HostShare& a, const HostShare& b) { return a.name < b.name; }
bool before(const CoreUser& a, const CoreUser& b) {
  return std::tie(a.cpu, a.rank) < std::tie(b.cpu, b.rank);
}
bool before(const NumaMemory& a, const NumaMemory& b) {
  return a.node < b.node;
}
bool before(const FileSystem& a, const FileSystem& b) {
  return std::tie(a.mount_point, a.type) < std::tie(b.mount_point, b.type);
}
bool before(const ProgramShare& a, const ProgramShare& b) {
  return a.name < b.name;
}
bool before(const UnwrappedCall& a, const UnwrappedCall& b) {
  return a.name < b.name;
}
bool before(const Topology& a, const Topology& b) { return a.id < b.id; }
bool before(const ProcessRow& a, const ProcessRow& b) {
  return a.rank < b.rank;
}
bool before(const ThreadRow& a, const ThreadRow& b) {
  return std::tie(a.rank, a.thread) < std::tie(b.rank, b.thread);
}
bool before(const ProcessPlace& a, const ProcessPlace& b) {
  return a.rank < b.rank;
}
bool before(const RegionTotals& a, const RegionTotals& b) {
  return a.key < b.key;
}

void add(Amount* a, const Amount& b) {
  a->value = is_maximum(a->name) ? std::max(a->value, b.value)
                                 : bounded_sum(a->value, b.value);
}

void add(ConstructTotals* a, const ConstructTotals& b) {
  combine_members(kConstructMembers, a, b);
}

bool before(const Metadata& a, const Metadata& b) { return a.key < b.key; }

void add(Metadata* a, const Metadata& b) {
  if (std::tie(b.process, b.value) < std::tie(a->process, a->value)) *a = b;
}

void add(RegionTotals* a, const RegionTotals& b);

// Merges two sorted lists; items in both are added.
template <class Item>
std::vector<Item> merged(std::vector<Item> a, const std::vector<Item>& b) {
  std::vector<Item> result;
  result.reserve(a.size() + b.size());
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() || right != b.end()) {
    if (right == b.end() || (left != a.end() && before(*left, *right))) {
      result.push_back(std::move(*left++));
    } else if (left == a.end() || before(*right, *left)) {
      result.push_back(*right++);
    } else {
      add(&*left, *right++);
      result.push_back(std::move(*left++));
    }
  }
  return result;
}

void add(HostShare* a, const HostShare& b) {
  a->processes += b.processes;
  a->threads += b.threads;
  a->cpus.add(b.cpus);
  a->allotted.add(b.allotted);
  if (a->quota != b.quota) a->quota = {CpuQuota::kUnlike, 0};
  a->users = merged(std::move(a->users), b.users);
  // One process of a host tells.
  a->topology = std::max(a->topology, b.topology);
  a->peak_memory_sum_bytes += b.peak_memory_sum_bytes;
  // A process that has read its counters often enough knows all.
  a->energy_is_least = (a->energy_uj == 0 || a->energy_is_least) &&
                       (b.energy_uj == 0 || b.energy_is_least);
  a->energy_uj = std::max(a->energy_uj, b.energy_uj);
  if (a->energy_uj == 0) a->energy_is_least = false;
  a->numa_memory = merged(std::move(a->numa_memory), b.numa_memory);
}

// Ranks are unique.  If two rows have the same rank, the result only must not
// depend on the order.
void add(ProcessRow* a, const ProcessRow& b) {
  a->amounts = merged(std::move(a->amounts), b.amounts);
  combine_members(kRowMembers, a, b);
}

void add(ThreadRow* a, const ThreadRow& b) {
  combine_members(kThreadRowMembers, a, b);
  combine_members(kThreadSourceMembers, a, b);
}

void add(ProcessPlace* a, const ProcessPlace& b) {
  a->host = std::min(a->host, b.host);
  a->threads += b.threads;
  a->cpus.add(b.cpus);
  a->ran_on.add(b.ran_on);
  a->resources = merged(std::move(a->resources), b.resources);
}

void add(RegionTotals* a, const RegionTotals& b) {
  // Two names with one key are one region.  Which name it has must not depend
  // on the order of processes.
  if (a->name.empty() || (!b.name.empty() && b.name < a->name)) {
    a->name = b.name;
  }
  a->nodes = merged(std::move(a->nodes), b.nodes);
  a->amounts = merged(std::move(a->amounts), b.amounts);
  a->rows = merged(std::move(a->rows), b.rows);
  a->thread_rows = merged(std::move(a->thread_rows), b.thread_rows);
  combine_members(kRegionMembers, a, b);
}

// Keeps the keys of the lowest ranks, and of the same rank the first ones by
// key.  Each of them was also among the first in every part of the job, so it
// cannot have been dropped there.  False: nothing was dropped.
bool limit_metadata(std::vector<Metadata>* metadata) {
  if (metadata->size() <= kMetadataMax) return false;
  const auto place = [](const Metadata& entry) {
    return std::tie(entry.process, entry.key);
  };
  std::vector<const Metadata*> order;
  for (const Metadata& entry : *metadata) order.push_back(&entry);
  std::nth_element(order.begin(), order.begin() + kMetadataMax, order.end(),
                   [&](const Metadata* a, const Metadata* b) {
                     return place(*a) < place(*b);
                   });
  const Metadata first_lost = *order[kMetadataMax];
  metadata->erase(std::remove_if(metadata->begin(), metadata->end(),
                                 [&](const Metadata& entry) {
                                   return place(entry) >= place(first_lost);
                                 }),
                  metadata->end());
  return true;
}

template <class Item>
bool strictly_sorted(const std::vector<Item>& items) {
  return std::adjacent_find(items.begin(), items.end(),
                            [](const Item& a, const Item& b) {
                              return !before(a, b);
                            }) == items.end();
}

}  // namespace

uint64_t text_hash(const char* text, size_t length) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < length; ++i) {
    hash = (hash ^ static_cast<unsigned char>(text[i])) * 1099511628211u;
  }
  return hash;
}

bool before(const ConstructTotals& a, const ConstructTotals& b) {
  return std::tie(a.region, a.module, a.offset, a.is_task) <
         std::tie(b.region, b.module, b.offset, b.is_task);
}

bool lists_sorted(const JobTotals& totals) {
  const auto sorted_inside = [](const std::vector<RegionTotals>& regions) {
    return std::ranges::all_of(regions, [](const RegionTotals& region) {
      return strictly_sorted(region.nodes) && strictly_sorted(region.amounts) &&
             strictly_sorted(region.rows) &&
             strictly_sorted(region.thread_rows);
    });
  };
  return strictly_sorted(totals.hosts) && strictly_sorted(totals.resources) &&
         strictly_sorted(totals.regions) &&
         strictly_sorted(totals.constructs) && strictly_sorted(totals.calls) &&
         strictly_sorted(totals.construct_sites) &&
         strictly_sorted(totals.places) && strictly_sorted(totals.metadata) &&
         are_devices_sorted(totals.devices) &&
         strictly_sorted(totals.topologies) &&
         strictly_sorted(totals.programs) &&
         strictly_sorted(totals.unwrapped_calls) &&
         strictly_sorted(totals.file_systems) &&
         strictly_sorted(totals.mpi_file_systems) &&
         std::all_of(totals.hosts.begin(), totals.hosts.end(),
                     [](const HostShare& host) {
                       return strictly_sorted(host.users) &&
                              strictly_sorted(host.numa_memory);
                     }) &&
         std::all_of(totals.places.begin(), totals.places.end(),
                     [](const ProcessPlace& place) {
                       return strictly_sorted(place.resources);
                     }) &&
         strictly_sorted(totals.windows) &&
         strictly_sorted(totals.window_marks) &&
         sorted_inside(totals.regions) && sorted_inside(totals.windows);
}

namespace {

// What the system of a process may not tell.  Then it is not known of the job
// either: what is known of some processes would be read as that of all.
constexpr const Resource* kOfAllOrUnknown[] = {&kWaitedForCore, &kMemorySum,
                                               &kMemoryMax, &kUnknownThreads};

bool is_known_of_some(const Resource& resource, const JobTotals& a,
                      const JobTotals& b) {
  return a.processes > 0 && b.processes > 0 &&
         has_amount(a.resources, resource.name) !=
             has_amount(b.resources, resource.name);
}

}  // namespace

JobTotals combine(JobTotals a, const JobTotals& b) {
  assert(lists_sorted(a) && lists_sorted(b));
  if (a.processes == 0) {
    a.threads_min = b.threads_min;
  } else if (b.processes > 0) {
    a.threads_min = std::min(a.threads_min, b.threads_min);
  }
  std::vector<std::string_view> unknown;
  for (const Resource* const resource : kOfAllOrUnknown) {
    if (is_known_of_some(*resource, a, b)) unknown.push_back(resource->name);
  }
  combine_members(kJobMembers, &a, b);
  for (const EventLayer layer : kAllLayers) {
    a.*flag_of(layer) |= b.*flag_of(layer);
  }
  a.has_unseen_openmp |= b.has_unseen_openmp;
  a.has_posix_io |= b.has_posix_io;
  a.hosts = merged(std::move(a.hosts), b.hosts);
  a.topologies = merged(std::move(a.topologies), b.topologies);
  a.resources = merged(std::move(a.resources), b.resources);
  std::erase_if(a.resources, [&](const Amount& each) {
    return std::ranges::find(unknown, each.name) != unknown.end();
  });
  a.programs = merged(std::move(a.programs), b.programs);
  a.programs.resize(std::min(a.programs.size(), kProgramsMax));
  a.unwrapped_calls = merged(std::move(a.unwrapped_calls), b.unwrapped_calls);
  a.file_systems = merged(std::move(a.file_systems), b.file_systems);
  a.mpi_file_systems =
      merged(std::move(a.mpi_file_systems), b.mpi_file_systems);
  a.places = merged(std::move(a.places), b.places);
  a.regions = merged(std::move(a.regions), b.regions);
  limit_thread_rows(&a);
  a.windows = merged(std::move(a.windows), b.windows);
  a.window_marks = merged(std::move(a.window_marks), b.window_marks);
  a.constructs = merged(std::move(a.constructs), b.constructs);
  a.calls = merged(std::move(a.calls), b.calls);
  a.construct_sites = merged(std::move(a.construct_sites), b.construct_sites);
  a.devices = combine_devices(std::move(a.devices), b.devices);
  a.devices_left_out =
      bounded_sum(a.devices_left_out, limit_devices(&a.devices));
  a.metadata = merged(std::move(a.metadata), b.metadata);
  a.path = combine(std::move(a.path), b.path);

  combine_members(kQualityMembers, &a.quality, b.quality);
  std::vector<std::string>& notes = a.quality.notes;
  notes.insert(notes.end(), b.quality.notes.begin(), b.quality.notes.end());
  if (limit_metadata(&a.metadata)) notes.push_back(noted<"metadata_of_job">());
  std::sort(notes.begin(), notes.end());
  notes.erase(std::unique(notes.begin(), notes.end()), notes.end());
  // The first ones of the sorted union do not depend on the order of combining.
  if (notes.size() > kNotesMax) notes.resize(kNotesMax);
  return a;
}

void set_rank(int64_t rank, JobTotals* own) {
  assert(own->hosts.size() <= 1);
  for (HostShare& host : own->hosts) {
    for (CoreUser& user : host.users) user.rank = rank;
  }
  for (ProcessPlace& place : own->places) place.rank = rank;
  for (DeviceTotals& device : own->devices) {
    if (device.key.process != DeviceKey::kAnyProcess) device.key.process = rank;
  }
  sort_devices(&own->devices);
  for (RegionTotals& region : own->regions) {
    for (ThreadRow& row : region.thread_rows) row.rank = rank;
  }
}

int64_t in_all_states_ns(const RegionTotals& region) {
  int64_t sum = 0;
  for (const State state : kAllStates) sum += region.*sum_of(state);
  return sum;
}

const Topology* topology_of(const JobTotals& job, const HostShare& host) {
  for (const Topology& each : job.topologies) {
    if (!host.topology.empty() && each.id == host.topology) return &each;
  }
  return nullptr;
}

void keep_shared_cores(JobTotals* job) {
  for (HostShare& host : job->hosts) {
    // The processors that are used, with the others of their cores.
    CpuSet shared;
    CpuSet used;
    for (const CoreUser& user : host.users) {
      if (user.cpu < 0 || user.cpu >= CpuSet::kMost) continue;
      const int cpu = static_cast<int>(user.cpu);
      if (user.threads > 1 || used.has(cpu)) shared.add(cpu);
      used.add(cpu);
    }
    const Topology* const topology = topology_of(*job, host);
    if (topology != nullptr && free_cores(*topology, host).size() > 0) {
      for (const CpuSet& core : topology->cores) {
        const CpuSet busy = core.without(core.without(used));
        if (busy.size() > 1) shared.add(busy);
      }
    }
    std::erase_if(host.users,
                  [&](const CoreUser& user) { return !shared.has(user.cpu); });
  }
}

CpuSet free_cores(const Topology& topology, const HostShare& host) {
  CpuSet free;
  for (const CpuSet& core : topology.cores) {
    if (core.meets(host.allotted) && !core.meets(host.cpus)) free.add(core);
  }
  return free.without(free.without(host.allotted));
}

void add_rows(int64_t rank, JobTotals* own) {
  assert(own->processes == 1 && own->hosts.size() == 1);
  const std::string& host = own->hosts.front().name;
  own->places.resize(1);
  ProcessPlace& place = own->places.front();
  place.rank = rank;
  place.host = text_hash(host.data(), host.size());
  place.threads = own->threads;
  place.resources.clear();
  for (const Resource* resource : kResources) {
    if (!is_of_one_process(*resource)) continue;
    if (!has_amount(own->resources, resource->name)) continue;
    set_amount(resource->name, amount(own->resources, resource->name),
               &place.resources);
  }
  for (RegionTotals& r : own->regions) {
    if (r.processes == 0) continue;
    ProcessRow row = {.rank = rank,
                      .visits = r.visits,
                      .elapsed_ns = r.elapsed_max_ns,
                      .useful_max_ns = r.useful_max_ns,
                      .serial_ns = r.serial_sum_ns,
                      .outside_mpi_ns = r.outside_mpi_max_ns,
                      .amounts = r.amounts};
    for (const State state : kAllStates) {
      row.*process_time_of(state) = r.*sum_of(state);
    }
    r.rows = {std::move(row)};
  }
  limit_thread_rows(own);
}

void forget_ranks(JobTotals* job) {
  job->places.clear();
  for (RegionTotals& region : job->regions) {
    region.rows.clear();
    region.thread_rows.clear();
  }
}

void complete_job(JobTotals* job) {
  if (!job->construct_sites.empty()) {
    complete_rest(job->regions, &job->construct_sites);
  }
  for (const RegionTotals& region : job->regions) {
    if (region.name == "Global") reach(region.all_ns, &job->path);
  }
  if (job->processes != 1) return;
  job->full_tables = 0;
  for (auto* const list : {&job->regions, &job->windows}) {
    for (RegionTotals& region : *list) region.in_full_tables = 0;
  }
}

}  // namespace poprt
