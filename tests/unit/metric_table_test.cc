#include "model/metric_table.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "unit/has.h"

namespace poprt {
namespace {

using Keys = std::vector<std::string>;

std::map<std::string, Keys> keys_by_model() {
  std::map<std::string, Keys> keys;
  for (const Metric& metric : all_metrics()) {
    keys[key_of(metric.model)].push_back(metric.key);
  }
  return keys;
}

TEST(MetricTable, HasTheKeysOfTheSpecification) {
  const Keys pop = {"parallel_efficiency",      "load_balance",
                    "load_balance_in",          "load_balance_out",
                    "communication_efficiency", "serialisation_efficiency",
                    "transfer_efficiency"};
  Keys critical_path = pop;
  for (const std::string& key : pop) critical_path.push_back("mpi_" + key);
  for (const std::string& key : pop) {
    // Threads of a process are on one node.
    if (key == "load_balance_in" || key == "load_balance_out") continue;
    critical_path.push_back("openmp_" + key);
  }
  const std::map<std::string, Keys> expected = {
      {"pop", pop},
      {"critical_path", critical_path},
      {"multiplicative",
       {"parallel_efficiency", "load_balance", "load_balance_in",
        "load_balance_out", "communication_efficiency",
        "mpi_parallel_efficiency", "mpi_load_balance", "mpi_load_balance_in",
        "mpi_load_balance_out", "mpi_communication_efficiency",
        "mpi_serialisation_efficiency", "mpi_transfer_efficiency",
        "accelerator_parallel_efficiency", "accelerator_load_balance",
        "accelerator_communication_efficiency", "openmp_parallel_efficiency",
        "openmp_load_balance", "openmp_communication_efficiency"}},
      {"additive",
       {"parallel_efficiency",
        "process_efficiency",
        "process_load_balance",
        "process_load_balance_in",
        "process_load_balance_out",
        "process_communication_efficiency",
        "process_transfer_efficiency",
        "process_serialisation_efficiency",
        "thread_efficiency",
        "openmp_region_efficiency",
        "openmp_region_load_balance",
        "openmp_region_serialisation_efficiency",
        "openmp_region_mpi_efficiency",
        "openmp_region_scheduling_efficiency",
        "openmp_region_start_efficiency",
        "openmp_region_accelerator_efficiency",
        "serial_region_efficiency",
        "accelerator_efficiency",
        "accelerator_waiting_efficiency",
        "accelerator_copying_efficiency",
        "accelerator_launching_efficiency",
        "device_parallel_efficiency",
        "device_copy_efficiency",
        "device_host_work_efficiency",
        "device_mpi_efficiency",
        "device_openmp_efficiency",
        "device_call_efficiency",
        "device_rest_efficiency"}},
      {"talp",
       {"parallel_efficiency", "mpi_parallel_efficiency",
        "mpi_communication_efficiency", "mpi_load_balance",
        "mpi_load_balance_in", "mpi_load_balance_out",
        "openmp_parallel_efficiency", "openmp_serialization_efficiency",
        "openmp_load_balance", "openmp_scheduling_efficiency",
        "device_offload_efficiency", "device_parallel_efficiency",
        "device_load_balance", "device_communication_efficiency",
        "device_orchestration_efficiency"}},
      {"computation",
       {"instructions",
        "ipc",
        "opc",
        "frequency",
        "fp_operations",
        "fp_operations_per_cycle",
        "vectorisation_efficiency",
        "vectorisation_intensity",
        "vectorisation_ratio",
        "single_count_per_instruction",
        "single_operations",
        "single_vectorisation_ratio",
        "single_scalar_ratio",
        "single_sse_ratio",
        "single_avx_ratio",
        "single_avx512_ratio",
        "double_count_per_instruction",
        "double_operations",
        "double_vectorisation_ratio",
        "double_scalar_ratio",
        "double_sse_ratio",
        "double_avx_ratio",
        "double_avx512_ratio"}},
      {"io",
       {"parallel_efficiency_io_lost", "file_io_efficiency",
        "mpi_io_efficiency", "posix_io_efficiency",
        "parallel_efficiency_io_useful", "mpi_io_share", "mpi_io_read_bytes",
        "mpi_io_written_bytes", "mpi_io_calls", "mpi_io_bandwidth",
        "posix_io_share", "posix_io_read_bytes", "posix_io_written_bytes",
        "posix_io_calls", "posix_io_bandwidth"}},
      {"mpi_time",
       {"mpi_share", "mpi_waiting_share", "mpi_transfer_share",
        "mpi_unknown_share"}},
      {"waiting", critical_path},
  };
  EXPECT_EQ(expected, keys_by_model());
}

TEST(MetricTable, ReadsEachMemberOnce) {
  // As many doubles as there are rows, each with its own value.
  const auto table = all_metrics();
  ASSERT_EQ(sizeof(Metrics), table.size() * sizeof(double));
  Metrics metrics;
  double values[sizeof(Metrics) / sizeof(double)] = {};
  for (size_t i = 0; i < table.size(); ++i) values[i] = static_cast<double>(i);
  std::memcpy(&metrics, values, sizeof metrics);
  std::set<double> read;
  for (const Metric& metric : table) read.insert(metric.value(metrics));
  EXPECT_EQ(table.size(), read.size());
}

TEST(MetricTable, IsInTheOrderOfModelsAndDeepensByOneAtATime) {
  const auto table = all_metrics();
  size_t model = 0;
  for (size_t i = 0; i < table.size(); ++i) {
    if (table[i].model != kModels[model]) {
      ASSERT_EQ(kModels[++model], table[i].model);
    }
    const bool first = i == 0 || table[i - 1].model != table[i].model;
    // A metric that is not an efficiency is in no hierarchy, and rows of
    // devices are in one of their own.
    const bool is_first_of_devices = table[i].layer == Layer::kDeviceTime &&
                                     table[i - 1].layer != Layer::kDeviceTime;
    EXPECT_EQ(first || is_first_of_devices || !table[i].is_efficiency(),
              table[i].depth == 0);
    if (!first) {
      EXPECT_LE(table[i].depth, table[i - 1].depth + 1);
    }
  }
}

TEST(MetricTable, HasTheMetricsOfAModelTogether) {
  std::vector<std::string> by_model;
  for (const Model model : kModels) {
    for (const Metric& metric : metrics_in(model)) {
      EXPECT_EQ(model, metric.model) << metric.key;
      by_model.push_back(metric.key);
    }
  }
  std::vector<std::string> all;
  for (const Metric& metric : all_metrics()) all.push_back(metric.key);
  EXPECT_EQ(all, by_model);
}

TEST(MetricTable, NamesCausesAtTheBottomOfEachUsualModelAndForBothLayers) {
  for (const Model model : {Model::kCriticalPath, Model::kTalp}) {
    const auto metrics = metrics_in(model);
    for (size_t i = 0; i < metrics.size(); ++i) {
      const bool has_rows_below =
          i + 1 < metrics.size() && metrics[i + 1].depth > metrics[i].depth;
      const std::string key = metrics[i].key;
      // What devices lost has sentences of its own.
      if (metrics[i].layer == Layer::kDeviceTime) {
        EXPECT_EQ(nullptr, metrics[i].cause) << key;
        continue;
      }
      // The two parts of a load balance are not causes by themselves.
      const bool is_part = key.ends_with("_in") || key.ends_with("_out");
      const bool is_cause =
          key.ends_with("load_balance") || (!has_rows_below && !is_part);
      EXPECT_EQ(is_cause, metrics[i].cause != nullptr) << key;
    }
  }
}

TEST(MetricTable, HasAShortLabelForEachEfficiency) {
  for (const Metric& metric : all_metrics()) {
    const bool is_named_so =
        metric.is_efficiency() &&
        std::string_view(metric.key).ends_with("_efficiency");
    EXPECT_EQ(is_named_so, metric.label != short_label(metric)) << metric.key;
  }
}

TEST(MetricTable, NamesTheLayersOfModelsThatHaveRowsForEach) {
  EXPECT_EQ("Hybrid, critical path", label_of(Model::kCriticalPath));
  EXPECT_EQ("MPI, critical path", label_of(Model::kCriticalPath, "MPI"));
  EXPECT_EQ("TALP", label_of(Model::kTalp, "MPI"));
}

}  // namespace
}  // namespace poprt
