// What a run adds up to: plain sums, maxima and clocks, per region.
//
// A process makes one JobTotals of its own threads when measurement ends;
// combine() turns two of them into one, and is the whole reduction.  From here
// on everything is a value: no MPI, no clock, no thread.
//
// All times are integer nanoseconds.  P processes, t_p threads of process p,
// T = sum of t_p; "entered" means that the process opened the region at least
// once.  A process that never entered counts in no sum but its clocks, which
// it may have passed on.
#ifndef POPRT_MODEL_TOTALS_H_
#define POPRT_MODEL_TOTALS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace poprt {

// The name by which a region travels between processes: 64-bit FNV-1a.
uint64_t region_key(const char* name, size_t length);

// The part of one node in a region, for TALP's load balance in and out of
// nodes.
struct NodeShare {
  uint64_t host = 0;  // region_key() of the host's name
  int64_t processes = 0;
  int64_t not_mpi_sum_ns = 0;  // sum over its processes of T_i - T_i^C
};

// One process in a region that it entered; times in ns.
struct ProcessRow {
  int64_t rank = 0;  // in MPI_COMM_WORLD
  int64_t visits = 0;
  int64_t elapsed_ns = 0;
  // Sums over its threads; useful + mpi + omp = threads * elapsed.
  int64_t useful_ns = 0;
  int64_t mpi_ns = 0;
  int64_t mpi_io_ns = 0;  // part of mpi_ns
  int64_t omp_ns = 0;
  int64_t useful_max_ns = 0;   // of its busiest thread
  int64_t serial_ns = 0;       // serial_p: primary thread's line
  int64_t outside_mpi_ns = 0;  // serial_p + openmp_p, likewise
};

struct RegionTotals {
  std::string name;  // empty while only its key has been heard of
  uint64_t key = 0;

  // The processes that entered.
  int64_t processes = 0;
  int64_t threads = 0;              // sum of t_p
  int64_t visits = 0;               // instances, summed over processes
  int64_t visits_max = 0;           // instances, most of one process
  int64_t elapsed_max_ns = 0;       // largest of one process
  int64_t elapsed_weighted_ns = 0;  // sum of t_p * elapsed_p

  // Sums over threads; useful + mpi + omp = elapsed_weighted.
  int64_t useful_sum_ns = 0;
  int64_t mpi_sum_ns = 0;
  int64_t mpi_io_sum_ns = 0;  // part of mpi_sum_ns: in calls of MPI-IO
  int64_t omp_sum_ns = 0;
  int64_t useful_max_ns = 0;           // largest of one thread: max TL-CUE
  int64_t useful_max_weighted_ns = 0;  // sum of t_p * max_t useful

  // The process level: the primary thread's line.
  int64_t serial_sum_ns = 0;       // sum of serial_p
  int64_t serial_weighted_ns = 0;  // sum of t_p * serial_p
  int64_t openmp_weighted_ns = 0;  // sum of t_p * openmp_p
  int64_t outside_mpi_max_ns = 0;  // max of serial_p + openmp_p

  // The threads that call MPI, the primary ones among them, in the
  // multiplicative model: sum over processes of the mean over the process's,
  // and the largest.
  int64_t mpi_callers = 0;
  int64_t mpi_callers_outside_sum_ns = 0;
  int64_t mpi_callers_outside_max_ns = 0;

  // Critical-path clocks: the largest over all processes.
  int64_t pl_cue_ns = 0;
  int64_t cue_ns = 0;
  int64_t com_ns = 0;
  int64_t comp_ns = 0;
  int64_t coo_ns = 0;
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

  // Of the processes whose table of travelling regions was full, how many had
  // this region in it (see JobTotals::full_tables).
  int64_t in_full_tables = 0;

  // On request (see add_rows()): each process that entered, sorted by rank.
  std::vector<ProcessRow> rows;
};

// A parallel region or task construct, by its place in the code, from the
// start of measurement to its end.  The process level is the primary thread's
// line, and only what that one encountered has a time.
struct ConstructTotals {
  std::string module;   // file of the code; empty: those that were too many
  uint64_t offset = 0;  // return address in it, by ELF's virtual addresses
  bool is_task = false;

  int64_t visits = 0;       // instances, summed over processes
  int64_t useful_ns = 0;    // sum over threads
  int64_t mpi_ns = 0;       // likewise; parallel regions only
  int64_t time_ns = 0;      // sum over processes
  int64_t weighted_ns = 0;  // sum of t_p * time_p
  // Sum of t_p times the part of time_p in which all threads were idle.
  int64_t scheduling_ns = 0;
};

// The order of a sorted list of them.
bool before(const ConstructTotals& a, const ConstructTotals& b);

// A host and how many processes ran there.
struct HostShare {
  std::string name;
  int64_t processes = 0;
};

// Where a process ran.
struct ProcessPlace {
  int64_t rank = 0;
  uint64_t host = 0;  // region_key() of the name of one of JobTotals::hosts
  int64_t threads = 0;
};

// What the program says of itself (pop_metadata).  Of several processes that
// name a key, the value of the first one counts.
struct Metadata {
  std::string key;
  std::string value;
  int64_t process = 0;  // its rank
};

// What the tool says about its own work; every member is a sum over processes
// unless it says otherwise.
struct Quality {
  int64_t overhead_ns = 0;       // estimated, over all threads
  int64_t events = 0;            // transitions
  int64_t clock_messages = 0;    // messages of the tool's own
  int64_t lost_clocks = 0;       // messages whose clocks did not come
  int64_t closure_error_ns = 0;  // largest |U + C + I - elapsed| of a thread
  int64_t foreign_threads = 0;   // threads unknown to OpenMP that called MPI
  int64_t foreign_mpi_ns = 0;    // what they spent there
  int64_t regions_dropped = 0;   // starts refused: name or table
  int64_t stops_without_start = 0;
  int64_t starts_without_stop = 0;
  int64_t shared_starts = 0;       // opened by several threads at once
  int64_t metadata_dropped = 0;    // refused: key, value or number of keys
  std::vector<std::string> notes;  // one line each, no duplicates, at most 50
};

struct JobTotals {
  int64_t processes = 0;
  int64_t threads = 0;
  int64_t threads_min = 0;  // of one process
  int64_t threads_max = 0;
  bool has_mpi = false;
  bool has_openmp = false;
  bool has_unseen_openmp = false;  // of a runtime that tells tools nothing
  // Processes that heard of more regions than can travel.  The G clocks of a
  // region are complete where in_full_tables equals this.
  int64_t full_tables = 0;
  std::vector<HostShare> hosts;       // sorted by name
  std::vector<ProcessPlace> places;   // of those with rows, sorted by rank
  std::vector<RegionTotals> regions;  // sorted by key
  // Sorted by module, offset and is_task.
  std::vector<ConstructTotals> constructs;
  std::vector<Metadata> metadata;  // sorted by key, see combine()
  Quality quality;
};

// Every list is sorted and unique, as combine() needs it.
bool lists_sorted(const JobTotals& totals);

// Adds b to a.  Associative and commutative; an empty JobTotals is neutral.
// Notes come out sorted, without duplicates, and the first 50 of them; of
// metadata at most 1024 keys, those of the lowest ranks, and a note where there
// were more.
// REQUIRES: lists_sorted() of both.
JobTotals combine(JobTotals a, const JobTotals& b);

// Gives the totals of one process a row in each region that it entered, and its
// place.  REQUIRES: of one process, on one host.
void add_rows(int64_t rank, JobTotals* own);

// The G clocks of the region followed every path of the job.
inline bool clocks_complete(const JobTotals& job, const RegionTotals& region) {
  return region.in_full_tables == job.full_tables;
}

// Of a job of one process all G clocks are complete, however many regions it
// has: none had to travel.  REQUIRES: of the whole job.
void complete_clocks_of_one_process(JobTotals* job);

// A JobTotals as bytes, for the reduction over processes of one build of the
// library.  deserialise() returns false, and leaves `totals` alone, where the
// bytes are not those of a JobTotals.
std::string serialise(const JobTotals& totals);
bool deserialise(const std::string& bytes, JobTotals* totals);

}  // namespace poprt

#endif  // POPRT_MODEL_TOTALS_H_
