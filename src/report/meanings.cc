#include "report/meanings.h"

#include <fmt/format.h>

#include <string_view>

#include "document/format.h"
#include "model/present_rows.h"
#include "model/quantities.h"
#include "model/ratio.h"
#include "model/state_parts.h"

namespace poprt {
namespace {

constexpr double kMostly = 0.5;

const RegionTotals& totals_of(const LossOf& s) { return s.region.totals; }

double lost_in(const LossOf& s) { return s.loss.metric.value(s.region.losses); }

bool is_row(const LossOf& s, std::string_view key) {
  return s.loss.metric.key == key;
}

// Of one layer: the models agree on it.
bool is_of(const LossOf& s, Layer layer) {
  return !s.loss.denial && s.loss.metric.layer == layer;
}

bool is_little_io(const LossOf& s) {
  return is_of(s, Layer::kMpi) && io_share(totals_of(s)) >= kLeastShown &&
         !is_mostly_io(totals_of(s));
}

double io_ns(const LossOf& s) {
  return static_cast<double>(amount(totals_of(s), kMpiIo));
}

// One process that reads or writes can make all others wait.
bool may_be_waits_for_io(const LossOf& s) {
  const double lost = lost_in(s) * static_cast<double>(totals_of(s).all_ns);
  return is_little_io(s) && is_mpi_itself(s.loss.metric) &&
         io_ns(s) >= kMostly * lost;
}

bool is_more_io(const LossOf& s) {
  return io_ns(s) > state_parts::mpi_transfer(totals_of(s)) - io_ns(s);
}

double inside_share(const LossOf& s) {
  return ratio(static_cast<double>(amount(totals_of(s), kMpiInside)),
               static_cast<double>(totals_of(s).mpi_sum_ns));
}

// Unequal work of threads, outside and inside of parallel regions, as shares of
// the core time.
bool is_unequal_threads(const LossOf& s) {
  return is_of(s, Layer::kOpenMp) && is_row(s, "openmp_load_balance") &&
         !is_mostly_serialised(totals_of(s));
}

double lost_outside(const LossOf& s) {
  return ratio(state_parts::openmp_serial(totals_of(s)),
               static_cast<double>(core_ns(totals_of(s)))) -
         layer_times(s.region).idle_during_mpi;
}

double lost_inside(const LossOf& s) {
  return ratio(state_parts::openmp_imbalance(totals_of(s)),
               static_cast<double>(core_ns(totals_of(s))));
}

bool is_outside(const LossOf& s) {
  return is_unequal_threads(s) && lost_outside(s) >= lost_inside(s) &&
         lost_outside(s) >= kMostly * lost_in(s);
}

// Whether most of a loss by unequal work of processes on several nodes is in
// its part with this end.
bool is_mostly_part(const LossOf& s, std::string_view end) {
  if (s.report.totals.hosts.size() < 2 || s.loss.denial) return false;
  for (const Metric& part : shown_metrics(s.report, s.loss.metric.model)) {
    const std::string_view key = part.key;
    if (key.starts_with(s.loss.metric.key) && key.ends_with(end)) {
      return part.value(s.region.losses) >= kMostly * lost_in(s);
    }
  }
  return false;
}

// TALP's row that contains threads without work: most of them may wait for MPI.
bool may_be_idle_in_mpi(const LossOf& s) {
  return s.report.totals.has_mpi &&
         is_row(s, "openmp_serialization_efficiency");
}

bool is_idle_outside_mpi(const LossOf& s) {
  return 2 * totals_of(s).talp_mpi_worker_idle_ns <
         totals_of(s).talp_omp_serial_ns;
}

std::string io_percent(const LossOf& s) {
  return percent(io_share(totals_of(s)));
}

constexpr Sentence<LossOf> kMeanings[] = {
    {"cause", [](const LossOf& s) { return s.loss.metric.cause != nullptr; },
     [](const LossOf& s) { return std::string(s.loss.metric.cause); }},
    {"all_io",
     [](const LossOf& s) {
       return is_of(s, Layer::kMpi) && is_mostly_io(totals_of(s)) &&
              is_mpi_itself(s.loss.metric);
     },
     [](const LossOf& s) {
       return io_percent(s) +
              " % of the time in MPI is MPI-IO, reading and writing files";
     }},
    {"io_besides",
     [](const LossOf& s) {
       return is_of(s, Layer::kMpi) && is_mostly_io(totals_of(s)) &&
              !is_mpi_itself(s.loss.metric);
     },
     [](const LossOf& s) {
       return s.meaning + "; " + io_percent(s) +
              " % of the time in MPI is MPI-IO";
     }},
    {"more_io",
     [](const LossOf& s) { return may_be_waits_for_io(s) && is_more_io(s); },
     fixed<"time goes into reading and writing files">},
    {"waits_for_io", may_be_waits_for_io,
     [](const LossOf& s) {
       return s.meaning + "; " + io_percent(s) +
              " % of the time in MPI is MPI-IO, for which the others may wait";
     }},
    {"locks",
     [](const LossOf& s) {
       return is_of(s, Layer::kOpenMp) && is_mostly_serialised(totals_of(s));
     },
     [](const LossOf& s) {
       return fmt::format(
           "threads wait for locks, in critical or ordered regions, for "
           "dependences, or for one that is in a single or masked region, "
           "which is {} % of what parallel regions lose",
           percent(serialised_share(totals_of(s))));
     }},
    {"mpi_inside",
     [](const LossOf& s) {
       return is_of(s, Layer::kMpi) && inside_share(s) >= kMostly;
     },
     [](const LossOf& s) {
       return fmt::format(
           "{}; {} % of the time in MPI is inside parallel regions", s.meaning,
           percent(inside_share(s)));
     }},
    // Where another distribution of their work changes nothing.
    {"threads_outside", is_outside,
     fixed<"threads are idle outside of parallel regions, where only one "
           "works">},
    {"threads_inside",
     [](const LossOf& s) {
       return is_unequal_threads(s) && !is_outside(s) &&
              lost_inside(s) >= kMostly * lost_in(s);
     },
     fixed<"some threads have more work than others in parallel regions">},
    {"inside_nodes",
     [](const LossOf& s) { return is_mostly_part(s, "load_balance_in"); },
     [](const LossOf& s) { return s.meaning + ", mostly inside nodes"; }},
    {"between_nodes",
     [](const LossOf& s) {
       return is_mostly_part(s, "load_balance_out") &&
              !is_mostly_part(s, "load_balance_in");
     },
     [](const LossOf& s) { return s.meaning + ", mostly between nodes"; }},
    {"idle_or_in_mpi",
     [](const LossOf& s) {
       return may_be_idle_in_mpi(s) && is_idle_outside_mpi(s);
     },
     [](const LossOf& s) { return s.meaning + " or its process is in MPI"; }},
    {"idle_in_mpi",
     [](const LossOf& s) {
       return may_be_idle_in_mpi(s) && !is_idle_outside_mpi(s);
     },
     fixed<"threads idle while their process is in MPI (mpi_worker_idle)">},
    {"holds_accelerator",
     [](const LossOf& s) {
       return is_row(s, "transfer_efficiency") &&
              totals_of(s).accelerator_sum_ns > 0;
     },
     [](const LossOf& s) {
       return fmt::format(
           "time in MPI, in the OpenMP runtime and in calls to accelerators "
           "({} % of the core time) that is no imbalance of work",
           percent(ratio(accelerator_lost_ns(totals_of(s)),
                         static_cast<double>(core_ns(totals_of(s))))));
     }},
    {"unknown_calls", [](const LossOf& s) { return s.loss.unknown_calls > 0; },
     [](const LossOf& s) {
       return fmt::format(
           "whether calls waited or moved data is not known for {} % of the "
           "core time, because clocks did not come",
           percent(s.loss.unknown_calls));
     }},
};

}  // namespace

std::span<const Sentence<LossOf>> meanings() { return kMeanings; }

std::string meaning_of(const JobReport& report, const RegionReport& region,
                       const Loss& loss) {
  LossOf about = {report, region, loss, ""};
  for (const Sentence<LossOf>& each : kMeanings) {
    if (!each.is_true(about)) continue;
    about.meaning = each.words(about);
  }
  return about.meaning;
}

double io_share(const RegionTotals& region) {
  return region.mpi_sum_ns > 0 ? static_cast<double>(amount(region, kMpiIo)) /
                                     static_cast<double>(region.mpi_sum_ns)
                               : 0;
}

bool is_mostly_io(const RegionTotals& region) {
  return io_share(region) >= kMostly;
}

double serialised_share(const RegionTotals& region) {
  const int64_t lost = region.openmp_weighted_ns -
                       (region.useful_sum_ns - region.serial_sum_ns) -
                       amount(region, kAcceleratorInside);
  return lost > 0 ? static_cast<double>(amount(region, kOpenMpSerialised)) /
                        static_cast<double>(lost)
                  : 0;
}

bool is_mostly_serialised(const RegionTotals& region) {
  return serialised_share(region) >= kMostly;
}

bool is_mpi_itself(const Metric& metric) {
  return metric.key == std::string_view("mpi_transfer_efficiency") ||
         metric.key == std::string_view("mpi_communication_efficiency");
}

}  // namespace poprt
