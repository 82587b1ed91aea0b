// The metrics of the model `additive`.
#ifndef POPRT_MODEL_ADDITIVE_MODEL_H_
#define POPRT_MODEL_ADDITIVE_MODEL_H_

#include "model/metric_table.h"
#include "model/place_of.h"

namespace poprt {

namespace additive {
inline double parallel(const Inputs& x) {
  return ratio(x.terms.useful_avg, x.terms.all);
}
inline double process(const Inputs& x) {
  return ratio(x.additive.outside_mpi_avg, x.terms.all);
}
inline double process_load_balance(const Inputs& x) {
  return 1 - ratio(x.additive.outside_mpi_max - x.additive.outside_mpi_avg,
                   x.terms.all);
}
inline double process_load_balance_in(const Inputs& x) {
  return 1 - ratio(x.additive.outside_mpi_max - x.additive.outside_mpi_node_max,
                   x.terms.all);
}
inline double process_load_balance_out(const Inputs& x) {
  return 1 - ratio(x.additive.outside_mpi_node_max - x.additive.outside_mpi_avg,
                   x.terms.all);
}
inline double process_communication(const Inputs& x) {
  return ratio(x.additive.outside_mpi_max, x.terms.all);
}
inline double process_transfer(const Inputs& x) {
  return ratio(x.additive.ideal, x.terms.all);
}
inline double process_serialisation(const Inputs& x) {
  return 1 - (process_transfer(x) - process_communication(x));
}
inline double thread(const Inputs& x) {
  return 1 - ratio(x.additive.thread_lost_avg, x.terms.all);
}
inline double openmp_region(const Inputs& x) {
  return 1 - ratio(x.additive.openmp_lost_avg, x.terms.all);
}
// One source of what OpenMP regions lose.
template <double AdditiveTerms::*kLost>
double source(const Inputs& x) {
  return 1 - ratio(x.additive.*kLost, x.terms.all);
}
inline double device_parallel(const Inputs& x) {
  return x.device_shares.kernels;
}
inline double device_copy(const Inputs& x) {
  return 1 - x.device_shares.copies;
}
// A device that is idle while its host does this.
template <HostPart kPart>
double device_idle(const Inputs& x) {
  return 1 - x.device_shares.idle[static_cast<size_t>(kPart)];
}
// What the other rows do not have.
inline double device_rest(const Inputs& x) {
  const DeviceShares& s = x.device_shares;
  return 1 - s.graphs - s.outside -
         s.idle[static_cast<size_t>(HostPart::kUnknown)];
}
inline double serial_region(const Inputs& x) {
  return 1 - ratio(x.additive.amdahl_avg, x.terms.all);
}

// The loss of a row is what it lacks to 1.
template <double (*kFormula)(const Inputs&)>
double loss(const Inputs& x) {
  return 1 - kFormula(x);
}
}  // namespace additive

inline constexpr Metric kAdditiveModel[] = {
    {Model::kAdditive, "parallel_efficiency", "Parallel Efficiency", 0,
     Layer::kAny,
     place_of<&Metrics::additive, &AdditiveMetrics::parallel_efficiency>,
     additive::parallel, additive::loss<additive::parallel>},
    {Model::kAdditive, "process_efficiency", "Process Efficiency", 1,
     Layer::kMpi,
     place_of<&Metrics::additive, &AdditiveMetrics::process_efficiency>,
     additive::process, additive::loss<additive::process>},
    {Model::kAdditive, "process_load_balance", "Process Load Balance", 2,
     Layer::kMpi,
     place_of<&Metrics::additive, &AdditiveMetrics::process_load_balance>,
     additive::process_load_balance,
     additive::loss<additive::process_load_balance>},
    of_nodes({Model::kAdditive, "process_load_balance_in", "Process LB In", 3,
              Layer::kMpi,
              place_of<&Metrics::additive,
                       &AdditiveMetrics::process_load_balance_in>,
              additive::process_load_balance_in,
              additive::loss<additive::process_load_balance_in>}),
    of_nodes({Model::kAdditive, "process_load_balance_out", "Process LB Out", 3,
              Layer::kMpi,
              place_of<&Metrics::additive,
                       &AdditiveMetrics::process_load_balance_out>,
              additive::process_load_balance_out,
              additive::loss<additive::process_load_balance_out>}),
    {Model::kAdditive, "process_communication_efficiency",
     "Process Communication Efficiency", 2, Layer::kMpi,
     place_of<&Metrics::additive,
              &AdditiveMetrics::process_communication_efficiency>,
     additive::process_communication,
     additive::loss<additive::process_communication>},
    {Model::kAdditive, "process_transfer_efficiency",
     "Process Transfer Efficiency", 3, Layer::kMpi,
     place_of<&Metrics::additive,
              &AdditiveMetrics::process_transfer_efficiency>,
     additive::process_transfer, additive::loss<additive::process_transfer>},
    {Model::kAdditive, "process_serialisation_efficiency",
     "Process Serialisation Efficiency", 3, Layer::kMpi,
     place_of<&Metrics::additive,
              &AdditiveMetrics::process_serialisation_efficiency>,
     additive::process_serialisation,
     additive::loss<additive::process_serialisation>},
    {Model::kAdditive, "thread_efficiency", "Thread Efficiency", 1,
     Layer::kOpenMp,
     place_of<&Metrics::additive, &AdditiveMetrics::thread_efficiency>,
     additive::thread, additive::loss<additive::thread>, nullptr,
     Range::kOtherThreads},
    {Model::kAdditive, "openmp_region_efficiency", "OpenMP Region Efficiency",
     2, Layer::kOpenMp,
     place_of<&Metrics::additive, &AdditiveMetrics::openmp_region_efficiency>,
     additive::openmp_region, additive::loss<additive::openmp_region>, nullptr,
     Range::kOtherThreads},
    {Model::kAdditive, "openmp_region_load_balance", "Region Load Balance", 3,
     Layer::kOpenMp,
     place_of<&Metrics::additive, &AdditiveMetrics::openmp_region_load_balance>,
     additive::source<&AdditiveTerms::imbalance_avg>,
     additive::loss<additive::source<&AdditiveTerms::imbalance_avg>>, nullptr,
     Range::kOtherThreads},
    {Model::kAdditive, "openmp_region_serialisation_efficiency",
     "Region Serialisation Efficiency", 3, Layer::kOpenMp,
     place_of<&Metrics::additive,
              &AdditiveMetrics::openmp_region_serialisation_efficiency>,
     additive::source<&AdditiveTerms::serialised_avg>,
     additive::loss<additive::source<&AdditiveTerms::serialised_avg>>},
    {Model::kAdditive, "openmp_region_mpi_efficiency", "Region MPI Efficiency",
     3, Layer::kOpenMp,
     place_of<&Metrics::additive,
              &AdditiveMetrics::openmp_region_mpi_efficiency>,
     additive::source<&AdditiveTerms::mpi_inside_avg>,
     additive::loss<additive::source<&AdditiveTerms::mpi_inside_avg>>},
    {Model::kAdditive, "openmp_region_scheduling_efficiency",
     "Region Scheduling Efficiency", 3, Layer::kOpenMp,
     place_of<&Metrics::additive,
              &AdditiveMetrics::openmp_region_scheduling_efficiency>,
     additive::source<&AdditiveTerms::scheduling_avg>,
     additive::loss<additive::source<&AdditiveTerms::scheduling_avg>>},
    {Model::kAdditive, "openmp_region_start_efficiency",
     "Region Start Efficiency", 3, Layer::kOpenMp,
     place_of<&Metrics::additive,
              &AdditiveMetrics::openmp_region_start_efficiency>,
     additive::source<&AdditiveTerms::not_started_avg>,
     additive::loss<additive::source<&AdditiveTerms::not_started_avg>>},
    {Model::kAdditive, "openmp_region_accelerator_efficiency",
     "Region Accelerator Efficiency", 3, Layer::kOpenMp,
     place_of<&Metrics::additive,
              &AdditiveMetrics::openmp_region_accelerator_efficiency>,
     additive::source<&AdditiveTerms::accelerator_inside_avg>,
     additive::loss<additive::source<&AdditiveTerms::accelerator_inside_avg>>},
    {Model::kAdditive, "serial_region_efficiency", "Serial Region Efficiency",
     2, Layer::kOpenMp,
     place_of<&Metrics::additive, &AdditiveMetrics::serial_region_efficiency>,
     additive::serial_region, additive::loss<additive::serial_region>},
    {Model::kAdditive, "accelerator_efficiency", "Accelerator Efficiency", 1,
     Layer::kDevices,
     place_of<&Metrics::additive, &AdditiveMetrics::accelerator_efficiency>,
     additive::source<&AdditiveTerms::accelerator_avg>,
     additive::loss<additive::source<&AdditiveTerms::accelerator_avg>>},
    {Model::kAdditive, "accelerator_waiting_efficiency",
     "Device Waiting Efficiency", 2, Layer::kDevices,
     place_of<&Metrics::additive,
              &AdditiveMetrics::accelerator_waiting_efficiency>,
     additive::source<&AdditiveTerms::device_waiting_avg>,
     additive::loss<additive::source<&AdditiveTerms::device_waiting_avg>>,
     "cores wait until a device has done its work"},
    {Model::kAdditive, "accelerator_copying_efficiency",
     "Blocking Copy Efficiency", 2, Layer::kDevices,
     place_of<&Metrics::additive,
              &AdditiveMetrics::accelerator_copying_efficiency>,
     additive::source<&AdditiveTerms::device_copying_avg>,
     additive::loss<additive::source<&AdditiveTerms::device_copying_avg>>,
     "cores wait in copies to and from a device"},
    {Model::kAdditive, "accelerator_launching_efficiency", "Launch Efficiency",
     2, Layer::kDevices,
     place_of<&Metrics::additive,
              &AdditiveMetrics::accelerator_launching_efficiency>,
     additive::source<&AdditiveTerms::device_launching_avg>,
     additive::loss<additive::source<&AdditiveTerms::device_launching_avg>>,
     "cores launch work for a device, or allocate its memory"},
    {Model::kAdditive, "device_parallel_efficiency",
     "Device Parallel Efficiency", 0, Layer::kDeviceTime,
     place_of<&Metrics::additive, &AdditiveMetrics::device_parallel_efficiency>,
     additive::device_parallel, additive::loss<additive::device_parallel>},
    {Model::kAdditive, "device_copy_efficiency", "Device Copy Efficiency", 1,
     Layer::kDeviceTime,
     place_of<&Metrics::additive, &AdditiveMetrics::device_copy_efficiency>,
     additive::device_copy, additive::loss<additive::device_copy>},
    {Model::kAdditive, "device_host_work_efficiency",
     "Device Host Work Efficiency", 1, Layer::kDeviceTime,
     place_of<&Metrics::additive,
              &AdditiveMetrics::device_host_work_efficiency>,
     additive::device_idle<HostPart::kUseful>,
     additive::loss<additive::device_idle<HostPart::kUseful>>},
    {Model::kAdditive, "device_mpi_efficiency", "Device MPI Efficiency", 1,
     Layer::kDeviceTime,
     place_of<&Metrics::additive, &AdditiveMetrics::device_mpi_efficiency>,
     additive::device_idle<HostPart::kMpi>,
     additive::loss<additive::device_idle<HostPart::kMpi>>},
    {Model::kAdditive, "device_openmp_efficiency", "Device OpenMP Efficiency",
     1, Layer::kDeviceTime,
     place_of<&Metrics::additive, &AdditiveMetrics::device_openmp_efficiency>,
     additive::device_idle<HostPart::kOpenMp>,
     additive::loss<additive::device_idle<HostPart::kOpenMp>>},
    {Model::kAdditive, "device_call_efficiency", "Device Call Efficiency", 1,
     Layer::kDeviceTime,
     place_of<&Metrics::additive, &AdditiveMetrics::device_call_efficiency>,
     additive::device_idle<HostPart::kAccelerator>,
     additive::loss<additive::device_idle<HostPart::kAccelerator>>},
    {Model::kAdditive, "device_rest_efficiency", "Device Rest Efficiency", 1,
     Layer::kDeviceTime,
     place_of<&Metrics::additive, &AdditiveMetrics::device_rest_efficiency>,
     additive::device_rest, additive::loss<additive::device_rest>},
};

}  // namespace poprt

#endif  // POPRT_MODEL_ADDITIVE_MODEL_H_
