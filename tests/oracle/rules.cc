// Rules that hold for every report, whatever the program.
#include <cmath>
#include <initializer_list>

#include "model/metrics.h"
#include "model/quantities.h"
#include "oracle/compare.h"

namespace poprt::oracle {
namespace {

constexpr double kTolerance = 1e-12;

class Rules {
 public:
  explicit Rules(const RegionTotals& region)
      : region_(region), metrics_(metrics_of(region, Layers{})) {}

  std::string check() {
    check_clocks();
    if (region_.processes > 0) {
      check_pop();
      check_critical_path();
      check_multiplicative();
      check_additive();
      check_talp();
    }
    return text_;
  }

 private:
  void broken(const std::string& rule) {
    text_ += region_.name + ": broken: " + rule + "\n";
  }
  void ascending(const std::string& rule,
                 std::initializer_list<int64_t> values) {
    const int64_t* before = nullptr;
    for (const int64_t& value : values) {
      if (before != nullptr && *before > value) {
        broken(rule + ": " + std::to_string(*before) + " > " +
               std::to_string(value));
      }
      before = &value;
    }
  }
  void same(const std::string& rule, double a, double b) {
    if (!std::isnan(a) && !std::isnan(b) && std::abs(a - b) > kTolerance) {
      broken(rule);
    }
  }
  void within(const std::string& rule, std::initializer_list<double> values) {
    for (const double value : values) {
      if (value < -kTolerance || value > 1 + kTolerance) {
        broken(rule + " lie in [0, 1]: " + std::to_string(value));
      }
    }
  }

  void check_clocks() {
    const RegionTotals& r = region_;
    ascending("max TL-CUE <= PL-CUE <= G-CUE <= G-COO <= G-ALL",
              {r.useful_max_ns, r.pl_cue_ns, r.cue_ns, r.coo_ns, r.all_ns});
    if (keeps_coow(r)) {
      ascending("G-CUE <= G-COOW <= G-ALL", {r.cue_ns, r.coow_ns, r.all_ns});
    }
    ascending("G-CUE <= G-COM <= G-COMP <= G-ALL",
              {r.cue_ns, r.com_ns, r.comp_ns, r.all_ns});
    ascending("outside MPI <= G-COMP", {r.outside_mpi_max_ns, r.comp_ns});
    ascending("elapsed <= G-ALL", {r.elapsed_max_ns, r.all_ns});
    if (r.useful_sum_ns + r.mpi_sum_ns + r.omp_sum_ns !=
        r.elapsed_weighted_ns) {
      broken("useful + MPI + OpenMP = elapsed");
    }
    ascending("MPI-IO <= MPI", {amount(r, kMpiIo), r.mpi_sum_ns});
  }
  // The two parts of a load balance.
  void product(const std::string& rule, double whole, double in, double out) {
    same(rule + " = In x Out", whole, in * out);
    within(rule, {in, out});
  }
  void check_pop() {
    const PopMetrics& m = metrics_.pop;
    product("pop LB", m.load_balance, m.load_balance_in, m.load_balance_out);
    same("pop PE", m.parallel_efficiency,
         m.load_balance * m.communication_efficiency);
    same("pop CommE", m.communication_efficiency,
         m.serialisation_efficiency * m.transfer_efficiency);
    within("pop",
           {m.parallel_efficiency, m.load_balance, m.communication_efficiency,
            m.serialisation_efficiency, m.transfer_efficiency});
  }
  void check_critical_path() {
    const PathMetrics& m = metrics_.critical_path;
    product("cp LB", m.load_balance, m.load_balance_in, m.load_balance_out);
    product("cp MPI LB", m.mpi_load_balance, m.mpi_load_balance_in,
            m.mpi_load_balance_out);
    same("cp PE", m.parallel_efficiency,
         m.mpi_parallel_efficiency * m.openmp_parallel_efficiency);
    same("cp LB", m.load_balance, m.mpi_load_balance * m.openmp_load_balance);
    same("cp CommE", m.communication_efficiency,
         m.mpi_communication_efficiency * m.openmp_communication_efficiency);
    same("cp SerE", m.serialisation_efficiency,
         m.mpi_serialisation_efficiency * m.openmp_serialisation_efficiency);
    same("cp TE", m.transfer_efficiency,
         m.mpi_transfer_efficiency * m.openmp_transfer_efficiency);
    within("critical path",
           {m.mpi_parallel_efficiency, m.mpi_load_balance,
            m.mpi_communication_efficiency, m.mpi_serialisation_efficiency,
            m.mpi_transfer_efficiency, m.openmp_parallel_efficiency,
            m.openmp_load_balance, m.openmp_communication_efficiency,
            m.openmp_serialisation_efficiency, m.openmp_transfer_efficiency});
  }
  void check_multiplicative() {
    const MultiplicativeMetrics& m = metrics_.multiplicative;
    product("hybrid LB", m.load_balance, m.load_balance_in, m.load_balance_out);
    product("MPI LB", m.mpi_load_balance, m.mpi_load_balance_in,
            m.mpi_load_balance_out);
    same("hybrid PE", m.parallel_efficiency,
         m.mpi_parallel_efficiency * m.openmp_parallel_efficiency);
    same("MPI PE", m.mpi_parallel_efficiency,
         m.mpi_load_balance * m.mpi_communication_efficiency);
    same("MPI Comm", m.mpi_communication_efficiency,
         m.mpi_serialisation_efficiency * m.mpi_transfer_efficiency);
    within("multiplicative",
           {m.mpi_parallel_efficiency, m.mpi_load_balance,
            m.mpi_communication_efficiency, m.mpi_transfer_efficiency});
  }
  void check_additive() {
    const AdditiveMetrics& m = metrics_.additive;
    same("PE = Process + Thread - 1", m.parallel_efficiency,
         m.process_efficiency + m.thread_efficiency - 1);
    same("Process = Communication + Load Balance - 1", m.process_efficiency,
         m.process_communication_efficiency + m.process_load_balance - 1);
    same("Process LB = In + Out - 1", m.process_load_balance,
         m.process_load_balance_in + m.process_load_balance_out - 1);
    same(
        "Communication = Transfer + Serialisation - 1",
        m.process_communication_efficiency,
        m.process_transfer_efficiency + m.process_serialisation_efficiency - 1);
    same("Thread = OpenMP Region + Serial Region - 1", m.thread_efficiency,
         m.openmp_region_efficiency + m.serial_region_efficiency - 1);
    same("OpenMP Region is the sum of its sources",
         1 - m.openmp_region_efficiency,
         5 - (m.openmp_region_load_balance +
              m.openmp_region_serialisation_efficiency +
              m.openmp_region_mpi_efficiency +
              m.openmp_region_scheduling_efficiency +
              m.openmp_region_start_efficiency));
    within(
        "additive",
        {m.process_efficiency, m.process_load_balance,
         m.process_load_balance_in, m.process_load_balance_out,
         m.process_communication_efficiency, m.process_transfer_efficiency,
         m.process_serialisation_efficiency, m.thread_efficiency,
         m.openmp_region_efficiency, m.openmp_region_load_balance,
         m.openmp_region_serialisation_efficiency,
         m.openmp_region_mpi_efficiency, m.openmp_region_scheduling_efficiency,
         m.openmp_region_start_efficiency, m.serial_region_efficiency});
  }
  void check_talp() {
    const TalpMetrics& m = metrics_.talp;
    same("talp MPI", m.mpi_parallel_efficiency,
         m.mpi_communication_efficiency * m.mpi_load_balance);
    same("talp LB = In x Out", m.mpi_load_balance,
         m.mpi_load_balance_in * m.mpi_load_balance_out);
    same("talp OpenMP", m.openmp_parallel_efficiency,
         m.openmp_serialization_efficiency * m.openmp_load_balance *
             m.openmp_scheduling_efficiency);
    within("talp",
           {m.parallel_efficiency, m.mpi_parallel_efficiency,
            m.mpi_load_balance, m.mpi_load_balance_out,
            m.openmp_parallel_efficiency, m.openmp_serialization_efficiency,
            m.openmp_load_balance, m.openmp_scheduling_efficiency});
  }

  const RegionTotals& region_;
  const Metrics metrics_;
  std::string text_;
};

}  // namespace

std::string broken_rules(const JobTotals& job) {
  std::string text;
  for (const RegionTotals& region : job.regions) text += Rules(region).check();
  return text;
}

}  // namespace poprt::oracle
