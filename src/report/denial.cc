#include "report/denial.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "document/format.h"

namespace poprt {
namespace {

const char* name_of(Model model) {
  return model == Model::kMultiplicative ? "the multiplicative model"
         : model == Model::kAdditive     ? "the additive model"
         : model == Model::kWaiting ? "the critical path without waiting in MPI"
                                    : "the critical path";
}

std::string words_of(const Witness& witness, Layer layer) {
  const EventLayer of_program = event_layer(layer);
  const char* const name = entry_of(of_program).name;
  const std::string left = percent(std::max(0.0, witness.loss));
  const char* const by = name_of(witness.model);
  switch (witness.kind) {
    case Witness::Kind::kLayer:
      return fmt::format("all of {} {} % by {}", name, left, by);
    case Witness::Kind::kTime:
      return fmt::format(
          "{} % of the core time was in {}{}", left, name,
          of_program == EventLayer::kMpi      ? " or without work meanwhile"
          : of_program == EventLayer::kOpenMp ? " or without work"
                                              : "");
    case Witness::Kind::kTransfer:
      return fmt::format("{} % by {}{}", left, by,
                         witness.model == Model::kMultiplicative
                             ? " (the former counts waiting in MPI for the "
                               "OpenMP of others)"
                             : "");
    case Witness::Kind::kTransferTime:
      return left +
             " % of the core time was transfer in MPI or without work "
             "meanwhile";
  }
  return "";
}

}  // namespace

std::string words_of(const Denial& denial) {
  return fmt::format("{} lost {} % by {}, but {}", denial.metric.label,
                     percent(denial.claimed), name_of(denial.metric.model),
                     words_of(denial.witness, denial.metric.layer));
}

std::string agreement_words(const RegionReport& region, const Metric& metric) {
  std::vector<std::string> names;
  for (const Model model : agreeing_models(region, metric)) {
    names.emplace_back(name_of(model));
  }
  if (names.empty()) return "";
  names[0][0] = 'T';  // "the ..."
  const bool is_of_devices = metric.layer == Layer::kDevices;
  return fmt::format("{} {} that it is {}.", listed(names),
                     names.size() == 1 ? "agrees" : "agree",
                     is_of_devices ? std::string("the accelerators'")
                                   : entry_of(event_layer(metric.layer)).name +
                                         std::string("'s"));
}

std::string belief(const Denial& denial) {
  return fmt::format(
      "Believe the latter: {} % of the time in MPI was waiting for partners "
      "that were late, which no faster communication makes shorter",
      percent(denial.waiting));
}

std::string denial_note(const JobReport& report, const RegionReport& region,
                        const std::vector<Metric>& metrics) {
  std::optional<Denial> largest;
  for (const Metric& metric : metrics) {
    const auto denial = denial_of(report, region, metric);
    if (!denial) continue;
    const auto weight = [](const Denial& each) {
      return std::pair(each.is_settled(), each.claimed);
    };
    if (!largest || weight(*denial) > weight(*largest)) largest = denial;
  }
  if (!largest) return "";
  std::string note = "the models do not agree on " + region.totals.name + ": " +
                     words_of(*largest) + ".";
  if (largest->is_settled()) note += " " + belief(*largest) + ".";
  return note;
}

}  // namespace poprt
