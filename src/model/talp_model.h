// The metrics of the model `talp`.
#ifndef POPRT_MODEL_TALP_MODEL_H_
#define POPRT_MODEL_TALP_MODEL_H_

#include "model/metric_table.h"
#include "model/place_of.h"

namespace poprt {

// The times in the model's ratios and differences.
namespace talp {
inline double mpi_communication(const Inputs& x) {
  return ratio(x.talp.not_mpi_max * x.talp.processes, x.talp.all());
}
inline double mpi_load_balance(const Inputs& x) {
  return ratio(x.talp.all() - x.talp.mpi,
               x.talp.not_mpi_max * x.talp.processes);
}
inline double mpi_loss(const Inputs& x) {
  return ratio(x.talp.mpi, x.talp.all());
}
inline double mpi_load_balance_loss(const Inputs& x) {
  return mpi_loss(x) - (1 - mpi_communication(x));
}
inline double mpi_load_balance_out_loss(const Inputs& x) {
  return mpi_communication(x) * (1 - x.talp.balance_of_nodes);
}
}  // namespace talp

inline constexpr Metric kTalpModel[] = {
    {Model::kTalp, "parallel_efficiency", "Parallel Efficiency", 0, Layer::kAny,
     place_of<&Metrics::talp, &TalpMetrics::parallel_efficiency>,
     [](const Inputs& x) { return ratio(x.talp.useful, x.talp.all()); },
     [](const Inputs& x) {
       return ratio(x.talp.mpi + x.talp.serial + x.talp.imbalance +
                        x.talp.scheduling + x.talp.accelerator,
                    x.talp.all());
     }},
    {Model::kTalp, "mpi_parallel_efficiency", "MPI Parallel Efficiency", 1,
     Layer::kMpi,
     place_of<&Metrics::talp, &TalpMetrics::mpi_parallel_efficiency>,
     [](const Inputs& x) {
       return ratio(x.talp.all() - x.talp.mpi, x.talp.all());
     },
     talp::mpi_loss, nullptr, Range::kUnequalVisits},
    {Model::kTalp, "mpi_communication_efficiency",
     "MPI Communication Efficiency", 2, Layer::kMpi,
     place_of<&Metrics::talp, &TalpMetrics::mpi_communication_efficiency>,
     talp::mpi_communication,
     [](const Inputs& x) { return 1 - talp::mpi_communication(x); },
     "even the process with most work spends time in MPI",
     Range::kUnequalVisits},
    {Model::kTalp, "mpi_load_balance", "MPI Load Balance", 2, Layer::kMpi,
     place_of<&Metrics::talp, &TalpMetrics::mpi_load_balance>,
     talp::mpi_load_balance, talp::mpi_load_balance_loss,
     "some processes have more work than others", Range::kUnequalVisits},
    {Model::kTalp, "mpi_load_balance_in", "MPI Load Balance In", 3, Layer::kMpi,
     place_of<&Metrics::talp, &TalpMetrics::mpi_load_balance_in>,
     [](const Inputs& x) {
       return ratio(talp::mpi_load_balance(x), x.talp.balance_of_nodes);
     },
     [](const Inputs& x) {
       return talp::mpi_load_balance_loss(x) -
              talp::mpi_load_balance_out_loss(x);
     },
     nullptr, Range::kUnequalVisits},
    {Model::kTalp, "mpi_load_balance_out", "MPI Load Balance Out", 3,
     Layer::kMpi, place_of<&Metrics::talp, &TalpMetrics::mpi_load_balance_out>,
     [](const Inputs& x) { return x.talp.balance_of_nodes; },
     talp::mpi_load_balance_out_loss, nullptr, Range::kUnequalVisits},
    {Model::kTalp, "openmp_parallel_efficiency", "OpenMP Parallel Efficiency",
     1, Layer::kOpenMp,
     place_of<&Metrics::talp, &TalpMetrics::openmp_parallel_efficiency>,
     [](const Inputs& x) {
       return ratio(x.talp.all() - x.talp.idle(), x.talp.all());
     },
     [](const Inputs& x) { return ratio(x.talp.idle(), x.talp.all()); }},
    {Model::kTalp, "openmp_serialization_efficiency",
     "OpenMP Serialization Efficiency", 2, Layer::kOpenMp,
     place_of<&Metrics::talp, &TalpMetrics::openmp_serialization_efficiency>,
     [](const Inputs& x) {
       return ratio(x.talp.all() - x.talp.serial, x.talp.all());
     },
     [](const Inputs& x) { return ratio(x.talp.serial, x.talp.all()); },
     "threads idle outside parallel regions, where only one has work"},
    {Model::kTalp, "openmp_load_balance", "OpenMP Load Balance", 2,
     Layer::kOpenMp,
     place_of<&Metrics::talp, &TalpMetrics::openmp_load_balance>,
     [](const Inputs& x) {
       return ratio(x.talp.all() - x.talp.serial - x.talp.imbalance,
                    x.talp.all() - x.talp.serial);
     },
     [](const Inputs& x) { return ratio(x.talp.imbalance, x.talp.all()); },
     "some threads of a parallel region have more work than others"},
    {Model::kTalp, "openmp_scheduling_efficiency",
     "OpenMP Scheduling Efficiency", 2, Layer::kOpenMp,
     place_of<&Metrics::talp, &TalpMetrics::openmp_scheduling_efficiency>,
     [](const Inputs& x) {
       return ratio(
           x.talp.all() - x.talp.serial - x.talp.imbalance - x.talp.scheduling,
           x.talp.all() - x.talp.serial - x.talp.imbalance);
     },
     [](const Inputs& x) { return ratio(x.talp.scheduling, x.talp.all()); },
     "time goes into the OpenMP runtime: creating, scheduling, synchronising"},
    // TALP's second version of it; the first had MPI in both terms.
    {Model::kTalp, "device_offload_efficiency", "Device Offload Efficiency", 1,
     Layer::kDevices,
     place_of<&Metrics::talp, &TalpMetrics::device_offload_efficiency>,
     [](const Inputs& x) {
       return ratio(x.talp.useful + x.talp.idle(),
                    x.talp.useful + x.talp.idle() + x.talp.accelerator);
     },
     [](const Inputs& x) { return ratio(x.talp.accelerator, x.talp.all()); },
     "cores launch work for devices, copy, or wait for them"},
    {Model::kTalp, "device_parallel_efficiency", "Device Parallel Efficiency",
     0, Layer::kDeviceTime,
     place_of<&Metrics::talp, &TalpMetrics::device_parallel_efficiency>,
     [](const Inputs& x) { return x.devices.parallel_efficiency; },
     [](const Inputs& x) { return 1 - x.devices.parallel_efficiency; }},
    {Model::kTalp, "device_load_balance", "Device Load Balance", 1,
     Layer::kDeviceTime,
     place_of<&Metrics::talp, &TalpMetrics::device_load_balance>,
     [](const Inputs& x) { return x.devices.load_balance; },
     [](const Inputs& x) {
       return x.devices.orchestration_efficiency *
              x.devices.communication_efficiency * (1 - x.devices.load_balance);
     }},
    {Model::kTalp, "device_communication_efficiency",
     "Device Communication Efficiency", 1, Layer::kDeviceTime,
     place_of<&Metrics::talp, &TalpMetrics::device_communication_efficiency>,
     [](const Inputs& x) { return x.devices.communication_efficiency; },
     [](const Inputs& x) {
       return x.devices.orchestration_efficiency *
              (1 - x.devices.communication_efficiency);
     }},
    {Model::kTalp, "device_orchestration_efficiency",
     "Device Orchestration Efficiency", 1, Layer::kDeviceTime,
     place_of<&Metrics::talp, &TalpMetrics::device_orchestration_efficiency>,
     [](const Inputs& x) { return x.devices.orchestration_efficiency; },
     [](const Inputs& x) { return 1 - x.devices.orchestration_efficiency; }},
};

}  // namespace poprt

#endif  // POPRT_MODEL_TALP_MODEL_H_
