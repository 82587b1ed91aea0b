// The values of the models, computed from the totals of a region.  Each
// number here has an entry with its formula, see metric_table.h.
//
// An undefined value is NaN: 0/0, rows of a layer that the program does not
// have, rows that need G clocks if these are not complete.  Nothing is clamped.
#ifndef POPRT_MODEL_METRICS_H_
#define POPRT_MODEL_METRICS_H_

#include <bitset>

#include "model/totals.h"
#include "states/states.h"

namespace poprt {

struct PopMetrics {
  double parallel_efficiency;
  double load_balance;
  double load_balance_in;   // within nodes
  double load_balance_out;  // between nodes
  double communication_efficiency;
  double serialisation_efficiency;
  double transfer_efficiency;
};

// Of the models `critical_path` and `waiting`.
struct PathMetrics {
  double parallel_efficiency;
  double load_balance;
  double load_balance_in;
  double load_balance_out;
  double communication_efficiency;
  double serialisation_efficiency;
  double transfer_efficiency;
  double mpi_parallel_efficiency;
  double mpi_load_balance;
  double mpi_load_balance_in;
  double mpi_load_balance_out;
  double mpi_communication_efficiency;
  double mpi_serialisation_efficiency;
  double mpi_transfer_efficiency;
  double openmp_parallel_efficiency;
  double openmp_load_balance;
  double openmp_communication_efficiency;
  double openmp_serialisation_efficiency;
  double openmp_transfer_efficiency;
};

struct MultiplicativeMetrics {
  double parallel_efficiency;
  double load_balance;
  double load_balance_in;
  double load_balance_out;
  double communication_efficiency;
  double mpi_parallel_efficiency;
  double mpi_load_balance;
  double mpi_load_balance_in;
  double mpi_load_balance_out;
  double mpi_communication_efficiency;
  double mpi_serialisation_efficiency;
  double mpi_transfer_efficiency;
  double accelerator_parallel_efficiency;
  double accelerator_load_balance;  // may exceed 1
  double accelerator_communication_efficiency;
  double openmp_parallel_efficiency;  // these three may exceed 1
  double openmp_load_balance;
  double openmp_communication_efficiency;
};

struct AdditiveMetrics {
  double parallel_efficiency;
  double process_efficiency;
  double process_load_balance;
  double process_load_balance_in;
  double process_load_balance_out;
  double process_communication_efficiency;
  double process_transfer_efficiency;
  double process_serialisation_efficiency;
  double thread_efficiency;
  double openmp_region_efficiency;
  double openmp_region_load_balance;
  double openmp_region_serialisation_efficiency;
  double openmp_region_mpi_efficiency;
  double openmp_region_scheduling_efficiency;
  double openmp_region_start_efficiency;
  double openmp_region_accelerator_efficiency;
  double serial_region_efficiency;
  double accelerator_efficiency;
  double accelerator_waiting_efficiency;
  double accelerator_copying_efficiency;
  double accelerator_launching_efficiency;
  double device_parallel_efficiency;
  double device_copy_efficiency;
  double device_host_work_efficiency;
  double device_mpi_efficiency;
  double device_openmp_efficiency;
  double device_call_efficiency;
  double device_rest_efficiency;
};

struct TalpMetrics {
  double parallel_efficiency;
  double mpi_parallel_efficiency;
  double mpi_communication_efficiency;
  double mpi_load_balance;
  double mpi_load_balance_in;
  double mpi_load_balance_out;
  double openmp_parallel_efficiency;
  double openmp_serialization_efficiency;
  double openmp_load_balance;
  double openmp_scheduling_efficiency;
  double device_offload_efficiency;
  double device_parallel_efficiency;
  double device_load_balance;
  double device_communication_efficiency;
  double device_orchestration_efficiency;
};

// What the cores did with their useful time.  From counters: NaN without them.
// Not efficiencies.
struct ComputationMetrics {
  double instructions;  // sum over threads
  double ipc;           // instructions per cycle
  double opc;           // operations per cycle: a vector has several
  double frequency;     // cycles per ns of useful time: GHz
  // Floating-point instructions and operations; the ratios are from 0 to 1.
  double fp_operations;  // sum over threads
  double fp_operations_per_cycle;
  double vectorisation_efficiency;  // bits used of 512 in each instruction
  double vectorisation_intensity;   // packed ones among all instructions
  double vectorisation_ratio;       // packed ones among floating-point ones
  // Of single and of double precision.
  double single_count_per_instruction;
  double single_operations;
  double single_vectorisation_ratio;
  double single_scalar_ratio;
  double single_sse_ratio;
  double single_avx_ratio;
  double single_avx512_ratio;
  double double_count_per_instruction;
  double double_operations;
  double double_vectorisation_ratio;
  double double_scalar_ratio;
  double double_sse_ratio;
  double double_avx_ratio;
  double double_avx512_ratio;
};

// What file I/O costs, and what it moves.  The first five are efficiencies.
struct IoMetrics {
  double parallel_efficiency_io_lost;
  double file_io_efficiency;
  double mpi_io_efficiency;
  double posix_io_efficiency;
  double parallel_efficiency_io_useful;
  double mpi_io_share;  // of the core time
  double mpi_io_read_bytes;
  double mpi_io_written_bytes;
  double mpi_io_calls;
  double mpi_io_bandwidth;  // bytes per second of a thread in these calls
  double posix_io_share;
  double posix_io_read_bytes;
  double posix_io_written_bytes;
  double posix_io_calls;
  double posix_io_bandwidth;
};

// The time in MPI and its parts, of the core time. Not efficiencies.
struct MpiTimeMetrics {
  double mpi_share;
  double mpi_waiting_share;   // for partners that were late
  double mpi_transfer_share;  // the rest
  double mpi_unknown_share;   // of calls whose partner's clock is not known
};

struct Metrics {
  PopMetrics pop;
  PathMetrics critical_path;
  MultiplicativeMetrics multiplicative;
  AdditiveMetrics additive;
  TalpMetrics talp;
  ComputationMetrics computation;
  IoMetrics io;
  MpiTimeMetrics mpi_time;
  PathMetrics waiting;
};

// Metrics consists of doubles only, and each of them is a metric.
inline constexpr size_t kMetricCount = sizeof(Metrics) / sizeof(double);

// What was measured of a region: which layers the program has, whether the
// region's G clocks are complete, and whether POSIX I/O was measured.  The rest
// only tells why something is missing.
struct Layers {
  std::bitset<kLayers> of_program{~0ULL};
  bool clocks = true;
  bool posix_io = true;
  bool unmeasured = false;     // some processes ran without the library
  bool unseen_openmp = false;  // there is an OpenMP that tells nothing
  bool openmp_ended = false;   // it was seen until the program ended it
  bool imported = false;       // from another tool's file
  bool incomplete = false;     // its ranks ended at different times
  // Those that the writer of the run file did not know.
  std::bitset<kLayers> unknown{};

  bool has(EventLayer layer) const {
    return of_program[static_cast<size_t>(layer)];
  }
  // Of what all threads do only a part was measured.
  bool hides_threads() const {
    return unseen_openmp && !openmp_ended && !has(EventLayer::kOpenMp);
  }
};

Metrics metrics_of(const RegionTotals& region, const Layers& layers);

// What each row of a hierarchy lost, so that rows can be compared: a row of
// 90 % near the top may cost more than a row of 70 % below it.
//
// In every model the losses of a row's children add up to the row's own loss,
// up to 1 - parallel_efficiency.  In models with products this holds because
// the factors are ratios of times in one descending chain, and each row lost
// its step in the chain:
//
//   pop             R > G-CUE > max useful > avg useful
//                   transfer, serialisation, load balance
//   critical_path   R > G-COO > G-CUE > max PL-CUE > max useful
//                     > avg of the processes' max useful > avg useful
//                   transfer OpenMP, MPI; serialisation MPI, OpenMP;
//                   load balance MPI, OpenMP
//   multiplicative  R > R_ideal > max outside MPI > avg outside MPI
//                     > avg outside MPI and accelerator > avg useful
//                   MPI transfer, serialisation, load balance; accelerator;
//                   OpenMP
//
// Where threads were in the state accelerator, that is between G-COO and G-CUE
// as MPI is, and what MPI's transfer lost is not known.
//
// Where a load balance goes from a maximum to an average, the largest of the
// nodes' averages is between the two: above it is what was lost inside nodes,
// below it what was lost between them.
//
// A step is (1 - value) times the factors before it in the chain.  OpenMP
// Communication of `multiplicative` has no time of its own and may exceed 1: it
// lost (1 - value) of the time outside MPI and accelerator, which is negative
// if it exceeds 1, and OpenMP Load Balance lost the rest.  So do the rows of
// the accelerator with the time outside MPI.
//
// In `additive` a row lost 1 - value by definition.  In TALP both MPI and
// OpenMP are relative to all time, so their losses add up although the
// efficiencies do not multiply.  Below them are products as above.  Device
// Offload is not relative to all time, but lost its share of all time.
//
// In `io` the chain is R > avg(useful + MPI-IO) > avg(useful - POSIX I/O).
//
// Rows of devices are a tree of their own, whose losses are shares of the
// devices' time.  The chain of `talp` is E > max(K + C) > max K > avg K.
//
// The losses are shares of R times the threads (TALP: of the time of all
// threads), each in the place of its metric.  NaN as in metrics_of(), but 0 for
// a 0/0 that lost nothing.
Metrics losses_of(const RegionTotals& region, const Layers& layers);

}  // namespace poprt

#endif  // POPRT_MODEL_METRICS_H_
