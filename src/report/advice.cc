#include "report/advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "document/format.h"
#include "report/denial.h"
#include "report/meanings.h"

namespace poprt {
namespace {

template <const char* kKey>
bool is_part_of_accelerator(const Advised& s) {
  return s.metric.model == Model::kAdditive &&
         s.metric.key == std::string_view(kKey);
}
constexpr char kWaitingKey[] = "accelerator_waiting_efficiency";
constexpr char kCopyingKey[] = "accelerator_copying_efficiency";
constexpr char kLaunchingKey[] = "accelerator_launching_efficiency";

bool is_of_mpi(const Metric& metric) {
  return metric.layer == Layer::kMpi ||
         metric.key == std::string_view("transfer_efficiency");
}

constexpr Sentence<Advised> kAdvice[] = {
    {"do_not_agree", [](const Advised& s) { return s.denial.has_value(); },
     [](const Advised& s) {
       return "The models of this run do not agree: " + words_of(*s.denial) +
              ".";
     }},
    {"compare_models",
     [](const Advised& s) { return s.denial && !s.denial->is_settled(); },
     fixed<"Compare them (poprt report --model all) before you change "
           "anything.">},
    {"believe_one",
     [](const Advised& s) { return s.denial && s.denial->is_settled(); },
     [](const Advised& s) { return belief(*s.denial) + "."; }},
    {"fewer_accesses",
     [](const Advised& s) {
       return is_of_mpi(s.metric) && is_mostly_io(s.region.totals);
     },
     [](const Advised& s) {
       return fmt::format(
           "{} % of the time in MPI is MPI-IO: fewer and larger accesses, "
           "collective ones (MPI_File_write_all), fewer processes that write, "
           "hints and stripes of the file system.",
           percent(io_share(s.region.totals)));
     }},
    {"shorter_locks",
     [](const Advised& s) {
       return s.metric.layer == Layer::kOpenMp &&
              is_mostly_serialised(s.region.totals);
     },
     [](const Advised& s) {
       return fmt::format(
           "{} % of what parallel regions lose is waits for locks, critical or "
           "ordered regions, dependences, or a thread in a single or masked "
           "region: make these shorter or rarer. For locks, use atomic or "
           "reduction, more locks, or data of each thread's own. For single "
           "and masked, share that work, or let the others go on meanwhile "
           "(nowait, tasks).",
           percent(serialised_share(s.region.totals)));
     }},
    {"work_meanwhile", is_part_of_accelerator<kWaitingKey>,
     fixed<"Let the cores work while the device does: wait later (nowait, "
           "streams), or give them a part of the work.">},
    {"copy_less", is_part_of_accelerator<kCopyingKey>,
     fixed<"Keep data on the device (target data), copy only what has changed, "
           "or copy asynchronously from pinned memory.">},
    {"launch_less", is_part_of_accelerator<kLaunchingKey>,
     fixed<"Use fewer and larger kernels, or graphs of them, and allocate "
           "memory of the device once.">},
};

}  // namespace

Advised advised(const JobReport& report, const RegionReport& region,
                const Metric& metric) {
  for (const Metric& each : all_metrics()) {
    if (each != metric && row_of_both_layers(each) != metric) continue;
    if (auto denial = denial_of(report, region, each)) {
      return {region, metric, denial};
    }
  }
  return {region, metric, std::nullopt};
}

std::span<const Sentence<Advised>> advice_sentences() { return kAdvice; }

std::string advice(const JobReport& report, const RegionReport& region,
                   const Metric& metric) {
  return fmt::format(
      "{}", fmt::join(said(advice_sentences(), advised(report, region, metric)),
                      " "));
}

}  // namespace poprt
