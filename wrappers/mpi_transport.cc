#include "wrappers/mpi_transport.h"

#include <string>

#include "runtime/lifecycle.h"
#include "runtime/transport.h"
#include "wrappers/clock_exchange.h"
#include "wrappers/comms.h"

namespace poprt::mpi {
namespace {

// A binomial tree: in each step half of the processes send what they have and
// are done.
class MpiTransport final : public Transport {
 public:
  explicit MpiTransport(const CommInfo* world) : world_(world) {}

  bool combine_all(JobTotals* totals) override {
    if (world_ == nullptr) return true;  // one process
    for (int step = 1; step < world_->size; step *= 2) {
      if ((world_->rank & step) != 0) {
        send(serialise(*totals), world_->rank - step);
        return false;
      }
      if (world_->rank + step < world_->size) {
        JobTotals other;
        if (deserialise(receive(world_->rank + step), &other)) {
          *totals = combine(std::move(*totals), other);
        } else {
          totals->quality.notes.push_back(
              "the totals of some processes are missing");
        }
      }
    }
    return true;
  }

 private:
  // Above all tags of clocks.
  static int tag() { return job().tag_limit + kOwnTags; }

  void send(const std::string& bytes, int dest) const {
    long long length = static_cast<long long>(bytes.size());
    pmpi().Send(&length, sizeof length, pmpi().byte, dest, tag(),
                world_->shadow);
    pmpi().Send(bytes.data(), static_cast<int>(length), pmpi().byte, dest,
                tag(), world_->shadow);
  }

  std::string receive(int source) const {
    long long length = 0;
    std::string bytes;
    if (pmpi().Recv(&length, sizeof length, pmpi().byte, source, tag(),
                    world_->shadow, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
      return bytes;
    }
    bytes.resize(static_cast<size_t>(length));
    pmpi().Recv(bytes.data(), static_cast<int>(length), pmpi().byte, source,
                tag(), world_->shadow, MPI_STATUS_IGNORE);
    return bytes;
  }

  const CommInfo* const world_;
};

}  // namespace

void finish(Thread& thread) {
  MpiThread* const mpi =
      thread.mpi == nullptr ? nullptr : static_cast<MpiThread*>(thread.mpi);
  if (mpi != nullptr) drain_last(*mpi);
  for (MpiThread* other : job().threads) {
    forget_late(*other);
    thread.process().clock_messages.add(other->messages);
    const int64_t each = other->timed == 0 ? 0 : other->timed_ns / other->timed;
    thread.process().message_overhead_ns.add(other->messages * each);
  }
  MpiTransport transport(job().everybody);
  lifecycle::mpi_finishing(thread, transport);
  take_unwanted();
  for (MpiThread* other : job().threads) forget_sends(*other);
  if (job().everybody != nullptr) release_comm(job().everybody);
  pmpi().Group_free(&job().world);
  tear_down_exchange();
}

}  // namespace poprt::mpi
