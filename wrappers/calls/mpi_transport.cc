#include "wrappers/calls/mpi_transport.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/memory.h"
#include "model/noted.h"
#include "session/lifecycle.h"
#include "session/transport.h"
#include "wrappers/edges/clock_exchange.h"
#include "wrappers/edges/comms.h"
#include "wrappers/edges/own_tags.h"

// Defined by the generated wrappers.
extern "C" int poprt_MPI_Barrier(MPI_Comm comm);

namespace poprt::mpi {
namespace {

// Empty if that is not possible: the receivers still need a message.
std::string bytes_of(const JobTotals& totals) {
  std::string bytes;
  (void)outcome_with_room([&] { bytes = serialise(totals); });
  return bytes;
}

bool take(const std::string& bytes, JobTotals* totals) {
  bool taken = false;
  return outcome_with_room([&] { taken = deserialise(bytes, totals); }) ==
             Outcome::kDone &&
         taken;
}

void add(const std::string& bytes, JobTotals* totals) {
  const Outcome outcome = outcome_with_room([&] {
    JobTotals other;
    if (!deserialise(bytes, &other)) {
      totals->quality.notes.push_back(noted<"totals_unreadable">());
      return;
    }
    JobTotals sum = combine(*totals, other);
    *totals = std::move(sum);
  });
  note_lost(outcome, totals);
}

// A binomial tree: in each step half of the remaining processes send their
// totals and are done.
class MpiTransport final : public Transport {
 public:
  MpiTransport(const CommInfo* world, int piece_bytes)
      : world_(world), piece_bytes_(piece_bytes) {}

  int64_t rank() const override { return world_ == nullptr ? 0 : world_->rank; }

  bool combine_all(JobTotals* totals) override {
    if (world_ == nullptr) return true;  // one process
    for (Metadata& entry : totals->metadata) entry.process = world_->rank;
    for (int step = 1; step < world_->size; step *= 2) {
      if ((world_->rank & step) != 0) {
        send(bytes_of(*totals), world_->rank - step);
        return false;
      }
      if (world_->rank + step < world_->size) {
        add(receive(world_->rank + step), totals);
      }
    }
    return true;
  }

  // Sends the result down the same tree.
  void combine_for_all(JobTotals* totals) override {
    combine_all(totals);
    if (world_ == nullptr) return;
    int step = 1;
    while (step < world_->size) step *= 2;
    for (step /= 2; step >= 1; step /= 2) {
      const int place = world_->rank % (2 * step);
      if (place == step && !take(receive(world_->rank - step), totals)) {
        *totals = JobTotals();
      }
      if (place == 0 && world_->rank + step < world_->size) {
        send(bytes_of(*totals), world_->rank + step);
      }
    }
  }

  void synchronise() override { poprt_MPI_Barrier(pmpi().comm_world); }

 private:
  // Higher than all tags of clocks.
  static int tag() { return job().before_own_tags + kOwnTags; }

  void send(const std::string& bytes, int dest) const {
    long long length = static_cast<long long>(bytes.size());
    pmpi().Send(&length, sizeof length, pmpi().byte, dest, tag(),
                world_->shadow);
    for_each_piece(bytes.size(), [&](size_t begin, int size) {
      pmpi().Send(bytes.data() + begin, size, pmpi().byte, dest, tag(),
                  world_->shadow);
    });
  }

  std::string receive(int source) const {
    long long length = 0;
    std::string bytes;
    if (pmpi().Recv(&length, sizeof length, pmpi().byte, source, tag(),
                    world_->shadow, MPI_STATUS_IGNORE) != MPI_SUCCESS ||
        length < 0) {
      return bytes;
    }
    const bool room = outcome_with_room([&] {
                        bytes.resize(static_cast<size_t>(length));
                      }) == Outcome::kDone;
    // Without memory the message is received all the same, truncated, or the
    // sender would wait.
    for_each_piece(static_cast<size_t>(length), [&](size_t begin, int size) {
      pmpi().Recv(room ? bytes.data() + begin : nullptr, room ? size : 0,
                  pmpi().byte, source, tag(), world_->shadow,
                  MPI_STATUS_IGNORE);
    });
    return bytes;
  }

  template <class Transfer>
  void for_each_piece(size_t bytes, Transfer transfer) const {
    const size_t most = static_cast<size_t>(piece_bytes_);
    for (size_t begin = 0; begin < bytes; begin += most) {
      transfer(begin, static_cast<int>(std::min(most, bytes - begin)));
    }
  }

  const CommInfo* const world_;
  const int piece_bytes_;
};

// Where some processes lack the library: nothing goes by MPI.  The last of the
// others that ends combines what all of them have left.
class RollTransport final : public Transport {
 public:
  int64_t rank() const override { return roll_call().rank(); }

  bool combine_all(JobTotals* totals) override {
    RollCall& roll = roll_call();
    for (Metadata& entry : totals->metadata) entry.process = roll.rank();
    if (!roll.leave(bytes_of(*totals))) return false;
    const std::vector<int> present = roll.ranks(true);
    for (const int rank : present) {
      if (rank != roll.rank()) add(roll.left_by(rank), totals);
    }
    totals->unmeasured_processes =
        roll.processes() - static_cast<int64_t>(present.size());
    forget_ranks(totals);
    totals->path = {};  // it went through the others, too
    return true;
  }

  // No call of the program for the whole job reaches the others.
  void combine_for_all(JobTotals*) override {}
  void synchronise() override {}
};

template <class Visit>
void for_each_thread(Visit visit) {
  for (MpiThread* thread = job().threads; thread != nullptr;
       thread = thread->next) {
    visit(*thread);
  }
}

}  // namespace

void note_lost(Outcome outcome, JobTotals* totals) {
  if (outcome == Outcome::kDone) return;
  attempt_with_memory([&] {
    totals->quality.notes.push_back(noted<"totals_no_room">(cause_of(outcome)));
  });
}

Transport* new_transport(int piece_bytes) {
  return new MpiTransport(job().everybody, piece_bytes);
}

void finish(Thread& thread) {
  MpiThread* const mpi = mpi_thread(thread);
  if (mpi != nullptr) drain_last(*mpi);
  for_each_thread([&](MpiThread& other) {
    forget_late(other);
    thread.process().clock_messages.add(
        other.thread.cost.messages.turns.count());
  });
  if (job().node.roll == Roll::kSome) {
    RollTransport transport;
    mpi_finishing(thread, transport);
  } else {
    MpiTransport transport(job().everybody, kPieceBytes);
    mpi_finishing(thread, transport);
  }
  take_unwanted();
  mpi_finished();
  for_each_thread([](MpiThread& other) { other.edges.slots.forget(); });
  if (CommInfo* const everybody = job().everybody) release_comm(everybody);
  pmpi().Group_free(&job().world);
  tear_down_exchange();
}

}  // namespace poprt::mpi
