// The tables of BasicAnalysis (hybrid version).  Names of rows, their order,
// separators and digits are BasicAnalysis's own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "compare/reference.h"
#include "exchange/formats.h"
#include "model/ratio.h"
#include "report/heading.h"

namespace poprt {
namespace {

// For what the runs do not have, and for what cannot be computed from them.
constexpr char kNotAvailable[] = "Non-Avail";
constexpr char kNotANumber[] = "NaN";

// A run compared with the first one; a single run has no comparison.
struct Column {
  bool single;
  const JobReport* run;
  const RegionReport* global;
  ScalingMetrics scaling;
};

struct Row {
  const char* label;
  std::function<double(const Column&)> value;  // as a fraction
  const char* undefined = kNotAvailable;       // what is written for NaN
};

ScalingMetrics of_a_single_run() {
  ScalingMetrics none;
  none.load_increase_factor = none.speedup = none.speedup_efficiency =
      none.computation_scaling = none.instruction_scaling = none.ipc_scaling =
          none.frequency_scaling = none.average_ipc = none.average_frequency =
              kUndefined;
  return none;
}

std::vector<Column> columns_of(const std::vector<JobReport>& reports,
                               Scaling scaling, const Load& load) {
  std::vector<const JobReport*> runs;
  for (const JobReport& report : reports) runs.push_back(&report);
  // By cores, then in the given order.
  std::sort(runs.begin(), runs.end(), [](const auto* a, const auto* b) {
    return std::pair(a->totals.threads, a) < std::pair(b->totals.threads, b);
  });
  // The first that may be one; without any, nothing is compared.
  const auto reference = std::ranges::find_if(
      runs, [](const auto* run) { return why_no_reference(*run).empty(); });
  const Work compared =
      reference == runs.end() ? median_of({}) : work_of(**reference, load);
  std::vector<Column> columns;
  for (const JobReport* run : runs) {
    const bool single = runs.size() == 1;
    columns.push_back(
        {single, run, global_region(*run),
         single ? of_a_single_run()
                : scaling_of(work_of(*run, load), compared, scaling)});
  }
  return columns;
}

template <auto kModel, auto kMember>
double metric(const Column& column) {
  return column.global->metrics.*kModel.*kMember;
}
template <auto kMember>
constexpr auto pop = metric<&Metrics::pop, kMember>;
template <auto kMember>
constexpr auto hybrid = metric<&Metrics::multiplicative, kMember>;

double not_available(const Column&) { return kUndefined; }

// A single run is its own reference.
double global_efficiency_of(const Column& c) {
  const double parallel = c.global->metrics.pop.parallel_efficiency;
  return c.single ? parallel
                  : global_efficiency(parallel, c.scaling.computation_scaling);
}

std::vector<Row> global_rows(bool single) {
  const char* const undefined = single ? kNotAvailable : kNotANumber;
  return {
      {"Global efficiency", global_efficiency_of, undefined},
      {"-- Parallel efficiency", pop<&PopMetrics::parallel_efficiency>},
      {"   -- Load balance", pop<&PopMetrics::load_balance>},
      {"   -- Communication efficiency",
       pop<&PopMetrics::communication_efficiency>},
      {"      -- Serialization efficiency",
       pop<&PopMetrics::serialisation_efficiency>},
      {"      -- Transfer efficiency", pop<&PopMetrics::transfer_efficiency>},
      {"-- Computation scalability",
       [](const Column& c) { return c.scaling.computation_scaling; },
       undefined},
      {"   -- IPC scalability",
       [](const Column& c) { return c.scaling.ipc_scaling; }},
      {"   -- Instruction scalability",
       [](const Column& c) { return c.scaling.instruction_scaling; }},
      {"   -- Frequency scalability",
       [](const Column& c) { return c.scaling.frequency_scaling; }},
  };
}

std::vector<Row> hybrid_rows() {
  using M = MultiplicativeMetrics;
  return {
      {"-- Hybrid Parallel efficiency", hybrid<&M::parallel_efficiency>},
      {"   -- MPI Parallel efficiency", hybrid<&M::mpi_parallel_efficiency>},
      {"      -- MPI Load balance", hybrid<&M::mpi_load_balance>},
      {"      -- MPI Communication efficiency",
       hybrid<&M::mpi_communication_efficiency>},
      {"         -- MPI Serialization efficiency",
       hybrid<&M::mpi_serialisation_efficiency>},
      {"         -- MPI Transfer efficiency",
       hybrid<&M::mpi_transfer_efficiency>},
      {"   -- OpenMP Parallel efficiency",
       hybrid<&M::openmp_parallel_efficiency>},
      {"      -- OpenMP Load balance", hybrid<&M::openmp_load_balance>},
      {"      -- OpenMP Communication efficiency",
       hybrid<&M::openmp_communication_efficiency>},
  };
}

std::vector<Row> other_rows() {
  const auto seconds = [](const Column& c) {
    return run_time_ns(*c.run, *c.global) / 1e9;
  };
  // Of the run time of all cores: parts of the run outside of Global count.
  const auto mpi_io = [](const Column& c) {
    return 100 * c.global->metrics.io.mpi_io_share;
  };
  const auto posix_io = [](const Column& c) {
    return 100 * c.global->metrics.io.posix_io_share;
  };
  const auto io_efficiency = [](const Column& c) {
    return 100 * c.global->metrics.io.file_io_efficiency;
  };
  return {
      {"Elapsed time (sec)", seconds},
      {"Efficiency",
       [](const Column& c) { return c.scaling.speedup_efficiency; }},
      {"Speedup", [](const Column& c) { return c.scaling.speedup; }},
      {"Average IPC", metric<&Metrics::computation, &ComputationMetrics::ipc>},
      {"Average frequency (GHz)",
       metric<&Metrics::computation, &ComputationMetrics::frequency>},
      {"Flushing (%)", not_available},
      {"MPI I/O (%)", mpi_io},
      {"POSIX I/O (%)", posix_io},
      {"I/O Efficiency (%)", io_efficiency},
  };
}

std::string cell(const Row& row, const Column& column, double unit,
                 int digits) {
  const double value = row.value(column);
  return std::isfinite(value) ? fmt::format("{:.{}f}", unit * value, digits)
                              : row.undefined;
}

// In modelfactors.csv names have four blanks less at the front.
std::string with_less_blanks(std::string label) {
  for (int i = 0; i < 2; ++i) {
    const size_t pair = label.find("  ");
    if (pair != std::string::npos) label.erase(pair, 2);
  }
  return label;
}

// "768 (64x12)".  If several runs have the same configuration, the n-th one
// ends in " [n]".
std::vector<std::string> labels_of(const std::vector<Column>& columns) {
  std::vector<std::string> labels;
  for (const Column& column : columns) {
    const JobTotals& job = column.run->totals;
    std::string label = fmt::format("{}", job.threads);
    if (job.has_openmp) {
      label += job.threads_min == job.threads_max
                   ? " (" + file_shape(job) + ")"
                   : fmt::format(" ({}xvar)", job.processes);
    }
    labels.push_back(label);
  }
  std::vector<std::string> result = labels;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (std::count(labels.begin(), labels.end(), labels[i]) > 1) {
      result[i] += fmt::format(" [{}]", i + 1);
    }
  }
  return result;
}

std::string efficiency_table(const std::vector<Column>& columns,
                             const std::vector<Row>& rows) {
  std::string text = "\"Metric\"";
  for (const std::string& label : labels_of(columns)) text += "," + label;
  text += "\n";
  for (const Row& row : rows) {
    text += fmt::format("\"{}\"", row.label);
    for (const Column& c : columns) text += "," + cell(row, c, 100, 2);
    text += "\n";
  }
  return text;
}

std::string process_line(const std::vector<Column>& columns,
                         const std::string& label) {
  std::string text = label;
  for (const Column& c : columns) {
    text += fmt::format(";{}", c.run->totals.threads);
  }
  return text + "\n";
}

std::string model_factors(const std::vector<Column>& columns) {
  std::string text = process_line(columns, "\"Number of processes\"");
  for (const std::vector<Row>& rows :
       {global_rows(columns.front().single), hybrid_rows()}) {
    for (const Row& row : rows) {
      text += "\"" + with_less_blanks(row.label) + "\"";
      for (const Column& c : columns) text += ";" + cell(row, c, 100, 6);
      text += "\n";
    }
  }
  return text + "#\n";
}

std::string other_metrics(const std::vector<Column>& columns) {
  std::string text = process_line(columns, "Number of processes");
  for (const Row& row : other_rows()) {
    text += row.label;
    for (const Column& c : columns) text += ";" + cell(row, c, 1, 6);
    text += "\n";
  }
  return text + "#\n";
}

}  // namespace

std::vector<ExportedFile> basic_analysis_files(
    const std::vector<JobReport>& reports, Scaling scaling, const Load& load) {
  const std::vector<Column> columns = columns_of(reports, scaling, load);
  return {
      {"modelfactors.csv", model_factors(columns)},
      {"efficiency_table_global.csv",
       efficiency_table(columns, global_rows(columns.front().single))},
      {"efficiency_table_hybrid.csv", efficiency_table(columns, hybrid_rows())},
      {"other_metrics.csv", other_metrics(columns)}};
}

}  // namespace poprt
