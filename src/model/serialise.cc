// A JobTotals as bytes: a mark, all members in the order of model/members.h,
// and a hash of all that.  Integers are eight bytes of this machine; a string
// or a list is preceded by its length.
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "model/bytes.h"
#include "model/members.h"
#include "model/totals.h"

namespace poprt {
namespace {

constexpr uint64_t kMark = 0x387472706f70;  // "poprt8"

template <class Stream, class Totals, class Members>
void stream_members(Stream& stream, Totals& totals, const Members& members) {
  for (const auto& member : members) {
    stream.integer(arg(stream, totals.*member.value));
  }
}

template <class Stream, class Amounts>
void stream_amounts(Stream& stream, Amounts& amounts) {
  stream.list(arg(stream, amounts), [&](auto& amount) {
    stream.string(arg(stream, amount.name));
    stream.integer(arg(stream, amount.value));
  });
}

template <class Stream, class Cpus>
void stream_cpus(Stream& stream, Cpus& cpus) {
  stream.list(arg(stream, cpus.words),
              [&](auto& word) { stream.integer(arg(stream, word)); });
}

template <class Stream, class FileSystems>
void stream_file_systems(Stream& stream, FileSystems& file_systems) {
  stream.list(arg(stream, file_systems), [&](auto& files) {
    stream.string(arg(stream, files.mount_point));
    stream.string(arg(stream, files.type));
    stream_members(stream, files, kFileSystemMembers);
  });
}

template <class Stream, class Topologies>
void stream_topologies(Stream& stream, Topologies& topologies) {
  stream.list(arg(stream, topologies), [&](auto& topology) {
    stream.string(arg(stream, topology.id));
    stream.string(arg(stream, topology.cpu_model));
    stream_cpus(stream, topology.cpus);
    const auto sets = [&](auto& list) {
      stream.list(arg(stream, list),
                  [&](auto& cpus) { stream_cpus(stream, cpus); });
    };
    sets(topology.cores);
    sets(topology.sockets);
    sets(topology.numa_nodes);
    sets(topology.dies);
    stream.list(arg(stream, topology.memory), [&](auto& memory) {
      stream.integer(arg(stream, memory.node));
      stream.string(arg(stream, memory.kind));
      stream.integer(arg(stream, memory.bytes));
      stream_cpus(stream, memory.cpus);
    });
    stream.list(arg(stream, topology.caches), [&](auto& caches) {
      stream.integer(arg(stream, caches.level));
      stream.integer(arg(stream, caches.bytes));
      sets(caches.shared);
    });
    stream.list(arg(stream, topology.core_kinds), [&](auto& kind) {
      stream.string(arg(stream, kind.name));
      stream.integer(arg(stream, kind.efficiency));
      stream_cpus(stream, kind.cpus);
    });
  });
}

template <class Stream, class Regions>
void stream_regions(Stream& stream, Regions& regions) {
  stream.list(arg(stream, regions), [&](auto& region) {
    stream.string(arg(stream, region.name));
    stream.integer(arg(stream, region.key));
    stream_members(stream, region, kRegionMembers);
    stream.list(arg(stream, region.nodes), [&](auto& node) {
      stream.integer(arg(stream, node.host));
      stream_members(stream, node, kNodeMembers);
    });
    stream_amounts(stream, region.amounts);
    stream.list(arg(stream, region.rows), [&](auto& row) {
      stream_members(stream, row, kRowMembers);
      stream_amounts(stream, row.amounts);
    });
    stream.list(arg(stream, region.thread_rows), [&](auto& row) {
      stream_members(stream, row, kThreadRowMembers);
      stream_members(stream, row, kThreadSourceMembers);
    });
  });
}

template <class Stream, class Late>
void stream_late_ranks(Stream& stream, Late& late) {
  stream.list(arg(stream, late.ranks), [&](auto& each) {
    stream.integer(arg(stream, each.rank));
    stream.integer(arg(stream, each.calls));
    stream.integer(arg(stream, each.waiting_ns));
    stream.integer(arg(stream, each.error_ns));
  });
  stream.integer(arg(stream, late.missing_ns));
}

template <class Stream, class Job>
void stream_totals(Stream& stream, Job& job) {
  stream_members(stream, job, kJobMembers);
  stream.integer(arg(stream, job.threads_min));
  for (const EventLayer layer : kAllLayers) {
    stream.flag(arg(stream, job.*flag_of(layer)));
  }
  stream.flag(arg(stream, job.has_unseen_openmp));
  stream.flag(arg(stream, job.has_posix_io));
  stream.list(arg(stream, job.hosts), [&](auto& host) {
    stream.string(arg(stream, host.name));
    stream.integer(arg(stream, host.processes));
    stream.integer(arg(stream, host.threads));
    stream_cpus(stream, host.cpus);
    stream_cpus(stream, host.allotted);
    stream.integer(arg(stream, host.quota.millicores));
    stream.integer(arg(stream, host.quota.group));
    stream.list(arg(stream, host.users), [&](auto& user) {
      stream.integer(arg(stream, user.cpu));
      stream.integer(arg(stream, user.rank));
      stream.integer(arg(stream, user.threads));
    });
    stream.string(arg(stream, host.topology));
    stream.integer(arg(stream, host.peak_memory_sum_bytes));
    stream.integer(arg(stream, host.energy_uj));
    stream.flag(arg(stream, host.energy_is_least));
    stream.list(arg(stream, host.numa_memory), [&](auto& part) {
      stream.integer(arg(stream, part.node));
      stream.integer(arg(stream, part.bytes));
    });
  });
  stream.list(arg(stream, job.programs), [&](auto& program) {
    stream.string(arg(stream, program.name));
    stream.integer(arg(stream, program.processes));
  });
  stream.list(arg(stream, job.unwrapped_calls), [&](auto& call) {
    stream.string(arg(stream, call.name));
    stream.integer(arg(stream, call.processes));
    stream.flag(arg(stream, call.is_wrapped));
  });
  stream_topologies(stream, job.topologies);
  stream_amounts(stream, job.resources);
  stream_file_systems(stream, job.file_systems);
  stream_file_systems(stream, job.mpi_file_systems);
  stream.list(arg(stream, job.places), [&](auto& place) {
    stream.integer(arg(stream, place.rank));
    stream.integer(arg(stream, place.host));
    stream.integer(arg(stream, place.threads));
    stream_cpus(stream, place.cpus);
    stream_cpus(stream, place.ran_on);
    stream_amounts(stream, place.resources);
  });
  stream_regions(stream, job.regions);
  stream_regions(stream, job.windows);
  stream.list(arg(stream, job.window_marks), [&](auto& marks) {
    stream.integer(arg(stream, marks.key));
    for (auto& clock : marks.clocks) {
      stream.integer(arg(stream, clock.least_ns));
      stream.integer(arg(stream, clock.begin_ns));
      stream.integer(arg(stream, clock.end_ns));
    }
    stream.integer(arg(stream, marks.pl_cue_least_ns));
    stream.integer(arg(stream, marks.pl_cue_most_ns));
  });
  stream.list(arg(stream, job.constructs), [&](auto& construct) {
    stream.string(arg(stream, construct.region));
    stream.string(arg(stream, construct.module));
    stream.integer(arg(stream, construct.offset));
    stream.flag(arg(stream, construct.is_task));
    stream_members(stream, construct, kConstructMembers);
  });
  stream.list(arg(stream, job.calls), [&](auto& call) {
    stream.string(arg(stream, call.region));
    stream.string(arg(stream, call.function));
    stream.string(arg(stream, call.module));
    stream.integer(arg(stream, call.offset));
    stream_members(stream, call, kCallMembers);
    stream.list(arg(stream, call.sizes), [&](auto& size) {
      stream.integer(arg(stream, size.below_bytes));
      stream.integer(arg(stream, size.messages));
    });
    stream_late_ranks(stream, call.late);
  });
  stream.list(arg(stream, job.construct_sites), [&](auto& site) {
    stream.string(arg(stream, site.region));
    stream.string(arg(stream, site.construct));
    stream.string(arg(stream, site.lock));
    stream.string(arg(stream, site.lock_module));
    stream.integer(arg(stream, site.lock_offset));
    stream.string(arg(stream, site.module));
    stream.integer(arg(stream, site.offset));
    stream_members(stream, site, kConstructSiteMembers);
    stream_late_ranks(stream, site.late);
  });
  stream.list(arg(stream, job.metadata), [&](auto& entry) {
    stream.string(arg(stream, entry.key));
    stream.string(arg(stream, entry.value));
    stream.integer(arg(stream, entry.process));
  });
  stream.integer(arg(stream, job.path.length_ns));
  stream.list(arg(stream, job.path.parts), [&](auto& part) {
    stream.string(arg(stream, part.what));
    stream.string(arg(stream, part.region));
    stream.integer(arg(stream, part.key));
    stream.integer(arg(stream, part.rank));
    stream.integer(arg(stream, part.ns));
  });
  stream.list(arg(stream, job.path.modules),
              [&](auto& module) { stream.string(arg(stream, module)); });
  stream.list(arg(stream, job.path.without), [&](auto& without) {
    stream.string(arg(stream, without.region));
    stream.integer(arg(stream, without.run_ns));
  });
  stream_members(stream, job.quality, kQualityMembers);
  stream.list(arg(stream, job.quality.notes),
              [&](auto& note) { stream.string(arg(stream, note)); });
}

}  // namespace

std::string serialise(const JobTotals& totals) {
  BytesWriter writer;
  writer.integer(kMark);
  stream_totals(writer, totals);
  writer.integer(text_hash(writer.bytes().data(), writer.bytes().size()));
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
  reader.integer(&mark);
  JobTotals result;
  if (mark == kMark) stream_totals(reader, result);
  if (!reader.at_end() || mark != kMark || !lists_sorted(result)) return false;
  *totals = std::move(result);
  return true;
}

}  // namespace poprt
