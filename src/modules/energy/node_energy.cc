#include "modules/energy/node_energy.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "measure/process.h"
#include "measure/time_source.h"
#include "modules/energy/powercap.h"

namespace poprt::modules::energy {
namespace {

// Every process of a node reads the same counters. The total of a node is the
// largest of what its processes have seen, which is that of the one that was
// measured longest.
class NodeEnergy final : public TotalsPart {
 public:
  NodeEnergy(std::string folder, std::vector<PackageReading> first)
      : folder_(std::move(folder)),
        before_(std::move(first)),
        begin_ns_(now_ns()) {}

  void add_to(const std::vector<Thread*>&, int64_t now_ns,
              JobTotals* job) const override {
    const int64_t ns = std::max(now_ns - begin_ns_, int64_t{0});
    const Energy energy = energy_between(before_, read_packages(folder_), ns);
    if (job->hosts.empty()) return;
    if (energy.why != nullptr) {
      job->quality.notes.push_back("no energy of " + job->hosts.front().name +
                                   ": " + energy.why);
    } else {
      job->hosts.front().energy_uj = energy.uj;
    }
  }
  int64_t overhead_ps(const Thread&) const override { return 0; }
  void restart(const std::vector<Thread*>&) const override {
    before_ = read_packages(folder_);
    begin_ns_ = now_ns();
  }

 private:
  const std::string folder_;
  // Set by the thread that starts measurement, before there are others.
  mutable std::vector<PackageReading> before_;
  mutable int64_t begin_ns_;
};

}  // namespace

void start_in(const std::string& folder, const Options& options,
              Started* started) {
  std::vector<PackageReading> first = read_packages(folder);
  const Energy readable = energy_between(first, first, 0);
  if (readable.why == nullptr) {
    // Lives as long as the process.
    started->parts.push_back(new NodeEnergy(folder, std::move(first)));
  } else if (options.energy) {
    started->notes.push_back(std::string("no energy: ") + readable.why +
                             " here (poprt doctor says more)");
  }
}

void start(const Options& options, Started* started) {
  start_in(kPowercap, options, started);
}

}  // namespace poprt::modules::energy
