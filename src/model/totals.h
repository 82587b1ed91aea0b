// The totals of a run: plain sums, maxima and clocks for each region.
//
// A process makes one JobTotals of its own threads when measurement ends.
// combine() turns two of them into one, and is the whole reduction.  From here
// on everything is a value: no MPI, no clock, no thread.
//
// All times are integer nanoseconds.  P processes, t_p threads of process p, T
// = sum of t_p.  "Entered" means that the process opened the region at least
// once.  A process that never entered counts only in the region's clocks,
// because it may have passed them on.
#ifndef POPRT_MODEL_TOTALS_H_
#define POPRT_MODEL_TOTALS_H_

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "model/calls.h"
#include "model/construct_sites.h"
#include "model/cpu_set.h"
#include "model/device_totals.h"
#include "model/longest_path.h"
#include "model/topology.h"
#include "model/window_bounds.h"
#include "states/states.h"

namespace poprt {

// 64-bit FNV-1a.  Regions and hosts are known by the hash of their names.
uint64_t text_hash(const char* text, size_t length);

// The share of one node in a region, for the load balance inside and between
// nodes.  All are sums over its processes that entered.
struct NodeShare {
  uint64_t host = 0;  // text_hash() of the host's name
  int64_t processes = 0;
  int64_t not_mpi_sum_ns = 0;  // of T_i - T_i^C: TALP
  // As RegionTotals' members of the same names.  Imported runs have
  // none of these.
  int64_t threads = 0;
  int64_t useful_sum_ns = 0;
  int64_t useful_max_weighted_ns = 0;
  // openmp_weighted + serial_weighted, and of the state accelerator likewise.
  int64_t outside_mpi_weighted_ns = 0;
  int64_t mpi_callers_outside_sum_ns = 0;
};

// The value of a quantity (model/quantities.h) in a region, or in a process's
// row of it. `name` is the one in the totals of a region.
struct Amount {
  std::string name;
  int64_t value = 0;
  bool operator==(const Amount&) const = default;
};

#define POPRT_MEMBER(enumerator, key, ...) int64_t key##_ns = 0;

// One process in a region that it entered; times in ns.
struct ProcessRow {
  int64_t rank = 0;  // in MPI_COMM_WORLD
  int64_t visits = 0;
  int64_t elapsed_ns = 0;
  // Sums over the process's threads: useful_ns, mpi_ns, omp_ns,
  // accelerator_ns.  Those in all states = threads * elapsed.
  POPRT_STATES(POPRT_MEMBER)
  int64_t useful_max_ns = 0;  // of its busiest thread
  int64_t serial_ns = 0;      // serial_p: primary thread's line
  // serial_p + openmp_p + accelerator_p: primary thread's line
  int64_t outside_mpi_ns = 0;

  std::vector<Amount> amounts;  // sorted by name
};

// One thread of a process in a region that the process entered; times in ns.
struct ThreadRow {
  int64_t rank = 0;    // in MPI_COMM_WORLD
  int64_t thread = 0;  // in its process, from 0 on: the primary thread
  // useful_ns, mpi_ns, omp_ns, accelerator_ns.  In all states = elapsed of the
  // process.
  POPRT_STATES(POPRT_MEMBER)
  // The parts in MPI and OpenMP inside parallel regions.
  int64_t mpi_inside_ns = 0;
  int64_t omp_inside_ns = 0;
  // Parts of omp_ns: what the thread loses in the process's parallel regions,
  // by source (model/quantities.h).  The rest of omp_ns is outside of them: the
  // thread waits for the primary one.  All of them, or none, are known.
  static constexpr int64_t kNotKnown = -1;
  int64_t openmp_imbalance_ns = kNotKnown;
  int64_t openmp_mpi_inside_ns = kNotKnown;
  int64_t openmp_serialised_ns = kNotKnown;
  int64_t openmp_scheduling_ns = kNotKnown;
  int64_t openmp_not_started_ns = kNotKnown;
  // Also not known where an older version did not tell it apart: imbalance.
  int64_t openmp_accelerator_inside_ns = kNotKnown;
};

#undef POPRT_MEMBER

struct RegionTotals {
  std::string name;  // empty if only the key is known
  uint64_t key = 0;

  // How many processes entered.
  int64_t processes = 0;
  int64_t threads = 0;              // sum of t_p
  int64_t visits = 0;               // instances, summed over processes
  int64_t visits_max = 0;           // instances, most of one process
  int64_t elapsed_max_ns = 0;       // largest of one process
  int64_t elapsed_weighted_ns = 0;  // sum of t_p * elapsed_p

  // Sums over threads: useful_sum_ns, mpi_sum_ns, omp_sum_ns,
  // accelerator_sum_ns.  Those in all states = elapsed_weighted.
#define POPRT_MEMBER(enumerator, key, ...) int64_t key##_sum_ns = 0;
  POPRT_STATES(POPRT_MEMBER)
#undef POPRT_MEMBER
  int64_t useful_max_ns = 0;           // largest of one thread: max TL-CUE
  int64_t useful_max_weighted_ns = 0;  // sum of t_p * max_t useful

  // The process level: the primary thread's line.
  int64_t serial_sum_ns = 0;       // sum of serial_p
  int64_t serial_weighted_ns = 0;  // sum of t_p * serial_p
  int64_t openmp_weighted_ns = 0;  // sum of t_p * openmp_p
  int64_t outside_mpi_max_ns = 0;  // max of serial_p + openmp_p + accelerator_p

  // The threads that call MPI, and all primary threads, as the multiplicative
  // model counts them: sum over processes of the mean over those of a process,
  // and the largest.
  int64_t mpi_callers = 0;
  int64_t mpi_callers_outside_sum_ns = 0;
  int64_t mpi_callers_outside_max_ns = 0;

  // Critical-path clocks: the largest value of all processes.
  int64_t pl_cue_ns = 0;
  int64_t cue_ns = 0;
  int64_t com_ns = 0;
  int64_t comp_ns = 0;
  int64_t coo_ns = 0;
  int64_t coow_ns = 0;  // 0: not kept (POPRT_PATH)
  int64_t all_ns = 0;

  // TALP: sums over processes of averages over the process's threads.
  int64_t talp_useful_ns = 0;
  int64_t talp_mpi_ns = 0;
  int64_t talp_omp_serial_ns = 0;
  int64_t talp_omp_load_balance_ns = 0;
  int64_t talp_omp_scheduling_ns = 0;
  int64_t talp_mpi_worker_idle_ns = 0;  // part of talp_omp_serial_ns
  int64_t talp_not_mpi_max_ns = 0;      // max of T_i - T_i^C
  std::vector<NodeShare> nodes;         // sorted by host

  // How many of the processes with a full table of travelling regions had this
  // region in it (see JobTotals::full_tables).
  int64_t in_full_tables = 0;

  std::vector<Amount> amounts;  // sorted by name

  // Of each device of the job: made from JobTotals::devices when the job is
  // complete, and not combined.
  std::vector<DeviceKnown> devices;

  // Only on request (see add_rows()): each process that entered, sorted by
  // rank.
  std::vector<ProcessRow> rows;
  // Likewise, of each thread, sorted by rank and number; see
  // limit_thread_rows().
  std::vector<ThreadRow> thread_rows;
};

// The members above of a state.
#define POPRT_MEMBER(enumerator, key, ...) &RegionTotals::key##_sum_ns,
constexpr int64_t RegionTotals::*sum_of(State state) {
  constexpr std::array kMembers = {POPRT_STATES(POPRT_MEMBER)};
  return kMembers[static_cast<size_t>(state)];
}
#undef POPRT_MEMBER
#define POPRT_MEMBER(enumerator, key, ...) &ProcessRow::key##_ns,
constexpr int64_t ProcessRow::*process_time_of(State state) {
  constexpr std::array kMembers = {POPRT_STATES(POPRT_MEMBER)};
  return kMembers[static_cast<size_t>(state)];
}
#undef POPRT_MEMBER
#define POPRT_MEMBER(enumerator, key, ...) &ThreadRow::key##_ns,
constexpr int64_t ThreadRow::*thread_time_of(State state) {
  constexpr std::array kMembers = {POPRT_STATES(POPRT_MEMBER)};
  return kMembers[static_cast<size_t>(state)];
}
#undef POPRT_MEMBER

// The core time whose state is known.
int64_t in_all_states_ns(const RegionTotals& region);

// Whether its runs kept the clock G-COOW.
inline bool keeps_coow(const RegionTotals& region) {
  return region.coow_ns > 0;
}

// A parallel region or task construct, known by its place in the code, over the
// whole measurement, or a parallel region inside one of the program's regions.
// Times of parallel regions are those on the primary thread's line; other
// threads' regions have none.
struct ConstructTotals {
  // The name of a region that was open when it began; empty for all of them.
  std::string region;
  // file of the code; empty for the sum of those beyond the limit
  std::string module;
  uint64_t offset = 0;  // return address in it, as an ELF virtual address
  bool is_task = false;

  int64_t visits = 0;          // instances, summed over processes
  int64_t useful_ns = 0;       // sum over threads
  int64_t mpi_ns = 0;          // likewise; parallel regions only
  int64_t accelerator_ns = 0;  // likewise
  int64_t time_ns = 0;         // sum over processes
  int64_t weighted_ns = 0;     // sum of t_p * time_p
  // Sum of t_p times the part of time_p in which all threads were idle.
  int64_t scheduling_ns = 0;
  // What of RegionTotals' quantities is lost here (model/quantities.h): of
  // openmp_serialised_sum_ns, openmp_not_started_sum_ns,
  // openmp_scheduling_sum_ns, openmp_mpi_inside_sum_ns and
  // openmp_accelerator_inside_sum_ns.
  int64_t serialised_ns = 0;
  int64_t not_started_ns = 0;
  int64_t all_idle_ns = 0;
  int64_t mpi_inside_ns = 0;
  int64_t accelerator_inside_ns = 0;
};

// The order in sorted lists.
bool before(const ConstructTotals& a, const ConstructTotals& b);

// A processor that a process needs for itself: where it is bound there are as
// many threads as processors, or more.
struct CoreUser {
  int64_t cpu = 0;  // its number in the kernel
  int64_t rank = 0;
  int64_t threads = 0;  // that share it
};

// Memory of the processes of a host on one of its NUMA nodes.
struct NumaMemory {
  int64_t node = 0;  // its number in the kernel
  int64_t bytes = 0;
};

// What POSIX I/O or MPI-IO did in the files of one file system; sums over
// threads and processes.
struct FileSystem {
  std::string mount_point;  // empty for what belongs to none of the others
  std::string type;         // "ext4"
  int64_t calls = 0;
  int64_t read_bytes = 0;
  int64_t written_bytes = 0;
  int64_t time_ns = 0;
};

// A program and how many processes ran it: there are several in an MPMD run.
struct ProgramShare {
  std::string name;
  int64_t processes = 0;
};

// An MPI function that programs call and that is not measured.
struct UnwrappedCall {
  std::string name;         // as the program has it: "MPIX_Comm_agree"
  int64_t processes = 0;    // whose program calls it
  bool is_wrapped = false;  // and a library takes MPI's own (RTLD_DEEPBIND)
};

// How much of the cores' time the system gives a group of processes (cgroup).
struct CpuQuota {
  static constexpr int64_t kUnlike = -1;

  // In 1/1000 cores. 0: no quota; kUnlike: processes have quotas of their own.
  int64_t millicores = 0;
  int64_t group = 0;  // which is limited, as a number of this host
  bool operator==(const CpuQuota&) const = default;
};

// A host, how many processes and threads ran there, and the cores that they
// might use; no cores where that is not known.
struct HostShare {
  std::string name;
  int64_t processes = 0;
  int64_t threads = 0;
  CpuSet cpus = {};
  // The cores that the system lets the job use (cpuset); none if not known.
  CpuSet allotted = {};
  CpuQuota quota = {};
  // Of all processes. A run file has those that share a processor, see
  // keep_shared_cores().
  std::vector<CoreUser> users = {};  // sorted by processor and rank
  std::string topology = "";         // id of one of JobTotals::topologies
  int64_t peak_memory_sum_bytes = 0;
  // What its processors took, in uJ; each process reads that of the whole host,
  // so the largest counts. 0 if it is not known.
  int64_t energy_uj = 0;
  // It may be more: a counter may have begun anew unseen.
  bool energy_is_least = false;
  // Of hosts with several NUMA nodes, where it is known; sorted by node.
  std::vector<NumaMemory> numa_memory = {};
};

// Where a process ran, and what it took of its host.
struct ProcessPlace {
  int64_t rank = 0;
  uint64_t host = 0;  // text_hash() of a name in JobTotals::hosts
  int64_t threads = 0;
  CpuSet cpus = {};                    // that its threads might use
  CpuSet ran_on = {};                  // where its threads were at the end
  std::vector<Amount> resources = {};  // sorted by name
};

// What the program says of itself (pop_metadata).  If several processes set a
// key, the value of the lowest rank counts.
struct Metadata {
  std::string key;
  std::string value;
  int64_t process = 0;  // its rank
};

// What the tool says about its own work.  Every member is a sum over processes,
// unless it says otherwise.
struct Quality {
  int64_t overhead_ns = 0;       // estimated, over all threads
  int64_t overhead_max_ns = 0;   // of the thread where it is most
  int64_t events = 0;            // transitions
  int64_t clock_messages = 0;    // messages of the tool's own
  int64_t lost_clocks = 0;       // messages whose clocks did not come
  int64_t lost_lock_clocks = 0;  // waits whose clocks did not come
  int64_t closure_error_ns = 0;  // largest |U + C + I - elapsed| of a thread
  int64_t foreign_threads = 0;   // threads unknown to OpenMP that called MPI
  int64_t foreign_mpi_ns = 0;    // their time in MPI
  int64_t regions_dropped = 0;   // starts refused: wrong name or full table
  int64_t stops_without_start = 0;
  int64_t starts_without_stop = 0;
  int64_t shared_starts = 0;       // regions opened by several threads at once
  int64_t metadata_dropped = 0;    // refused: key, value or number of keys
  std::vector<std::string> notes;  // one line each, no duplicates, at most 50
};

struct JobTotals {
  int64_t processes = 0;
  int64_t threads = 0;
  int64_t threads_min = 0;  // of one process
  int64_t threads_max = 0;
  // Whether any process had the layer: has_mpi, has_openmp, has_devices.
#define POPRT_MEMBER(enumerator, key, ...) bool has_##key = false;
  POPRT_LAYERS(POPRT_MEMBER)
#undef POPRT_MEMBER
  // States that the writer of the run file did not know: no time was counted
  // there.  No process has any.
  std::bitset<kStates> unknown_states;
  bool has_unseen_openmp = false;  // of a runtime without OMPT
  bool has_posix_io = false;       // POSIX I/O was measured
  // How many processes heard of more regions than can travel.  The G clocks of
  // a region are complete if in_full_tables equals this.
  int64_t full_tables = 0;
  // Processes of the job that ran without the library: no clocks have
  // travelled, and none is complete.
  int64_t unmeasured_processes = 0;
  // Processes of which it is not known whether they make unwrapped calls.
  int64_t unread_programs = 0;
  // Devices for which there was no room, each as often as processes used it.
  int64_t devices_left_out = 0;
  std::vector<HostShare> hosts;  // sorted by name
  // The kinds of hosts, sorted by id; empty if not known.
  std::vector<Topology> topologies;
  // What processes took of their hosts (kResources), sorted by name; empty
  // where it is not known.
  std::vector<Amount> resources;
  std::vector<ProgramShare> programs;          // sorted by name, at most 100
  std::vector<UnwrappedCall> unwrapped_calls;  // sorted by name
  // Where POSIX I/O went, if it was measured; sorted by mount point and type.
  std::vector<FileSystem> file_systems;
  std::vector<FileSystem> mpi_file_systems;
  // of the processes with rows, sorted by rank
  std::vector<ProcessPlace> places;
  std::vector<RegionTotals> regions;  // sorted by key
  // As regions, see window_key(); sorted by key.
  std::vector<RegionTotals> windows;
  // What is known of their clocks, sorted by key; and the bounds that follow
  // from it or were read from a run file, which are not combined.
  std::vector<WindowMarks> window_marks;
  std::vector<WindowBounds> window_bounds;
  // Sorted by module, offset and is_task.
  std::vector<ConstructTotals> constructs;
  // Only on request; sorted by region, function, module and offset.
  std::vector<CallTotals> calls;
  // Likewise; sorted by region, construct, module and offset.
  std::vector<ConstructSiteTotals> construct_sites;
  // What was used and told of its operations; sorted by key, at most
  // kDevicesMax.
  std::vector<DeviceTotals> devices;
  std::vector<Metadata> metadata;  // sorted by key, see combine()
  LongestPath path;
  Quality quality;
};

// The member above of a layer.
#define POPRT_MEMBER(enumerator, key, ...) &JobTotals::has_##key,
constexpr bool JobTotals::*flag_of(EventLayer layer) {
  constexpr std::array kMembers = {POPRT_LAYERS(POPRT_MEMBER)};
  return kMembers[static_cast<size_t>(layer)];
}
#undef POPRT_MEMBER

inline bool is_known(const JobTotals& job, State state) {
  return !job.unknown_states[static_cast<size_t>(state)];
}

// Whether the program has the state's layer.
inline bool has_state(const JobTotals& job, State state) {
  const EventLayer layer = entry_of(state).layer;
  return is_known(job, state) &&
         (layer == EventLayer::kProgram || job.*flag_of(layer));
}

// Whether the program has the layer, but not once in a form that tells of it.
constexpr bool is_unseen(const JobTotals& job, EventLayer layer) {
  return layer == EventLayer::kOpenMp && job.has_unseen_openmp &&
         !(job.*flag_of(layer));
}

// Whether losses can be those of one layer or of another.
constexpr bool has_several_layers(const JobTotals& job) {
  int layers = 0;
  for (const EventLayer layer : kAllLayers)
    layers += job.*flag_of(layer) ? 1 : 0;
  return layers > 1;
}

// Whether every list is sorted and unique, as combine() needs it.
bool lists_sorted(const JobTotals& totals);

// Adds b to a.  Associative and commutative; an empty JobTotals is neutral.  Of
// the notes, the first 50 in sorted order are kept, without duplicates; of the
// metadata at most 1024 keys, those of the lowest ranks, with a note if there
// were more.  REQUIRES: lists_sorted() of both.
JobTotals combine(JobTotals a, const JobTotals& b);

// Says which process these totals are of.  REQUIRES: they are those of one.
void set_rank(int64_t rank, JobTotals* own);

// Leaves out of HostShare::users those that have their processor for
// themselves, and its core, if the host has cores on which no thread may run.
// REQUIRES: the totals are those of the whole job.
void keep_shared_cores(JobTotals* job);

// The kind of this host; null if it is not known.
const Topology* topology_of(const JobTotals& job, const HostShare& host);

// The processors that the system lets the job use, of cores on which none of
// its threads may run.
CpuSet free_cores(const Topology& topology, const HostShare& host);

// Adds to the totals of one process a row in each region that it entered, and
// its place.  REQUIRES: the totals are those of one process.
void add_rows(int64_t rank, JobTotals* own);

// Leaves out what is known of single ranks.  In a run file their numbers are
// below that of its processes, but some processes are missing here.
void forget_ranks(JobTotals* job);

// Whether the region's G clocks have followed every path of the job.
inline bool clocks_complete(const JobTotals& job, const RegionTotals& region) {
  return job.unmeasured_processes == 0 &&
         region.in_full_tables == job.full_tables;
}

// What is known of a whole job only.  In a job of one process all G clocks are
// complete, however many regions it has, because none had to travel.  OpenMP
// time of processes that have no constructs is in the rest of these.  The
// longest path is as long as G-ALL of Global.
void complete_job(JobTotals* job);

// A JobTotals as bytes, for the reduction over processes, which all run the
// same build of the library.  deserialise() returns false and leaves `totals`
// unchanged if the bytes are not those of a JobTotals.
std::string serialise(const JobTotals& totals);
bool deserialise(const std::string& bytes, JobTotals* totals);

}  // namespace poprt

#endif  // POPRT_MODEL_TOTALS_H_
