#include "wrappers/edges/shared_shadow.h"

#include <sched.h>

#include <utility>

#include "wrappers/edges/comms.h"
#include "wrappers/edges/exchange_tools.h"
#include "wrappers/edges/own_tags.h"
#include "wrappers/maybe_lock.h"
#include "wrappers/state.h"

namespace poprt::mpi {
namespace {

enum class Found { kNothing, kOthers, kOwn };

// Takes one message, if there is any.  REQUIRES: the lock.  Does not wait: a
// message that the probe has matched is short and has arrived.
Found look(CommInfo& comm, int source_there, const Label& label,
           ClockMessage* clocks) {
  const auto source = static_cast<uint32_t>(source_there);
  if (comm.edges.kept.take(stream_of(source, static_cast<int>(label.tag)),
                           clocks))
    return Found::kOwn;
  LabelledClocks& came = job().edges.sharing.came;
  int flag = 0;
  MPI_Message message;
  if (pmpi().Improbe(source_there, shared_tag(label), comm.shadow, &flag,
                     &message, MPI_STATUS_IGNORE) != MPI_SUCCESS ||
      flag == 0 ||
      pmpi().Mrecv(&came, sizeof came, pmpi().byte, &message,
                   MPI_STATUS_IGNORE) != MPI_SUCCESS) {
    return Found::kNothing;
  }
  const Label its = came.label();
  if (its == label) {
    *clocks = came.clocks;
    return Found::kOwn;
  }
  const auto other = job().edges.sharing.by_key.find(its.key);
  if (other != job().edges.sharing.by_key.end()) {
    other->second->edges.kept.add(stream_of(source, static_cast<int>(its.tag)),
                                  came.clocks);
  }
  return Found::kOthers;
}

}  // namespace

int shared_tag(const Label& label) {
  const uint64_t hash = (label.key ^ static_cast<uint64_t>(label.tag)) *
                        uint64_t{0x9E3779B97F4A7C15};
  return own_tag(TagKind::kShared, static_cast<uint32_t>(hash >> 32));
}

void share_shadow(CommInfo& info, CommInfo& carrier,
                  std::vector<int> ranks_there) {
  hold_comm(carrier);
  info.carrier = &carrier;
  info.shadow = carrier.shadow;
  info.ranks_there = std::move(ranks_there);
  const MaybeLock lock(job().edges.sharing.mutex);
  // Otherwise nobody keeps its clocks, and its streams are given up.
  if (lock.held()) job().edges.sharing.by_key[info.key] = &info;
}

bool stop_sharing(CommInfo& info) {
  {
    const MaybeLock lock(job().edges.sharing.mutex);
    if (!lock.held()) return false;
    job().edges.sharing.by_key.erase(info.key);
  }
  release_comm(std::exchange(info.carrier, nullptr));
  return true;
}

bool take_labelled(CommInfo& comm, int source, int tag, int64_t patience_ns,
                   ClockMessage* clocks) {
  const Label label{comm.key, tag};
  const int source_there = comm.rank_there(source);
  const int64_t begin = now_ns();
  constexpr int kSpins = 200;
  for (int i = 0;;) {
    Found found = Found::kNothing;
    {
      const MaybeLock lock(job().edges.sharing.mutex);
      if (lock.held()) found = look(comm, source_there, label, clocks);
    }
    if (found == Found::kOwn) return true;
    if (found == Found::kOthers) continue;
    if (now_ns() - begin >= patience_ns) {
      if (patience_ns > 0) count_vain_wait(begin);
      return false;
    }
    // The process that we wait for may need this core.
    if (++i > kSpins) sched_yield();
  }
}

}  // namespace poprt::mpi
