#include "model/quantities.h"

#include <algorithm>

#include "model/ratio.h"

namespace poprt {
namespace {

constexpr std::string_view kSum = "_sum";
constexpr std::string_view kMax = "_max";
constexpr std::string_view kCounter = "counter/";

auto place_in(std::string_view name, const std::vector<Amount>& amounts) {
  return std::lower_bound(
      amounts.begin(), amounts.end(), name,
      [](const Amount& a, std::string_view b) { return a.name < b; });
}

}  // namespace

std::string counter_amount(std::string_view counter) {
  return std::string(kCounter) + std::string(counter);
}

std::string_view counter_in(std::string_view name) {
  return name.starts_with(kCounter) ? name.substr(kCounter.size())
                                    : std::string_view();
}

bool has_counters(const std::vector<Amount>& amounts) {
  return std::any_of(amounts.begin(), amounts.end(), [](const Amount& amount) {
    return !counter_in(amount.name).empty();
  });
}

bool is_of_one_process(const Resource& resource) {
  return !is_maximum(resource.name) && &resource != &kCrowdedProcesses;
}

std::string row_name(std::string_view name) {
  std::string row(name);
  const size_t at = row.rfind(kSum);
  return at == std::string::npos ? row : row.erase(at, kSum.size());
}

bool is_maximum(std::string_view name) {
  return counter_in(name).empty() && name.rfind(kMax) != std::string_view::npos;
}

bool has_amount(const std::vector<Amount>& amounts, std::string_view name) {
  const auto found = place_in(name, amounts);
  return found != amounts.end() && found->name == name;
}

double known_amount(const std::vector<Amount>& amounts, std::string_view name) {
  return has_amount(amounts, name) ? static_cast<double>(amount(amounts, name))
                                   : kUndefined;
}

int64_t amount(const std::vector<Amount>& amounts, std::string_view name) {
  return has_amount(amounts, name) ? place_in(name, amounts)->value : 0;
}

bool works_off_the_line(const RegionTotals& region) {
  constexpr double kWorthIt = 0.005;
  return static_cast<double>(amount(region, kOpenMpOtherTeams)) >
         kWorthIt * static_cast<double>(region.elapsed_weighted_ns);
}

double counted(const std::vector<Amount>& amounts, std::string_view counter) {
  return known_amount(amounts, counter_amount(counter));
}

void set_amount(std::string_view name, int64_t value,
                std::vector<Amount>* amounts) {
  const auto at =
      amounts->begin() + (place_in(name, *amounts) - amounts->cbegin());
  if (at != amounts->end() && at->name == name) {
    at->value = value;
  } else {
    amounts->insert(at, {std::string(name), value});
  }
}

}  // namespace poprt
