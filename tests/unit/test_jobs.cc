#include "unit/test_jobs.h"

#include <algorithm>
#include <utility>

#include "model/construct_kind.h"
#include "model/device_members.h"
#include "model/members.h"
#include "model/quantities.h"

namespace poprt::test {
namespace {

int64_t below(int64_t limit, std::mt19937* random) {
  return std::uniform_int_distribution<int64_t>(0, limit)(*random);
}

uint64_t key_of_name(const std::string& name) {
  return text_hash(name.data(), name.size());
}

// Of the loss in OpenMP that is not MPI, a quarter is serialised, and an eighth
// each is scheduling and not started; and waits for accelerators, if there are
// any.
void split_openmp_loss(const ProcessTimes& process, RegionTotals* r) {
  int64_t rest = std::max<int64_t>(
      0, r->openmp_weighted_ns - (r->useful_sum_ns - r->serial_sum_ns) -
             amount(*r, kAcceleratorInside));
  int64_t mpi_inside = 0;
  for (const ThreadTimes& thread : process.threads) {
    mpi_inside += thread.mpi_inside;
  }
  mpi_inside = std::min(mpi_inside, rest);
  rest -= mpi_inside;
  set_amount(kMpiInside.name, mpi_inside, &r->amounts);
  if (r->accelerator_sum_ns > 0) {
    set_amount(kOpenMpAcceleratorInside.name, rest / 8, &r->amounts);
  }
  set_amount(kOpenMpSerialised.name, rest / 4, &r->amounts);
  set_amount(kOpenMpScheduling.name, rest / 8, &r->amounts);
  set_amount(kOpenMpNotStarted.name, rest / 8, &r->amounts);
}

void add_accelerator(const ProcessTimes& process, RegionTotals* r) {
  const auto add = [&](const Quantity& quantity, int64_t ns) {
    set_amount(quantity.name, amount(*r, quantity) + ns, &r->amounts);
  };
  for (const ThreadTimes& thread : process.threads) {
    const bool is_primary = &thread == &process.threads[0];
    const int64_t cost = is_primary ? process.size() : 0;
    const AcceleratorTimes& outside = thread.calls_outside;
    const AcceleratorTimes& inside = thread.calls_inside;
    add(kAcceleratorWaiting, outside.waiting + inside.waiting);
    add(kAcceleratorCopying, outside.copying + inside.copying);
    add(kAcceleratorLaunching, outside.launching + inside.launching);
    add(kAcceleratorInside, inside.all());
    add(kLostWaiting, cost * outside.waiting + inside.waiting);
    add(kLostCopying, cost * outside.copying + inside.copying);
    add(kLostLaunching, cost * outside.launching + inside.launching);
    r->accelerator_sum_ns += thread.accelerator();
  }
  r->omp_sum_ns -= r->accelerator_sum_ns;
  add(kCallersOutsideBoth, process.outside_both());
  add(kCallersOutsideBothMax, process.outside_both());
  add(kTalpAccelerator, r->accelerator_sum_ns / process.size());
}

}  // namespace

ProcessTimes mpi_process(int64_t useful, int64_t elapsed) {
  ProcessTimes process;
  process.elapsed = elapsed;
  process.threads = {{useful, 0, elapsed - useful, 0}};
  return process;
}

RegionTotals region_of(const std::string& name, const ProcessTimes& process,
                       const Clocks& clocks) {
  const int64_t t_p = process.size();
  RegionTotals r;
  r.name = name;
  r.key = key_of_name(name);
  r.processes = 1;
  r.threads = t_p;
  r.visits = r.visits_max = process.visits;
  r.elapsed_max_ns = process.elapsed;
  r.elapsed_weighted_ns = t_p * process.elapsed;
  for (const Quantity* quantity : kQuantities) {
    set_amount(quantity->name, 0, &r.amounts);
  }
  int64_t idle_inside_sum = 0;
  int64_t idle_inside_min = process.parallel;
  for (const ThreadTimes& thread : process.threads) {
    r.useful_sum_ns += thread.useful();
    r.mpi_sum_ns += thread.mpi();
    set_amount(kMpiIo.name, amount(r, kMpiIo) + thread.mpi_io, &r.amounts);
    r.omp_sum_ns += process.elapsed - thread.useful() - thread.mpi();
    r.useful_max_ns = std::max(r.useful_max_ns, thread.useful());
    const int64_t idle_inside = process.parallel - thread.useful_inside -
                                thread.mpi_inside - thread.calls_inside.all();
    idle_inside_sum += idle_inside;
    idle_inside_min = std::min(idle_inside_min, idle_inside);
  }
  add_accelerator(process, &r);
  r.useful_max_weighted_ns = t_p * r.useful_max_ns;
  r.serial_sum_ns = process.threads[0].useful_outside;
  r.serial_weighted_ns = t_p * r.serial_sum_ns;
  r.openmp_weighted_ns = t_p * (process.outside_mpi() - r.serial_sum_ns -
                                process.threads[0].calls_outside.all());
  r.outside_mpi_max_ns = process.outside_mpi();
  split_openmp_loss(process, &r);
  r.mpi_callers = 1;
  r.mpi_callers_outside_sum_ns = r.mpi_callers_outside_max_ns =
      process.outside_mpi() - process.threads[0].mpi_inside;
  r.pl_cue_ns = clocks.pl_cue;
  r.cue_ns = clocks.cue;
  r.com_ns = clocks.com;
  // The path on which only MPI takes no time has each process of its own.
  r.comp_ns = std::max(clocks.com, process.outside_mpi());
  r.coo_ns = clocks.coo;
  r.coow_ns = clocks.coow;
  r.all_ns = clocks.all;
  r.talp_useful_ns = r.useful_sum_ns / t_p;
  r.talp_mpi_ns = r.mpi_sum_ns / t_p;
  r.talp_omp_scheduling_ns = idle_inside_min;
  r.talp_omp_load_balance_ns = idle_inside_sum / t_p - idle_inside_min;
  r.talp_omp_serial_ns = (r.omp_sum_ns - idle_inside_sum) / t_p;
  r.talp_mpi_worker_idle_ns = (t_p - 1) * process.threads[0].mpi_outside / t_p;
  r.talp_not_mpi_max_ns = process.elapsed - r.talp_mpi_ns;
  r.nodes = {{key_of_name(process.host), 1, r.talp_not_mpi_max_ns, t_p,
              r.useful_sum_ns, r.useful_max_weighted_ns,
              t_p * r.outside_mpi_max_ns, r.mpi_callers_outside_sum_ns}};
  return r;
}

JobTotals job_of(const ProcessTimes& process,
                 std::vector<RegionTotals> regions) {
  JobTotals job;
  job.processes = 1;
  job.threads = job.threads_min = job.threads_max = process.size();
  job.has_mpi = job.has_openmp = true;
  job.hosts.push_back({process.host, 1});
  std::sort(regions.begin(), regions.end(),
            [](const RegionTotals& a, const RegionTotals& b) {
              return a.key < b.key;
            });
  job.regions = std::move(regions);
  return job;
}

RegionTotals combined(const std::string& name,
                      const std::vector<ProcessTimes>& processes,
                      const Clocks& clocks) {
  JobTotals job;
  for (const ProcessTimes& process : processes) {
    job = combine(std::move(job),
                  job_of(process, {region_of(name, process, clocks)}));
  }
  return job.regions.front();
}

// All times are multiples of 12 = lcm of the numbers of threads, so that
// means over threads are whole.
std::vector<ProcessTimes> random_processes(std::mt19937* random,
                                           bool accelerators) {
  constexpr int64_t kUnit = 12;
  std::vector<ProcessTimes> processes(1 + below(4, random));
  for (ProcessTimes& process : processes) {
    process.host = below(1, random) == 0 ? "node1" : "node2";
    process.parallel = kUnit * below(100000, random);
    process.threads.resize(1 + below(3, random));
    for (ThreadTimes& thread : process.threads) {
      thread.useful_inside = kUnit * below(process.parallel / kUnit, random);
      thread.mpi_inside =
          kUnit *
          below((process.parallel - thread.useful_inside) / kUnit, random);
      if (!accelerators) continue;
      for (int64_t AcceleratorTimes::*const part :
           {&AcceleratorTimes::waiting, &AcceleratorTimes::copying,
            &AcceleratorTimes::launching}) {
        const int64_t most = process.parallel - thread.useful_inside -
                             thread.mpi_inside - thread.calls_inside.all();
        thread.calls_inside.*part = kUnit * below(most / kUnit, random);
      }
    }
    ThreadTimes& primary = process.threads[0];
    primary.useful_outside = kUnit * (1 + below(100000, random));
    primary.mpi_outside = kUnit * below(100000, random);
    process.elapsed = process.parallel + primary.useful_outside +
                      primary.mpi_outside + kUnit * below(1000, random);
    if (!accelerators) continue;
    primary.calls_outside = {kUnit * below(50000, random),
                             kUnit * below(50000, random),
                             kUnit * below(1000, random)};
    process.elapsed += primary.calls_outside.all();
  }
  return processes;
}

Clocks random_clocks(const std::vector<ProcessTimes>& processes,
                     std::mt19937* random) {
  constexpr int64_t kMore = 200000;
  int64_t useful_max = 0;
  int64_t outside_max = 0;
  int64_t elapsed_max = 0;
  for (const ProcessTimes& process : processes) {
    for (const ThreadTimes& thread : process.threads) {
      useful_max = std::max(useful_max, thread.useful());
    }
    outside_max = std::max(outside_max, process.outside_mpi());
    elapsed_max = std::max(elapsed_max, process.elapsed);
  }
  Clocks clocks;
  clocks.pl_cue = useful_max + below(kMore, random);
  clocks.cue = clocks.pl_cue + below(kMore, random);
  clocks.coo = clocks.cue + below(kMore, random);
  clocks.com = std::max(clocks.cue, outside_max) + below(kMore, random);
  clocks.all =
      std::max({clocks.coo, clocks.com, elapsed_max}) + below(kMore, random);
  clocks.coow = std::max<int64_t>(1, (clocks.cue + clocks.all) / 2);
  return clocks;
}

JobTotals random_totals(std::mt19937* random) {
  const auto value = [&] { return below(int64_t{1} << 40, random); };
  JobTotals job;
  for (const auto& member : kJobMembers) job.*member.value = value();
  job.processes = 1 + below(9, random);
  job.unmeasured_processes = 0;  // or no clock would be complete
  job.threads_min = value();
  job.has_mpi = below(1, random) == 1;
  job.has_openmp = below(1, random) == 1;
  job.has_devices = below(1, random) == 1;
  job.has_unseen_openmp = below(1, random) == 1;
  for (const char* host : {"node1", "node2", "node3"}) {
    if (below(1, random) == 1) job.hosts.push_back({host, value()});
  }
  for (const char* program : {"", "a.out", "b.out"}) {
    if (below(1, random) == 1) job.programs.push_back({program, value()});
  }
  for (const char* name : {"MPIX_A", "MPIX_B", "mpix_c_"}) {
    if (below(1, random) == 0) continue;
    job.unwrapped_calls.push_back({name, value(), below(1, random) == 1});
  }
  for (HostShare& host : job.hosts) {
    host.cpus.add(static_cast<int>(below(200, random)));
    host.allotted.add(static_cast<int>(below(200, random)));
    if (below(1, random) == 1) host.quota = {1 + below(2, random), 1};
    host.peak_memory_sum_bytes = value();
    if (below(2, random) > 0) {
      host.energy_uj = 1 + value();
      host.energy_is_least = below(1, random) == 1;
    }
    for (int64_t cpu = 0; cpu < 3; ++cpu) {
      const int64_t rank = below(3, random);
      host.users.push_back({cpu, rank, value()});
    }
    for (int64_t node = 0; node < 3; ++node) {
      if (below(1, random) == 1) host.numa_memory.push_back({node, value()});
    }
    if (below(1, random) == 0) continue;
    Topology topology;
    topology.cpu_model = "CPU " + std::to_string(below(2, random));
    topology.cpus.add(static_cast<int>(below(200, random)));
    topology.cores = topology.sockets = topology.numa_nodes = {topology.cpus};
    topology.dies = topology.cores;
    topology.memory = {{below(3, random), "HBM", 1 << 20, topology.cpus}};
    topology.caches = {{3, below(9, random), topology.cores}};
    topology.core_kinds = {{"big", 1, topology.cpus}};
    topology.id = host.topology = topology_id(topology);
    job.topologies.push_back(topology);
  }
  std::sort(job.topologies.begin(), job.topologies.end(),
            [](const Topology& a, const Topology& b) { return a.id < b.id; });
  const auto same_kind = [](const Topology& a, const Topology& b) {
    return a.id == b.id;
  };
  job.topologies.erase(
      std::unique(job.topologies.begin(), job.topologies.end(), same_kind),
      job.topologies.end());
  for (auto* const list : {&job.file_systems, &job.mpi_file_systems}) {
    for (const char* mount : {"", "/", "/scratch"}) {
      if (below(1, random) == 1) continue;
      FileSystem& files = list->emplace_back();
      files.mount_point = mount;
      files.type = "ext4";
      for (const auto& member : kFileSystemMembers) {
        files.*member.value = value();
      }
    }
  }
  if (below(1, random) == 1) {
    job.path.length_ns = value();
    for (const char* what : {PathShare::kUseful, PathShare::kMpi}) {
      job.path.parts.push_back({what, "", key_of_name("a"), value(), value()});
    }
    job.path.parts.push_back(
        {PathShare::kUseful, "",
         construct_key(SiteKind::kBarrier, "/app/solver", 7), 1, value()});
    for (const char* module : {"/app/solver", "/lib/a.so", "/lib/b.so"}) {
      if (below(1, random) == 1) job.path.modules.push_back(module);
    }
    job.path.without = {{"a", value()}, {"b", value()}};
  }
  for (const char* unit : {"GPU-1", "GPU-2", "openmp 0"}) {
    if (below(1, random) == 1) continue;
    DeviceTotals& device = job.devices.emplace_back();
    device.key = {"node1", unit, below(1, random) - 1};
    device.name = below(1, random) == 1 ? "H100" : "";
    const auto set = [&](const char*, int64_t& number) { number = value(); };
    visit_sums(set, device);
    for (const char* region : {"Global", "a"}) {
      if (below(1, random) == 1) continue;
      device.regions.emplace_back().name = region;
      visit_numbers(set, set, device.regions.back());
    }
  }
  for (const char* name : {"Global", "a", "b", "solve", "dump"}) {
    if (below(1, random) == 1) continue;
    RegionTotals region;
    for (const auto& member : kRegionMembers) region.*member.value = value();
    region.key = key_of_name(name);
    if (below(3, random) > 0) region.name = name;
    for (const char* quantity : {"a_sum", "b_max", "mpi_io_sum_ns"}) {
      if (below(1, random) == 1) region.amounts.push_back({quantity, value()});
    }
    for (uint64_t node = 1; node < 5; ++node) {
      if (below(1, random) == 1) {
        region.nodes.push_back({node});
        for (const auto& member : kNodeMembers) {
          region.nodes.back().*member.value = value();
        }
      }
    }
    for (int64_t rank = 0; rank < 9; ++rank) {
      if (below(1, random) == 0) continue;
      ProcessRow row;
      for (const auto& member : kRowMembers) row.*member.value = value();
      for (const char* quantity : {"a_sum", "b_max", "mpi_io_sum_ns"}) {
        if (below(1, random) == 1) row.amounts.push_back({quantity, value()});
      }
      row.rank = rank;
      region.rows.push_back(row);
    }
    job.regions.push_back(std::move(region));
  }
  for (int64_t rank = 0; rank < 9; ++rank) {
    if (below(1, random) == 0) continue;
    job.places.push_back({rank, static_cast<uint64_t>(value()), value()});
    job.places.back().cpus.add(static_cast<int>(below(200, random)));
    job.places.back().ran_on.add(static_cast<int>(below(200, random)));
    job.places.back().resources.push_back({"a_sum", value()});
  }
  std::sort(job.regions.begin(), job.regions.end(),
            [](const RegionTotals& a, const RegionTotals& b) {
              return a.key < b.key;
            });
  for (const char* key : {"mesh", "solver", "steps"}) {
    if (below(1, random) == 0) continue;
    job.metadata.push_back(
        {key, std::to_string(below(3, random)), below(3, random)});
  }
  for (const auto& member : kQualityMembers) {
    job.quality.*member.value = value();
  }
  // Enough notes to exceed the limit when a few jobs are combined.
  for (int i = 0; i < 100; ++i) {
    if (below(2, random) == 0) {
      job.quality.notes.push_back("note " + std::to_string(100 + i));
    }
  }
  for (uint64_t key = 0; key < 4; ++key) {
    if (below(1, random) == 0) continue;
    WindowMarks& marks = job.window_marks.emplace_back();
    marks.key = key;
    for (ClockMarks& clock : marks.clocks) {
      clock.least_ns = value();
      clock.begin_ns = value();
      clock.end_ns = value();
    }
    marks.pl_cue_least_ns = value();
    marks.pl_cue_most_ns = value();
  }
  return job;
}

void forget(std::string_view name, std::vector<Amount>* amounts) {
  std::erase_if(*amounts,
                [&](const Amount& each) { return each.name == name; });
}

bool same(const JobTotals& a, const JobTotals& b) {
  if (a.window_marks != b.window_marks) return false;
  return serialise(a) == serialise(b);
}

void know_all(std::vector<Amount>* resources) {
  for (const Resource* const each :
       {&kWaitedForCore, &kUnknownThreadsCpu, &kChildrenCpu}) {
    set_amount(each->name, 0, resources);
  }
}

}  // namespace poprt::test
