#include "modules/energy/node_energy.h"

#include "base/mutex.h"
#include "measure/due_work.h"
#include "measure/process.h"
#include "measure/time_source.h"
#include "model/noted.h"
#include "modules/energy/powercap.h"

namespace poprt::modules::energy {
namespace {

// Every process of a node reads the same counters. The total of a node is the
// largest of what its processes have seen, which is that of the one that was
// measured longest.
class NodeEnergy final : public TotalsPart, public DueWork {
 public:
  explicit NodeEnergy(const EnergySum& sum) : sum_(sum) {}

  void add_to(const std::vector<Thread*>&, int64_t now_ns,
              JobTotals* job) const override {
    const Interval energy = read_at(now_ns);
    if (job->hosts.empty()) return;
    if (energy.why != nullptr) {
      job->quality.notes.push_back(
          noted<"energy_of_node">(job->hosts.front().name, energy.why));
    } else {
      job->hosts.front().energy_uj = energy.uj;
      job->hosts.front().energy_is_least = energy.is_least;
    }
  }
  void restart(const std::vector<Thread*>&) const override {
    const MutexLock lock(mutex_);
    if (lock.held()) sum_.restart(now_ns());
  }
  void add_while_running(const std::vector<Thread*>& threads, int64_t now,
                         JobTotals* job) const override {
    add_to(threads, now, job);
  }
  int64_t work(int64_t now_ns) override {
    read_at(now_ns);
    return now_ns + sum_.period_ns();
  }

 private:
  Interval read_at(int64_t now_ns) const {
    const MutexLock lock(mutex_);
    if (lock.held()) sum_.read(now_ns);
    return sum_.sum();
  }

  mutable Mutex mutex_;
  mutable EnergySum sum_;  // protected by the mutex
};

}  // namespace

void start_in(const std::string& folder, const Options& options,
              Started* started) {
  const int64_t begin_ns = now_ns();
  const EnergySum sum(folder, begin_ns);
  if (const char* const why = sum.sum().why) {
    if (options.energy) {
      started->notes.push_back(noted<"energy_not_there">(why));
    }
    return;
  }
  // Lives as long as the process.
  auto* const part = new NodeEnergy(sum);
  started->parts.push_back(part);
  if (sum.period_ns() < INT64_MAX) {
    do_when_due(*part, begin_ns + sum.period_ns());
  }
}

void start(const Options& options, Started* started) {
  start_in(kPowercap, options, started);
}

}  // namespace poprt::modules::energy
