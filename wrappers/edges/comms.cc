#include "wrappers/edges/comms.h"

#include <utility>

#include "base/mix.h"
#include "model/noted.h"
#include "wrappers/edges/agreement.h"
#include "wrappers/edges/own_tags.h"
#include "wrappers/edges/shared_shadow.h"
#include "wrappers/maybe_lock.h"
#include "wrappers/node/node.h"

namespace poprt::mpi {
namespace {

bool of_this_world(MPI_Group group) {
  int size = 0;
  pmpi().Group_size(group, &size);
  std::vector<int> ranks(static_cast<size_t>(size));
  std::vector<int> there(static_cast<size_t>(size));
  for (int i = 0; i < size; ++i) ranks[static_cast<size_t>(i)] = i;
  pmpi().Group_translate_ranks(group, size, ranks.data(), job().world,
                               there.data());
  bool all = true;
  for (int rank : there) all = all && rank != MPI_UNDEFINED;
  return all;
}

// All processes of a communicator conclude the same, because each world lacks
// the processes of the other.
bool of_this_world(MPI_Comm comm, bool inter) {
  MPI_Group group;
  if (pmpi().Comm_group(comm, &group) != MPI_SUCCESS) return false;
  bool all = of_this_world(group);
  pmpi().Group_free(&group);
  if (!inter || !all) return all;
  if (pmpi().Comm_remote_group(comm, &group) != MPI_SUCCESS) return false;
  all = of_this_world(group);
  pmpi().Group_free(&group);
  return all;
}

// Collective over the new communicator; all have agreed on its key.
bool share_shadow_of_all(CommInfo& info, CommInfo& everybody) {
  std::vector<int> ranks(static_cast<size_t>(info.peers));
  // Before the Allgather: no process returns from it before all expect clocks
  // with this key.
  share_shadow(info, everybody, {});
  if (pmpi().Allgather(&everybody.rank, 1, pmpi().int_type, ranks.data(), 1,
                       pmpi().int_type, info.comm) != MPI_SUCCESS) {
    stop_sharing(info);
    return false;
  }
  // No list is needed if the ranks are the same.
  bool same = true;
  for (size_t i = 0; i < ranks.size(); ++i) {
    same = same && ranks[i] == static_cast<int>(i);
  }
  if (!same) info.ranks_there = std::move(ranks);
  return true;
}

void insert(CommInfo* info) {
  const MaybeLock lock(job().edges.comms.mutex);
  job().edges.comms.by_handle.insert(key_of(info->comm), info);
  job().edges.comms.generation.fetch_add(1, std::memory_order_release);
}

}  // namespace

int like_parent(MPI_Comm comm, MPI_Comm* shadow) {
  MPI_Group group;
  int code = pmpi().Comm_group(comm, &group);
  if (code != MPI_SUCCESS) return code;
  code = pmpi().Comm_create(comm, group, shadow);
  pmpi().Group_free(&group);
  return code;
}

CommInfo* find_in_table(MpiThread& thread, MPI_Comm comm) {
  // Before the table is read: it may change behind that.
  thread.edges.comm_generation =
      job().edges.comms.generation.load(std::memory_order_acquire);
  thread.edges.comm_key = key_of(comm);
  const MaybeLock lock(job().edges.comms.mutex);
  return thread.edges.comm =
             job().edges.comms.by_handle.find(thread.edges.comm_key);
}

CommInfo* new_processes(MPI_Comm comm, bool strangers,
                        const MakeShadow& where_busy, bool of_window) {
  int inter = 0;
  int size = 0;
  if (job().node.roll == Roll::kSome ||
      pmpi().Comm_test_inter(comm, &inter) != MPI_SUCCESS ||
      pmpi().Comm_size(comm, &size) != MPI_SUCCESS) {
    return nullptr;
  }
  int peers = size;
  if (inter != 0) pmpi().Comm_remote_size(comm, &peers);
  if (inter == 0 && size < 2) return nullptr;
  if (strangers && !of_this_world(comm, inter != 0)) return nullptr;
  int rank = 0;
  pmpi().Comm_rank(comm, &rank);
  MPI_Errhandler handler;
  pmpi().Comm_get_errhandler(comm, &handler);
  pmpi().Comm_set_errhandler(comm, pmpi().errors_return);
  const bool boards = !of_window && inter == 0;
  CommInfo* const everybody = job().everybody;
  const Agreement all(comm, inter != 0, rank, of_window ? nullptr : everybody,
                      boards ? free_boards(comm, size) : 0);
  CommInfo* const info = new CommInfo;
  info->comm = info->for_all = comm;
  info->rank = rank;
  info->size = size;
  info->inter = info->edges.collectives.many_regions = inter != 0;
  info->peers = peers;
  info->self = inter != 0 ? -1 : rank;
  info->key = all.key();
  bool tracked = false;
  if (all.have_room()) {
    const MakeShadow& make = all.one_is_busy() ? where_busy : like_parent;
    tracked = make(comm, &info->shadow) == MPI_SUCCESS;
    if (tracked) {
      pmpi().Comm_set_errhandler(info->shadow, pmpi().errors_return);
      info->for_all = info->shadow;
      ++job().edges.comms.shadows;
    }
  } else if (all.have_carrier()) {
    tracked = share_shadow_of_all(*info, *everybody);
  }
  pmpi().Comm_set_errhandler(comm, handler);
  pmpi().Errhandler_free(&handler);
  if (!tracked) {
    // The report says that clocks are missing.  Calls on a window are counted
    // one by one, those on a communicator that the tool does not know cannot
    // be.
    if (!of_window) measured_process().lost_clocks.add(1);
    if (info->carrier == nullptr) delete info;
    return nullptr;
  }
  if (inter == 0) {
    info->node.number = all.number();
    job().edges.comms.next_number = static_cast<int>(info->node.number) + 1;
    if (all.board() >= 0) use_board(*info, all.board());
  }
  return info;
}

void add_comm(MPI_Comm comm, bool strangers, const MakeShadow& where_busy) {
  if (CommInfo* const info = new_processes(comm, strangers, where_busy)) {
    insert(info);
  }
}

void note_everybody(CommInfo& info) {
  int size = 0;
  pmpi().Group_size(job().world, &size);
  if (info.inter || info.size != size) return;
  CommInfo* none = nullptr;
  if (job().everybody.compare_exchange_strong(none, &info)) hold_comm(info);
}

CommInfo* begin_comm(CommInfo& parent) {
  CommInfo* const info = new CommInfo;
  info->rank = parent.rank;
  info->size = parent.size;
  info->inter = info->edges.collectives.many_regions = parent.inter;
  info->peers = parent.peers;
  info->self = parent.self;
  // All processes make the parent's copies in the same order.
  info->key = mix(parent.key, parent.edges.idups++);
  share_shadow(*info, owner_of_shadow(parent), parent.ranks_there);
  ++job().edges.comms.unfinished;
  return info;
}

void cancel_comm(CommInfo* info) {
  --job().edges.comms.unfinished;
  release_comm(info);
}

void finish_comm(CommInfo* info, MPI_Comm comm) {
  --job().edges.comms.unfinished;
  info->comm = info->for_all = comm;
  insert(info);
}

bool drop_comm(MPI_Comm comm) {
  CommInfo* info;
  {
    const MaybeLock lock(job().edges.comms.mutex);
    info = job().edges.comms.by_handle.find(key_of(comm));
    if (info == nullptr) return false;
    job().edges.comms.by_handle.erase(key_of(comm));
    job().edges.comms.generation.fetch_add(1, std::memory_order_release);
  }
  release_comm(info);
  return true;
}

void lose_comm(CommInfo& info) {
  measured_process().note(noted<"comm_lost">());
  measured_process().lost_clocks.add(1);
  const MaybeLock lock(job().edges.comms.mutex);
  job().edges.comms.by_handle.erase(key_of(info.comm));
  job().edges.comms.generation.fetch_add(1, std::memory_order_release);
}

void release_comm(CommInfo* info) {
  if (add_user(*info, -1) > 0) return;
  if (info->carrier != nullptr) {
    if (!stop_sharing(*info)) return;
  } else if (!info->edges.tainted.load(std::memory_order_relaxed)) {
    // MPI delivers messages of the tool that are still being sent.
    pmpi().Comm_free(&info->shadow);
    --job().edges.comms.shadows;
  }
  delete info;
}

void taint(CommInfo& info) {
  CommInfo& owner = owner_of_shadow(info);
  if (owner.edges.tainted.exchange(true, std::memory_order_relaxed)) return;
  const MaybeLock lock(job().edges.comms.mutex);
  job().edges.comms.tainted_shadows.push_back(owner.shadow);
}

namespace {

// A barrier.  A collective would take the place of one that some processes have
// given up (meet_all()).
void meet_by_messages(const CommInfo& everybody) {
  const int tag =
      job().before_own_tags + kOwnTags;  // as for totals, which have gone
  for (int step = 1; step < everybody.size; step *= 2) {
    const int to = (everybody.rank + step) % everybody.size;
    const int from = (everybody.rank - step + everybody.size) % everybody.size;
    pmpi().Sendrecv(nullptr, 0, pmpi().byte, to, tag, nullptr, 0, pmpi().byte,
                    from, tag, everybody.shadow, MPI_STATUS_IGNORE);
  }
}

void take_all(MPI_Comm shadow) {
  LabelledClocks& message = job().edges.sharing.came;  // the longest form
  for (;;) {
    int flag = 0;
    if (pmpi().Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, shadow, &flag,
                      MPI_STATUS_IGNORE) != MPI_SUCCESS ||
        flag == 0 ||
        pmpi().Recv(&message, sizeof message, pmpi().byte, MPI_ANY_SOURCE,
                    MPI_ANY_TAG, shadow, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
      return;
    }
  }
}

}  // namespace

void take_unwanted() {
  const CommInfo* const everybody = job().everybody;
  if (everybody == nullptr) return;
  meet_by_messages(*everybody);
  take_all(everybody->shadow);
  job().edges.comms.by_handle.for_each(
      [](const CommInfo& info) { take_all(info.shadow); });
  job().edges.windows.by_handle.for_each([](const Window& window) {
    if (window.comm != nullptr) take_all(window.comm->shadow);
  });
  for (MPI_Comm shadow : job().edges.comms.tainted_shadows) take_all(shadow);
}

}  // namespace poprt::mpi
