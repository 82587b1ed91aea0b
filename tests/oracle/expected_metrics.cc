// The formulas of docs/metrics.md, from the values of single processes and
// threads.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>

#include "oracle/critical_path.h"
#include "oracle/expected.h"

namespace poprt::oracle {
namespace {

double divide(double a, double b) {
  return b == 0 ? std::numeric_limits<double>::quiet_NaN() : a / b;
}

// The symbols of docs/metrics.md.
struct Symbols {
  double P = 0;
  double T = 0;
  double R = 0;
  double runtime_ideal = 0;  // G-CUE
  double R_ideal = 0;        // G-COM, of the multiplicative model
  double R_ideal_add = 0;    // G-COMP, of the additive model
  double coo = 0;            // G-COO
  double coow = 0;           // G-COOW
  double pl_cue_max = 0;
  double avg_useful = 0;
  double max_useful = 0;
  double sum_t_max_useful = 0;  // sum_p(t_p max_t useful)
  double avg_outside = 0;       // (openmp + serial), weighted by threads
  double max_outside = 0;
  double avg_callers = 0;
  double max_callers = 0;
  double amdahl = 0;    // sum_p serial_p (t_p - 1) / T
  double omp_lost = 0;  // avg_t(openmp - omp useful)
  // max_n of these: the largest mean of a node.
  double node_useful = 0;
  double node_max_useful = 0;  // of max_t useful
  double node_outside = 0;
  double node_callers = 0;  // over the node's processes
};

// Adds up one node.
struct NodeSums {
  double P = 0;
  double T = 0;
  double useful = 0;
  double t_max_useful = 0;
  double outside = 0;
  double callers = 0;
};

Symbols symbols_of(const std::vector<ProcessShare>& shares) {
  Symbols s;
  std::map<std::string, NodeSums> nodes;
  for (const ProcessShare& p : shares) {
    s.R_ideal = std::max(s.R_ideal, double(p.com_ns));
    s.R_ideal_add = std::max(s.R_ideal_add, double(p.comp_ns));
    s.coow = std::max(s.coow, double(p.coow_ns));
    for (const ThreadShare& t : p.lines) {
      if (!t.member) continue;
      s.pl_cue_max = std::max(s.pl_cue_max, double(t.clock_ns[1][0]));
      s.runtime_ideal = std::max(s.runtime_ideal, double(t.clock_ns[2][0]));
      s.coo = std::max(s.coo, double(t.clock_ns[2][1]));
      s.R = std::max(s.R, double(t.clock_ns[2][2]));
    }
    if (p.visits == 0) continue;
    const double threads = double(p.threads);
    s.P += 1;
    s.T += threads;
    double useful_max = 0;
    for (const ThreadShare& t : p.lines) {
      if (!t.member) continue;
      s.avg_useful += double(t.useful_ns);
      useful_max = std::max(useful_max, double(t.useful_ns));
      s.omp_lost += double(p.outside_mpi_ns - p.serial_ns) -
                    double(t.useful_in_parallel_ns);
    }
    s.max_useful = std::max(s.max_useful, useful_max);
    s.sum_t_max_useful += threads * useful_max;
    s.avg_outside += threads * double(p.outside_mpi_ns);
    s.max_outside = std::max(s.max_outside, double(p.outside_mpi_ns));
    s.amdahl += double(p.serial_ns) * (threads - 1);
    double callers = 0;
    for (const int64_t outside : p.callers_outside_ns) {
      callers += double(outside) / double(p.callers_outside_ns.size());
      s.max_callers = std::max(s.max_callers, double(outside));
    }
    s.avg_callers += callers;
    NodeSums& node = nodes[p.host];
    node.P += 1;
    node.T += threads;
    for (const ThreadShare& t : p.lines) {
      if (t.member) node.useful += double(t.useful_ns);
    }
    node.t_max_useful += threads * useful_max;
    node.outside += threads * double(p.outside_mpi_ns);
    node.callers += callers;
  }
  for (const auto& [host, node] : nodes) {
    s.node_useful = std::max(s.node_useful, node.useful / node.T);
    s.node_max_useful = std::max(s.node_max_useful, node.t_max_useful / node.T);
    s.node_outside = std::max(s.node_outside, node.outside / node.T);
    s.node_callers = std::max(s.node_callers, node.callers / node.P);
  }
  for (double* sum : {&s.avg_useful, &s.avg_outside, &s.amdahl, &s.omp_lost}) {
    *sum /= s.T;
  }
  s.avg_callers /= s.P;
  // Even an ideal network does not make the run shorter than the work of one of
  // its threads.
  return s;
}

PopMetrics pop(const Symbols& s) {
  PopMetrics m;
  m.parallel_efficiency = divide(s.avg_useful, s.R);
  m.load_balance = divide(s.avg_useful, s.max_useful);
  m.load_balance_in = divide(s.node_useful, s.max_useful);
  m.load_balance_out = divide(s.avg_useful, s.node_useful);
  m.communication_efficiency = divide(s.max_useful, s.R);
  m.serialisation_efficiency = divide(s.max_useful, s.runtime_ideal);
  m.transfer_efficiency = divide(s.runtime_ideal, s.R);
  return m;
}

// `coo`: the clock that leaves out OpenMP.
PathMetrics critical_path(const Symbols& s, double coo) {
  PathMetrics m;
  m.openmp_load_balance = divide(s.T * s.avg_useful, s.sum_t_max_useful);
  m.mpi_load_balance = divide(s.sum_t_max_useful, s.T * s.max_useful);
  m.mpi_load_balance_in = divide(s.node_max_useful, s.max_useful);
  m.mpi_load_balance_out = divide(s.sum_t_max_useful / s.T, s.node_max_useful);
  m.openmp_serialisation_efficiency = divide(s.max_useful, s.pl_cue_max);
  m.mpi_serialisation_efficiency = divide(s.pl_cue_max, s.runtime_ideal);
  m.openmp_transfer_efficiency = divide(coo, s.R);
  m.mpi_transfer_efficiency = divide(s.runtime_ideal, coo);
  m.openmp_communication_efficiency =
      m.openmp_serialisation_efficiency * m.openmp_transfer_efficiency;
  m.mpi_communication_efficiency =
      m.mpi_serialisation_efficiency * m.mpi_transfer_efficiency;
  m.openmp_parallel_efficiency =
      m.openmp_load_balance * m.openmp_communication_efficiency;
  m.mpi_parallel_efficiency =
      m.mpi_load_balance * m.mpi_communication_efficiency;
  // The rows over both layers are those of the POP model.
  const PopMetrics both = pop(s);
  m.parallel_efficiency = both.parallel_efficiency;
  m.load_balance = both.load_balance;
  m.load_balance_in = both.load_balance_in;
  m.load_balance_out = both.load_balance_out;
  m.communication_efficiency = both.communication_efficiency;
  m.serialisation_efficiency = both.serialisation_efficiency;
  m.transfer_efficiency = both.transfer_efficiency;
  return m;
}

MultiplicativeMetrics multiplicative(const Symbols& s) {
  MultiplicativeMetrics m;
  m.parallel_efficiency = divide(s.avg_useful, s.R);
  m.load_balance = divide(s.avg_useful, s.max_useful);
  m.load_balance_in = divide(s.node_useful, s.max_useful);
  m.load_balance_out = divide(s.avg_useful, s.node_useful);
  m.communication_efficiency = divide(s.max_useful, s.R);
  m.mpi_parallel_efficiency = divide(s.avg_callers, s.R);
  m.mpi_load_balance = divide(s.avg_callers, s.max_callers);
  m.mpi_load_balance_in = divide(s.node_callers, s.max_callers);
  m.mpi_load_balance_out = divide(s.avg_callers, s.node_callers);
  m.mpi_communication_efficiency = divide(s.max_callers, s.R);
  m.mpi_serialisation_efficiency = divide(s.max_callers, s.R_ideal);
  m.mpi_transfer_efficiency = divide(s.R_ideal, s.R);
  m.openmp_parallel_efficiency =
      divide(m.parallel_efficiency, m.mpi_parallel_efficiency);
  m.openmp_load_balance = divide(m.load_balance, m.mpi_load_balance);
  m.openmp_communication_efficiency =
      divide(m.communication_efficiency, m.mpi_communication_efficiency);
  return m;
}

AdditiveMetrics additive(const Symbols& s) {
  AdditiveMetrics m;
  m.serial_region_efficiency = 1 - divide(s.amdahl, s.R);
  m.openmp_region_efficiency = 1 - divide(s.omp_lost, s.R);
  m.thread_efficiency = 1 - divide(s.avg_outside - s.avg_useful, s.R);
  m.process_load_balance = 1 - divide(s.max_outside - s.avg_outside, s.R);
  m.process_load_balance_in = 1 - divide(s.max_outside - s.node_outside, s.R);
  m.process_load_balance_out = 1 - divide(s.node_outside - s.avg_outside, s.R);
  m.process_communication_efficiency = divide(s.max_outside, s.R);
  m.process_transfer_efficiency = divide(s.R_ideal_add, s.R);
  m.process_serialisation_efficiency =
      1 - (m.process_transfer_efficiency - m.process_communication_efficiency);
  m.process_efficiency = divide(s.avg_outside, s.R);
  m.parallel_efficiency = divide(s.avg_useful, s.R);
  return m;
}

TalpMetrics talp(const std::vector<ProcessShare>& shares) {
  // Averages over the processes of averages over their threads.
  double U = 0, C = 0, I_serial = 0, I_lb = 0, I_sch = 0, T = 0, P = 0;
  double not_mpi_max = 0;
  std::map<std::string, std::vector<double>> not_mpi_by_node;
  for (const ProcessShare& p : shares) {
    if (p.visits == 0) continue;
    const double threads = double(p.threads);
    double mpi = 0;
    for (const ThreadShare& t : p.lines) {
      if (!t.member) continue;
      U += double(t.useful_ns) / threads;
      mpi += double(t.mpi_ns) / threads;
    }
    C += mpi;
    I_serial += double(p.idle_serial_ns) / threads;
    I_lb += double(p.idle_load_balance_ns) / threads;
    I_sch += double(p.idle_scheduling_ns) / threads;
    T += double(p.elapsed_ns);
    P += 1;
    not_mpi_max = std::max(not_mpi_max, double(p.elapsed_ns) - mpi);
    not_mpi_by_node[p.host].push_back(double(p.elapsed_ns) - mpi);
  }
  double node_sum = 0;
  double node_max = 0;
  for (const auto& [host, values] : not_mpi_by_node) {
    double mean = 0;
    for (const double value : values) mean += value / double(values.size());
    node_sum += mean;
    node_max = std::max(node_max, mean);
  }
  for (double* sum : {&U, &C, &I_serial, &I_lb, &I_sch, &T}) *sum /= P;

  TalpMetrics m;
  m.parallel_efficiency = divide(U, T);
  m.mpi_parallel_efficiency = divide(T - C, T);
  m.mpi_communication_efficiency = divide(not_mpi_max, T);
  m.mpi_load_balance = divide(T - C, not_mpi_max);
  m.mpi_load_balance_out =
      divide(node_sum / double(not_mpi_by_node.size()), node_max);
  m.mpi_load_balance_in = divide(m.mpi_load_balance, m.mpi_load_balance_out);
  m.openmp_parallel_efficiency = divide(T - I_serial - I_lb - I_sch, T);
  m.openmp_serialization_efficiency = divide(T - I_serial, T);
  m.openmp_load_balance = divide(T - I_serial - I_lb, T - I_serial);
  m.openmp_scheduling_efficiency =
      divide(T - I_serial - I_lb - I_sch, T - I_serial - I_lb);
  return m;
}

// A history has MPI-IO of no bytes, and no POSIX I/O.
IoMetrics io(const Symbols& s, const std::vector<ProcessShare>& shares) {
  double in_mpi_io = 0;
  for (const ProcessShare& share : shares) {
    for (const ThreadShare& thread : share.lines) {
      if (thread.member) in_mpi_io += double(thread.mpi_io_ns);
    }
  }
  const double avg_mpi_io = divide(in_mpi_io, s.T);
  IoMetrics m = {};
  m.parallel_efficiency_io_lost = divide(s.avg_useful, s.R);
  m.parallel_efficiency_io_useful = divide(s.avg_useful + avg_mpi_io, s.R);
  m.file_io_efficiency = divide(s.avg_useful, s.avg_useful + avg_mpi_io);
  m.mpi_io_efficiency = m.file_io_efficiency;
  m.posix_io_efficiency = divide(s.avg_useful, s.avg_useful);
  m.mpi_io_share = divide(avg_mpi_io, s.R);
  m.mpi_io_bandwidth = divide(0, in_mpi_io);
  m.posix_io_share = divide(0, s.R);
  m.posix_io_bandwidth = divide(0, 0);
  return m;
}

MpiTimeMetrics mpi_time(const Symbols& s,
                        const std::vector<ProcessShare>& shares) {
  double mpi = 0;
  double waiting = 0;
  double threads = 0;
  for (const ProcessShare& share : shares) {
    if (share.visits == 0) continue;
    for (const ThreadShare& line : share.lines) {
      if (!line.member) continue;
      threads += 1;
      mpi += static_cast<double>(line.mpi_ns);
      waiting += static_cast<double>(line.mpi_waiting_ns);
    }
  }
  const auto of_core_time = [&](double ns) {
    return divide(divide(ns, threads), s.R);
  };
  return {of_core_time(mpi), of_core_time(waiting), of_core_time(mpi - waiting),
          of_core_time(0)};
}

}  // namespace

Metrics expected_metrics(const std::vector<ProcessShare>& shares) {
  const Symbols s = symbols_of(shares);
  Metrics metrics;
  metrics.pop = pop(s);
  metrics.critical_path = critical_path(s, s.coo);
  metrics.waiting = critical_path(s, s.coow);
  metrics.multiplicative = multiplicative(s);
  metrics.additive = additive(s);
  metrics.talp = talp(shares);
  metrics.io = io(s, shares);
  metrics.mpi_time = mpi_time(s, shares);
  // A history has no counters.
  double none[sizeof metrics.computation / sizeof(double)];
  std::fill(std::begin(none), std::end(none), std::nan(""));
  std::memcpy(&metrics.computation, none, sizeof none);
  return metrics;
}

}  // namespace poprt::oracle
