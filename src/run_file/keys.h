// The one description of the run file: its keys in their order, and what kind
// of value each has.  The writer, the reader and the schema visit it, and a
// test compares docs/file_format.md with it.
//
// A visitor V has these members:
//   text(key, string)                count(key, int64): from 0
//   texts(key, strings)              integer(key, int64)
//   flag(key, bool)                  count_or_null(key, int64): 0 is null
//   cpus(key, CpuSet)                cpu_sets(key, CpuSets)
//   text_or_null(key, string): empty is null
//   texts_by_key(key, metadata)      host(key, key of a host)
//   amount(key, amounts): null where it is not among them
//   amounts(key, amounts, names): an object of amounts; null without any
//   counters(key, amounts): an object of counts by counter
//   object(key, describe)            object_or_null(key, present, describe)
//   list(key, items, describe): calls describe(item)
//   columns(key, items, describe): a list of items as an object of columns,
//     null without items; calls describe(columns), which has
//       column(key, member)          column_if_known(key, member, the value
//       host_column(key, member)       that is null)
//       cpus(key, member)            amounts(key, name of the quantity, member)
//       counters(key, member): an object of columns by counter
//       quantity(key, quantity, member): amounts(), or null in a run that an
//         older version has measured
//   constructs(key, constructs, tasks, describe): those of one kind
//   code_place(location, module, offset): the place of a construct or call in
//     the code; null in the row for all others
// and for what is written, but computed anew when it is read:
//   number(key, double): null if it is undefined
//   computed(key, int64)             computed_or_null(key, known, int64)
//   computed_object(key, describe)   computed_text(key, make)
//   computed_list<Item>(key, make, describe): of the items that make() returns
// Last, done(region): all of the region has been visited.
#ifndef POPRT_RUN_FILE_KEYS_H_
#define POPRT_RUN_FILE_KEYS_H_

#include <cmath>
#include <optional>
#include <vector>

#include "model/device_amounts.h"
#include "model/device_members.h"
#include "model/finding_values.h"
#include "model/job.h"
#include "model/judge.h"
#include "model/members.h"
#include "model/metric_table.h"
#include "model/quantities.h"

namespace poprt {

// The key in `run` of what is known of the layer; null where no process had it.
constexpr const char* key_in_run(EventLayer layer) {
  return layer == EventLayer::kDevices ? "accelerators" : entry_of(layer).key;
}

template <class V, class Report>
void describe_run(V& v, Report& report) {
  auto& context = report.context;
  auto& totals = report.totals;
  v.text("program", context.program);
  v.list("programs", totals.programs, [&](auto& program) {
    v.text("name", program.name);
    v.count("processes", program.processes);
  });
  v.texts("command", context.command);
  v.text("start_time", context.start_time);
  v.count("ranks", totals.processes);
  v.count("threads", totals.threads);
  v.object("threads_per_process", [&] {
    v.count("min", totals.threads_min);
    v.count("max", totals.threads_max);
  });
  v.list("hosts", totals.hosts, [&](auto& host) {
    v.text("name", host.name);
    v.count("processes", host.processes);
    v.count_or_null("threads", host.threads);
    v.cpus("cpus", host.cpus);
    v.cpus("allotted", host.allotted);
    v.integer("quota_millicores", host.quota.millicores);
    v.list("shared", host.users, [&](auto& user) {
      v.count("cpu", user.cpu);
      v.count("rank", user.rank);
      v.count("threads", user.threads);
    });
    v.text("topology", host.topology);
    v.count("peak_memory_sum_bytes", host.peak_memory_sum_bytes);
    v.count("energy_uj", host.energy_uj);
    v.flag("energy_is_least", host.energy_is_least);
    v.list("numa_memory", host.numa_memory, [&](auto& part) {
      v.count("node", part.node);
      v.count("bytes", part.bytes);
    });
  });
  v.list("topologies", totals.topologies, [&](auto& topology) {
    v.text("id", topology.id);
    v.text("cpu_model", topology.cpu_model);
    v.cpus("cpus", topology.cpus);
    v.cpu_sets("cores", topology.cores);
    v.cpu_sets("sockets", topology.sockets);
    v.cpu_sets("numa_nodes", topology.numa_nodes);
    if (v.lacks("dies", 1)) return;
    v.cpu_sets("dies", topology.dies);
    v.list("memory", topology.memory, [&](auto& memory) {
      v.count("node", memory.node);
      v.text("kind", memory.kind);
      v.count("bytes", memory.bytes);
      v.cpus("cpus", memory.cpus);
    });
    v.list("caches", topology.caches, [&](auto& caches) {
      v.count("level", caches.level);
      v.count("bytes", caches.bytes);
      v.cpu_sets("shared", caches.shared);
    });
    v.list("core_kinds", topology.core_kinds, [&](auto& kind) {
      v.text("name", kind.name);
      v.integer("efficiency", kind.efficiency);
      v.cpus("cpus", kind.cpus);
    });
  });
  for (const EventLayer layer : kAllLayers) {
    if (v.lacks(key_in_run(layer), since_of(layer))) continue;
    v.object_or_null(key_in_run(layer), totals.*flag_of(layer), [&] {
      if (layer == EventLayer::kMpi) {
        v.text("library", context.mpi_library);
        v.text("thread_level", context.mpi_thread_level);
        if (!v.lacks("unwrapped_calls", 1)) {
          v.count("unread_programs", totals.unread_programs);
          v.list("unwrapped_calls", totals.unwrapped_calls, [&](auto& call) {
            v.text("name", call.name);
            v.count("processes", call.processes);
            if (!v.lacks("is_wrapped", 1)) {
              v.flag("is_wrapped", call.is_wrapped);
            }
          });
        }
      }
      if (layer == EventLayer::kOpenMp) {
        v.text("runtime", context.openmp_runtime);
      }
      if (layer == EventLayer::kDevices) {
        v.flag("host_calls", totals.has_devices);
      }
    });
  }
  v.flag("unseen_openmp", totals.has_unseen_openmp);
  v.flag("posix_io", totals.has_posix_io);
  const auto files_of = [&](auto& files) {
    v.text("mount_point", files.mount_point);
    v.text("type", files.type);
    for (const Member<FileSystem>& member : kFileSystemMembers) {
      v.count(member.name, files.*member.value);
    }
  };
  v.list("file_systems", totals.file_systems, files_of);
  v.list("mpi_file_systems", totals.mpi_file_systems, files_of);
  v.text("clock", context.clock);
  v.text_or_null("imported_from", context.imported_from);
  v.object("job", [&] {
    v.text_or_null("system", context.job.system);
    v.text_or_null("id", context.job.id);
    v.text_or_null("step", context.job.step);
    v.text_or_null("name", context.job.name);
    v.text_or_null("queue", context.job.queue);
    v.text_or_null("nodes", context.job.nodes);
    v.text_or_null("cpus_on_nodes", context.job.cpus_on_nodes);
    v.text_or_null("cpus_per_task", context.job.cpus_per_task);
  });
  v.texts_by_key("environment", context.environment);
  v.object("git", [&] {
    v.text_or_null("commit", context.checkout.commit);
    v.text_or_null("branch", context.checkout.branch);
  });
  v.text_or_null("measured_by", context.measured_by);
  v.list("incomplete", context.endings, [&](auto& ended) {
    v.text("ending", ended.how);
    v.text("ranks", ended.ranks);
    v.count("processes", ended.processes);
    v.count("measured_min_ns", ended.measured_min_ns);
    v.count("measured_max_ns", ended.measured_max_ns);
  });
  v.count("unmeasured_processes", totals.unmeasured_processes);
  v.texts_by_key("metadata", totals.metadata);
  v.amounts("resources", totals.resources, kResources);
  v.amounts("devices", totals.resources, kDeviceAmounts);
}

template <class V, class Report>
void describe_quality(V& v, Report& report) {
  auto& quality = report.totals.quality;
  for (const Member<Quality>& member : kQualityMembers) {
    v.count(member.name, quality.*member.value);
    if (member.value == &Quality::overhead_ns) {
      v.number("overhead_fraction",
               static_cast<double>(quality.overhead_ns) /
                   static_cast<double>(job_core_ns(report)));
    }
  }
  v.texts("notes", quality.notes);
  v.computed_text("light", [&] { return key_of(judge(report).light); });
  v.template computed_list<FoundCause>(
      "causes", [&] { return judge(report).causes; },
      [&](const auto& found) {
        v.text("key", found.cause.key);
        v.text("light", key_of(found.light));
        v.number("value", found.value);
        v.number("limit", found.limit);
      });
}

template <class V>
void describe_finding(V& v, const JobReport& report) {
  std::vector<FindingValue> values = all_finding_values(report);
  const auto describe = [&](bool gain) {
    for (FindingValue& each : values) {
      if (each.is_of_gain != gain) continue;
      switch (each.kind) {
        case FindingValue::Kind::kText:
          v.text_or_null(each.key, each.text);
          break;
        case FindingValue::Kind::kNumber:
          v.number(each.key, each.number);
          break;
        case FindingValue::Kind::kCount: {
          const bool is_known = !std::isnan(each.number);
          v.computed_or_null(each.key, is_known,
                             is_known ? std::llround(each.number) : 0);
          break;
        }
      }
    }
  };
  describe(false);
  v.computed_object("gain", [&] { describe(true); });
}

template <class V, class Region>
void describe_region(V& v, Region& region) {
  auto& totals = region.totals;
  v.text("name", totals.name);
  v.computed("processes", totals.processes);
  v.computed("threads", totals.threads);
  v.computed("visits", totals.visits);
  v.computed("visits_max", totals.visits_max);
  v.computed("elapsed_max_ns", totals.elapsed_max_ns);
  v.flag("clocks_complete", region.clocks_complete);
  v.computed_object("clocks", [&] {
    const bool known = region.clocks_complete;
    v.computed_or_null("cue_ns", known, totals.cue_ns);
    v.computed_or_null("com_ns", known, totals.com_ns);
    v.computed_or_null("comp_ns", known, totals.comp_ns);
    v.computed_or_null("coo_ns", known, totals.coo_ns);
    v.computed_or_null("coow_ns", known && keeps_coow(totals), totals.coow_ns);
    v.computed_or_null("all_ns", known, totals.all_ns);
  });
  v.object("accumulators", [&] {
    for (const Member<RegionTotals>& member : kRegionMembers) {
      if (const std::optional<State> state = state_of(member)) {
        v.time_in(*state, member.name, totals.*member.value);
      } else {
        v.count(member.name, totals.*member.value);
      }
    }
    for (const Quantity* quantity : kQuantities) {
      if (v.lacks(quantity->name, since_of(*quantity))) continue;
      v.amount(quantity->name, totals.amounts);
    }
    if (!v.lacks("longest_process", 1)) {
      v.amounts("longest_process", totals.amounts, kProcessMaxima);
    }
    v.counters("counters", totals.amounts);
    v.list("nodes", totals.nodes, [&](auto& node) {
      v.host("host", node.host);
      for (const Member<NodeShare>& member : kNodeMembers) {
        v.count(member.name, node.*member.value);
      }
    });
  });
  const auto describe_columns = [&v](auto& columns, const auto& members) {
    for (const auto& member : members) {
      if (const std::optional<State> state = state_of(member)) {
        columns.time_in(*state, v.knows(*state), member.name, member.value);
      } else {
        columns.column(member.name, member.value);
      }
    }
  };
  v.columns("rows", totals.rows, [&](auto& columns) {
    describe_columns(columns, kRowMembers);
    for (const Quantity* quantity : kQuantities) {
      const std::string name = row_name(quantity->name);
      if (v.lacks("rows", name.c_str(), since_of(*quantity))) continue;
      columns.quantity(name, *quantity, &ProcessRow::amounts);
    }
    columns.counters("counters", &ProcessRow::amounts);
  });
  v.columns("thread_rows", totals.thread_rows, [&](auto& columns) {
    describe_columns(columns, kThreadRowMembers);
    for (const Member<ThreadRow>& member : kThreadSourceMembers) {
      const bool is_younger =
          member.value == &ThreadRow::openmp_accelerator_inside_ns;
      if (is_younger && v.lacks("thread_rows", member.name, 1)) continue;
      columns.column_if_known(member.name, member.value, ThreadRow::kNotKnown);
    }
  });
  v.computed_object("metrics", [&] {
    for (const Model model : kModels) {
      v.computed_object(key_of(model), [&] {
        for (const Metric& metric : metrics_in(model)) {
          v.number(metric.key, metric.value(region.metrics));
        }
      });
    }
  });
  v.done(region);
}

template <class V, class Report>
void describe_windows(V& v, Report& report) {
  auto& spec = report.context.windows;
  v.text_or_null("region", spec.region);
  v.count("visits", spec.visits);
  v.count("length_ns", spec.length_ns);
  v.count("level", report.windows.level);
  v.list("list", report.windows.list, [&](auto& window) {
    v.count("index", window.index);
    describe_region(v, window);
    v.list("clock_bounds", window.bounds, [&](auto& bounds) {
      v.text("clock", bounds.clock);
      v.count("least_ns", bounds.least_ns);
      v.count("most_ns", bounds.most_ns);
    });
  });
}

template <class V, class Construct>
void describe_construct(V& v, Construct& construct, bool tasks) {
  auto& totals = construct.totals;
  v.code_place(construct.location, construct.totals.module,
               construct.totals.offset);
  for (const Member<ConstructTotals>& member : kConstructMembers) {
    const bool of_tasks = member.value == &ConstructTotals::visits ||
                          member.value == &ConstructTotals::useful_ns;
    // The row for all others is a difference and may be below 0.
    if (tasks && !of_tasks) continue;
    if (is_of_accelerator(member)) {
      v.integer_in(State::kAccelerator, member.name, totals.*member.value);
    } else {
      v.integer(member.name, totals.*member.value);
    }
  }
  if (tasks) return;
  v.number("contribution", construct.contribution);
  v.number("load_balance", construct.load_balance);
  v.number("scheduling_efficiency", construct.scheduling);
  v.computed_object("lost", [&] {
    v.number("imbalance", construct.lost_imbalance);
    v.number("serialised", construct.lost_serialised);
    v.number("mpi_inside", construct.lost_mpi_inside);
    v.number("scheduling", construct.lost_scheduling);
    v.number("not_started", construct.lost_not_started);
    v.number("accelerator_inside", construct.lost_accelerator_inside);
  });
}

template <class V, class Late>
void describe_late(V& v, Late& late, const char* list, const char* who,
                   const char* how_often) {
  v.list(list, late.ranks, [&](auto& each) {
    v.count(who, each.rank);
    v.count(how_often, each.calls);
    v.count("waiting_ns", each.waiting_ns);
    v.count("error_ns", each.error_ns);
  });
  v.count("late_missing_ns", late.missing_ns);
}

template <class V, class Call>
void describe_call(V& v, Call& call) {
  auto& totals = call.totals;
  v.text("region", totals.region);
  v.text_or_null("function", totals.function);
  v.code_place(call.location, call.totals.module, call.totals.offset);
  for (const Member<CallTotals>& member : kCallMembers) {
    v.count(member.name, totals.*member.value);
  }
  v.list("message_sizes", totals.sizes, [&](auto& size) {
    v.count("below_bytes", size.below_bytes);
    v.count("messages", size.messages);
  });
  describe_late(v, totals.late, "late_ranks", "rank", "calls");
}

template <class V, class Site>
void describe_construct_site(V& v, Site& site) {
  auto& totals = site.totals;
  v.text("region", totals.region);
  v.text_or_null("construct", totals.construct);
  v.text_or_null("lock", totals.lock);
  v.code_place(site.location, site.totals.module, site.totals.offset);
  for (const Member<ConstructSiteTotals>& member : kConstructSiteMembers) {
    v.count(member.name, totals.*member.value);
  }
  describe_late(v, totals.late, "late_threads", "thread", "visits");
}

template <class V, class Job>
void describe_devices(V& v, Job& job) {
  if (v.lacks("devices", since_of(EventLayer::kDevices))) return;
  const auto number = [&](const char* key, auto& value) {
    v.count(key, value);
  };
  v.list("devices", job.devices, [&](auto& device) {
    v.text("host", device.key.host);
    v.text("unit", device.key.unit);
    v.integer("rank", device.key.process);
    v.text("name", device.name);
    visit_sums(number, device);
    v.list("regions", device.regions, [&](auto& region) {
      v.text("name", region.name);
      visit_numbers(number, number, region);
      v.computed_object("known", [&] {
        const DeviceKnown known = known_of(region);
        v.computed("kernels_ns", known.time.kernels_ns);
        v.computed("kernels_least_ns", known.kernels.least_ns);
        v.computed("kernels_most_ns", known.kernels.most_ns);
        v.computed("copies_ns", known.time.copies_ns);
        v.computed("graphs_ns", known.time.graphs_ns);
        for (size_t i = 0; i < kHostParts; ++i) {
          v.computed(kIdleKeys[i], known.time.idle_ns[i]);
        }
      });
    });
  });
  v.count("devices_left_out", job.devices_left_out);
}

// All but the schema's name and version and the tool's, which the file begins
// with.
template <class V, class Report>
void describe_run_file(V& v, Report& report) {
  v.object("run", [&] { describe_run(v, report); });
  v.object("quality", [&] { describe_quality(v, report); });
  v.computed_object("finding", [&] { describe_finding(v, report); });
  v.object("longest_path", [&] {
    auto& path = report.totals.path;
    v.count("length_ns", path.length_ns);
    v.list("parts", path.parts, [&](auto& part) {
      v.text("what", part.what);
      v.text_or_null("region", part.region);
      v.text_or_null("construct", part.construct);
      v.code_place(part.location, part.module, part.offset);
      v.integer("rank", part.rank);
      v.count("ns", part.ns);
    });
    v.list("without", path.without, [&](auto& without) {
      v.text("region", without.region);
      v.count("run_ns", without.run_ns);
    });
  });
  v.columns("processes", report.totals.places, [](auto& columns) {
    columns.column("rank", &ProcessPlace::rank);
    columns.host_column("host", &ProcessPlace::host);
    columns.column("threads", &ProcessPlace::threads);
    columns.cpus("cpus", &ProcessPlace::cpus);
    columns.cpus("ran_on", &ProcessPlace::ran_on);
    for (const Resource* resource : kResources) {
      if (!is_of_one_process(*resource)) continue;
      columns.amounts(row_name(resource->name), resource->name,
                      &ProcessPlace::resources);
    }
  });
  v.list("regions", report.regions,
         [&](auto& region) { describe_region(v, region); });
  v.object("windows", [&] { describe_windows(v, report); });
  for (const bool tasks : {false, true}) {
    v.constructs(tasks ? "task_constructs" : "parallel_regions",
                 report.constructs, tasks,
                 [&](auto& each) { describe_construct(v, each, tasks); });
  }
  v.list("region_parallel_regions", report.region_constructs, [&](auto& each) {
    v.text("region", each.totals.region);
    describe_construct(v, each, false);
  });
  v.list("mpi_calls", report.calls,
         [&](auto& call) { describe_call(v, call); });
  v.list("openmp_constructs", report.construct_sites,
         [&](auto& site) { describe_construct_site(v, site); });
  describe_devices(v, report.totals);
}

}  // namespace poprt

#endif  // POPRT_RUN_FILE_KEYS_H_
