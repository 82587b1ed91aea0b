// A JobTotals as bytes: a mark, all members in the order of model/members.h,
// and a hash of all that.
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "model/bytes.h"
#include "model/device_members.h"
#include "model/members.h"
#include "model/totals.h"

namespace poprt {
namespace {

constexpr uint64_t kMark = 0x397472706f70;  // "poprt9"

template <class Stream, class Totals, class Members>
void stream_members(Stream& stream, Totals& totals, const Members& members) {
  for (const auto& member : members) stream(totals.*member.value);
}

template <class Stream, class Amounts>
void stream_amounts(Stream& stream, Amounts& amounts) {
  stream.list(amounts,
              [&](auto& amount) { stream(amount.name, amount.value); });
}

template <class Stream, class FileSystems>
void stream_file_systems(Stream& stream, FileSystems& file_systems) {
  stream.list(file_systems, [&](auto& files) {
    stream(files.mount_point, files.type);
    stream_members(stream, files, kFileSystemMembers);
  });
}

template <class Stream, class Topologies>
void stream_topologies(Stream& stream, Topologies& topologies) {
  stream.list(topologies, [&](auto& topology) {
    stream(topology.id, topology.cpu_model, topology.cpus.words);
    const auto sets = [&](auto& list) {
      stream.list(list, [&](auto& cpus) { stream(cpus.words); });
    };
    sets(topology.cores);
    sets(topology.sockets);
    sets(topology.numa_nodes);
    sets(topology.dies);
    stream.list(topology.memory, [&](auto& memory) {
      stream(memory.node, memory.kind, memory.bytes, memory.cpus.words);
    });
    stream.list(topology.caches, [&](auto& caches) {
      stream(caches.level, caches.bytes);
      sets(caches.shared);
    });
    stream.list(topology.core_kinds, [&](auto& kind) {
      stream(kind.name, kind.efficiency, kind.cpus.words);
    });
  });
}

template <class Stream, class Regions>
void stream_regions(Stream& stream, Regions& regions) {
  stream.list(regions, [&](auto& region) {
    stream(region.name, region.key);
    stream_members(stream, region, kRegionMembers);
    stream.list(region.nodes, [&](auto& node) {
      stream(node.host);
      stream_members(stream, node, kNodeMembers);
    });
    stream_amounts(stream, region.amounts);
    stream.list(region.rows, [&](auto& row) {
      stream_members(stream, row, kRowMembers);
      stream_amounts(stream, row.amounts);
    });
    stream.list(region.thread_rows, [&](auto& row) {
      stream_members(stream, row, kThreadRowMembers);
      stream_members(stream, row, kThreadSourceMembers);
    });
  });
}

template <class Stream, class Devices>
void stream_devices(Stream& stream, Devices& devices) {
  const auto number = [&](const char*, auto& value) { stream(value); };
  stream.list(devices, [&](auto& device) {
    stream(device.key.host, device.key.unit, device.key.process, device.name);
    visit_sums(number, device);
    stream.list(device.regions, [&](auto& region) {
      stream(region.name);
      visit_numbers(number, number, region);
    });
  });
}

template <class Stream, class Late>
void stream_late_ranks(Stream& stream, Late& late) {
  stream.list(late.ranks, [&](auto& each) {
    stream(each.rank, each.calls, each.waiting_ns, each.error_ns);
  });
  stream(late.missing_ns);
}

template <class Stream, class Job>
void stream_totals(Stream& stream, Job& job) {
  stream_members(stream, job, kJobMembers);
  stream(job.threads_min);
  for (const EventLayer layer : kAllLayers) stream(job.*flag_of(layer));
  stream(job.has_unseen_openmp, job.has_posix_io);
  stream.list(job.hosts, [&](auto& host) {
    stream(host.name, host.processes, host.threads, host.cpus.words,
           host.allotted.words, host.quota.millicores, host.quota.group);
    stream.list(host.users,
                [&](auto& user) { stream(user.cpu, user.rank, user.threads); });
    stream(host.topology, host.peak_memory_sum_bytes, host.energy_uj,
           host.energy_is_least);
    stream.list(host.numa_memory,
                [&](auto& part) { stream(part.node, part.bytes); });
  });
  stream.list(job.programs,
              [&](auto& program) { stream(program.name, program.processes); });
  stream.list(job.unwrapped_calls, [&](auto& call) {
    stream(call.name, call.processes, call.is_wrapped);
  });
  stream_topologies(stream, job.topologies);
  stream_amounts(stream, job.resources);
  stream_file_systems(stream, job.file_systems);
  stream_file_systems(stream, job.mpi_file_systems);
  stream.list(job.places, [&](auto& place) {
    stream(place.rank, place.host, place.threads, place.cpus.words,
           place.ran_on.words);
    stream_amounts(stream, place.resources);
  });
  stream_regions(stream, job.regions);
  stream_regions(stream, job.windows);
  stream.list(job.window_marks, [&](auto& marks) {
    stream(marks.key);
    for (auto& clock : marks.clocks) {
      stream(clock.least_ns, clock.begin_ns, clock.end_ns);
    }
    stream(marks.pl_cue_least_ns, marks.pl_cue_most_ns);
  });
  stream.list(job.constructs, [&](auto& construct) {
    stream(construct.region, construct.module, construct.offset,
           construct.is_task);
    stream_members(stream, construct, kConstructMembers);
  });
  stream.list(job.calls, [&](auto& call) {
    stream(call.region, call.function, call.module, call.offset);
    stream_members(stream, call, kCallMembers);
    stream.list(call.sizes,
                [&](auto& size) { stream(size.below_bytes, size.messages); });
    stream_late_ranks(stream, call.late);
  });
  stream.list(job.construct_sites, [&](auto& site) {
    stream(site.region, site.construct, site.lock, site.lock_module,
           site.lock_offset, site.module, site.offset);
    stream_members(stream, site, kConstructSiteMembers);
    stream_late_ranks(stream, site.late);
  });
  stream_devices(stream, job.devices);
  stream.list(job.metadata, [&](auto& entry) {
    stream(entry.key, entry.value, entry.process);
  });
  stream(job.path.length_ns);
  stream.list(job.path.parts, [&](auto& part) {
    stream(part.what, part.region, part.key, part.rank, part.ns);
  });
  stream(job.path.modules);
  stream.list(job.path.without,
              [&](auto& without) { stream(without.region, without.run_ns); });
  stream_members(stream, job.quality, kQualityMembers);
  stream(job.quality.notes);
}

}  // namespace

std::string serialise(const JobTotals& totals) {
  BytesWriter writer;
  writer(kMark);
  stream_totals(writer, totals);
  writer(text_hash(writer.bytes().data(), writer.bytes().size()));
  return writer.bytes();
}

bool deserialise(const std::string& bytes, JobTotals* totals) {
  uint64_t hash;
  if (bytes.size() < sizeof hash) return false;
  const size_t size = bytes.size() - sizeof hash;
  std::memcpy(&hash, bytes.data() + size, sizeof hash);
  if (hash != text_hash(bytes.data(), size)) return false;

  BytesReader reader(bytes.data(), size);
  uint64_t mark;
  reader(mark);
  JobTotals result;
  if (mark == kMark) stream_totals(reader, result);
  if (!reader.at_end() || mark != kMark || !lists_sorted(result)) return false;
  *totals = std::move(result);
  return true;
}

}  // namespace poprt
